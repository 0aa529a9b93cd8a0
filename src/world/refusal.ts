import { type DecidedRefusal, type FieldError, isRefused, type Refusal } from '../contract/outcome.ts';
import { isForeignKeyViolation, uniqueViolation } from '../store/errors.ts';
import type { WorldProblem } from './problem.ts';
import { type Collection, SINGULAR } from './world.ts';

/** Why the control API refuses to write an entity. Nothing was changed. The pointers of `errors` lead into the entity that was sent. */
export interface StateRefusal {
  readonly refused: 'invalid' | 'not-found' | 'conflict';
  readonly detail: string;
  readonly errors?: readonly FieldError[];
}

/** Thrown, so that the transaction it happens in is rolled back. */
class StateRefused extends Error {
  readonly refusal: StateRefusal;

  constructor(refusal: StateRefusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

/** @throws StateRefused */
export function refuse(refused: StateRefusal['refused'], detail: string, errors?: readonly FieldError[]): never {
  throw new StateRefused({ refused, detail, ...(errors && errors.length > 0 && { errors }) });
}

/** Refuses with all problems. The detail is the first one. @throws StateRefused */
export function refuseInvalid(problems: readonly WorldProblem[]): never {
  const [first] = problems;
  const more = problems.length > 1 ? ` (${problems.length} problems in all, see errors.)` : '';
  const errors = problems.map(({ pointer, reason }) => ({ pointer, message: reason }));
  return refuse('invalid', `${first?.pointer ? `${first.pointer}: ` : ''}${first?.reason}${more}`, errors);
}

/** Refuses because of one member. @throws StateRefused */
export function refuseConflict(pointer: string, message: string): never {
  return refuse('conflict', message, [{ pointer, message }]);
}

/** @param hint ` Did you mean …?` or nothing. @throws StateRefused */
export function refuseNotFound(collection: Collection, name: string, hint: string): never {
  return refuse('not-found', `There is no ${SINGULAR[collection]} "${name}".${hint}`);
}

/** The names of the members in the API and in a world. */
const MEMBERS: Readonly<Record<string, string>> = { '/experienceId': '/experience', '/accountId': '/account', '/targetValue': '/target' };

/** The result of a use case of the API. A refusal is refused here too, and names its rule or decision. @throws StateRefused */
export function accepted<T extends object>(result: T): T {
  if (!isRefused(result)) return result;
  const refusal = result as unknown as Refusal | DecidedRefusal;
  const source = 'rule' in refusal ? `Rule ${refusal.rule}` : `Decision ${refusal.decided}`;
  const errors = refusal.errors?.map(({ pointer, message }) => ({ pointer: MEMBERS[pointer] ?? pointer, message }));
  return refuse(kindOf(refusal), `${refusal.detail} (${source}.)`, errors);
}

/** A documented 404 is about the entity itself. A decision may choose 404 also for an entity that the request refers to. */
function kindOf(refusal: Refusal | DecidedRefusal): StateRefusal['refused'] {
  if ('refused' in refusal && refusal.refused === 404) return 'not-found';
  return refusal.evidence?.cause === 'unknown' ? 'invalid' : 'conflict';
}

/** The result, or why it was refused. A race that was lost in the database is a conflict. */
export async function orRefusal<T>(collection: Collection, work: Promise<T>): Promise<T | StateRefusal> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StateRefused) return error.refusal;
    const violation = uniqueViolation(error);
    if (violation) {
      const columns = violation.columns.map((column) => column.replaceAll('_', ' ')).join(' and ');
      return { refused: 'conflict', detail: `Another request was first: the ${columns} of the ${SINGULAR[collection]} is already used.` };
    }
    if (isForeignKeyViolation(error)) {
      const detail = `Another request was first: it changed an entity that the ${SINGULAR[collection]} depends on. Try again.`;
      return { refused: 'conflict', detail };
    }
    throw error;
  }
}
