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

/** Throws a refusal, so that the transaction is rolled back. @param errors with pointers into the entity in the request body */
export function throwFailure(kind: ControlFailureKind, detail: string, errors?: readonly FieldError[]): never {
  throw new FailureError(controlFailure(kind, detail, errors));
}

/** A refusal that lists the first problems, which often cause the later ones. Its detail is the first problem. */
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

/** Refuses a write that conflicts in one member. @throws FailureError */
export function throwConflict(pointer: string, message: string): never {
  return throwFailure('conflict', message, [{ pointer, message }]);
}

/** For the pointer to a member of the API, the pointer to the same member of a world. */
const MEMBERS: Readonly<Record<string, string>> = { '/experienceId': '/experience', '/accountId': '/account', '/targetValue': '/target' };

/** Returns the result of a use case of the API. @throws FailureError with the rule or decision if the use case refused. */
export function accepted<T extends object>(result: T): T {
  if (!isFailure(result)) return result;
  const failure = result as unknown as Failure;
  const source = `${failure.status === undefined ? 'Decision' : 'Rule'} ${failure.reason}`;
  const errors = failure.errors?.map(({ pointer, message }) => ({ pointer: MEMBERS[pointer] ?? pointer, message }));
  return throwFailure(kindOf(failure), `${failure.detail} (${source}.)`, errors);
}

/** A use case documents 404 only for the entity itself. A request that refers to another, unknown entity is invalid. */
function kindOf(failure: Failure): ControlFailureKind {
  if (failure.status === 404) return 'not-found';
  return failure.evidence?.cause === 'unknown' ? 'invalid' : 'conflict';
}

/** Returns the result of a write, or the refusal that it threw. If another write was first in the database, refuses with a conflict. */
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
