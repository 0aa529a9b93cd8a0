import type { FieldError } from '../../contract/outcome.ts';
import { isForeignKeyViolation, uniqueViolation } from '../../store/violations.ts';
import { type Collection, SINGULAR } from '../../world/world.ts';

/**
 * Why a write of the operator is refused: it makes no sense as it was asked, names nothing that exists, or is ruled out by what exists. Nothing
 * was changed. Pointers of `errors` lead into the entity that was sent.
 */
export interface StateRefusal {
  readonly refused: 'invalid' | 'not-found' | 'conflict';
  readonly detail: string;
  readonly errors?: readonly FieldError[];
}

/** Thrown and not returned, so that the transaction it happens in leaves nothing behind. */
class StateRefused extends Error {
  readonly refusal: StateRefusal;

  constructor(refusal: StateRefusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

export function refuse(refused: StateRefusal['refused'], detail: string, errors?: readonly FieldError[]): never {
  throw new StateRefused({ refused, detail, ...(errors && errors.length > 0 && { errors }) });
}

/** Refuses with everything that is wrong; the detail tells the first. */
export function refuseInvalid(errors: readonly FieldError[]): never {
  const [first] = errors;
  const more = errors.length > 1 ? ` (${errors.length} problems in all, see errors.)` : '';
  refuse('invalid', `${first?.pointer ? `${first.pointer}: ` : ''}${first?.message ?? 'The entity is not valid.'}${more}`, errors);
}

export function refuseNotFound(collection: Collection, name: string, hint = ''): never {
  refuse('not-found', `There is no ${SINGULAR[collection]} "${name}".${hint}`);
}

/** What the work gives, or why it was refused. A race that was lost at the database is a conflict. */
export async function orRefusal<T>(collection: Collection, work: Promise<T>): Promise<T | StateRefusal> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StateRefused) return error.refusal;
    const violation = uniqueViolation(error);
    if (violation) {
      const what = violation.columns.map((column) => column.replaceAll('_', ' ')).join(' and ');
      return { refused: 'conflict', detail: `Another request was first: the ${what} of the ${SINGULAR[collection]} is taken.` };
    }
    if (isForeignKeyViolation(error)) {
      return {
        refused: 'conflict',
        detail: `Another request was first: it changed what belongs to the ${SINGULAR[collection]}. Try again.`,
      };
    }
    throw error;
  }
}
