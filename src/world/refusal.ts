import {
  type ControlFailureKind,
  controlFailure,
  type Failure,
  FailureError,
  type FieldError,
  type GateFailure,
  isFailure,
} from '../contract/failure.ts';
import { isForeignKeyViolation, uniqueViolation } from '../store/errors.ts';
import { MOST_REPORTED, type WorldProblem } from './problem.ts';
import { type Collection, SINGULAR } from './world.ts';

/** Throws, so that the transaction is rolled back. The pointers of `errors` lead into the entity that was sent. */
export function throwFailure(kind: ControlFailureKind, detail: string, errors?: readonly FieldError[]): never {
  throw new FailureError(controlFailure(kind, detail, errors));
}

/** Refuses with the first problems, which are often the cause of the rest. The detail is the first one. */
export function invalid(problems: readonly WorldProblem[]): GateFailure {
  const [first] = problems;
  const more = problems.length > 1 ? ` (${problems.length} problems in all.)` : '';
  const errors = problems.slice(0, MOST_REPORTED).map(({ pointer, reason }) => ({ pointer, message: reason }));
  return controlFailure('invalid', `${first?.pointer ? `${first.pointer}: ` : ''}${first?.reason}${more}`, errors);
}

/** @throws FailureError */
export function throwInvalid(problems: readonly WorldProblem[]): never {
  throw new FailureError(invalid(problems));
}

/** Refuses because of one member. @throws FailureError */
export function throwConflict(pointer: string, message: string): never {
  return throwFailure('conflict', message, [{ pointer, message }]);
}

/** The names of the members in the API and in a world. */
const MEMBERS: Readonly<Record<string, string>> = { '/experienceId': '/experience', '/accountId': '/account', '/targetValue': '/target' };

/** The result of a use case of the API. A refusal is refused here too, and names its rule or decision. @throws FailureError */
export function accepted<T extends object>(result: T): T {
  if (!isFailure(result)) return result;
  const failure = result as unknown as Failure;
  const source = `${failure.status === undefined ? 'Decision' : 'Rule'} ${failure.reason}`;
  const errors = failure.errors?.map(({ pointer, message }) => ({ pointer: MEMBERS[pointer] ?? pointer, message }));
  return throwFailure(kindOf(failure), `${failure.detail} (${source}.)`, errors);
}

/** A documented 404 is about the entity itself. A decision may choose 404 also for an entity that the request refers to. */
function kindOf(failure: Failure): ControlFailureKind {
  if (failure.status === 404) return 'not-found';
  return failure.evidence?.cause === 'unknown' ? 'invalid' : 'conflict';
}

/** The result, or why it was refused. A race that was lost in the database is a conflict. */
export async function orFailure<T>(collection: Collection, work: Promise<T>): Promise<T | GateFailure> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FailureError) return error.failure as GateFailure;
    const violation = uniqueViolation(error);
    if (violation) {
      const columns = violation.columns.map((column) => column.replaceAll('_', ' ')).join(' and ');
      return controlFailure('conflict', `Another request was first: the ${columns} of the ${SINGULAR[collection]} is already used.`);
    }
    if (isForeignKeyViolation(error)) {
      const detail = `Another request was first: it changed an entity that the ${SINGULAR[collection]} depends on. Try again.`;
      return controlFailure('conflict', detail);
    }
    throw error;
  }
}
