import {
  type ControlFailureKind,
  createControlFailure,
  type Failure,
  FailureError,
  type FieldError,
  type GateFailure,
  isFailure,
} from '../contract/failure.ts';
import { findUniqueViolation, isForeignKeyViolation } from '../store/errors.ts';
import { MAX_REPORTED_PROBLEMS, type Steps, toPointer, type WorldProblem } from './problem.ts';
import { type Collection, SINGULAR_NOUNS } from './world.ts';

/** Throws a failure, so that the transaction is rolled back. @param errors the invalid members, with pointers relative to the entity */
export function throwFailure(kind: ControlFailureKind, detail: string, errors?: readonly FieldError[]): never {
  throw new FailureError(createControlFailure(kind, detail, errors));
}

/** Returns a failure with only the first problems, because later problems are often consequences of these. */
export function createInvalidFailure(problems: readonly WorldProblem[]): GateFailure {
  const [first] = problems;
  const more = problems.length > 1 ? ` (${problems.length} problems in total.)` : '';
  const errors = problems.slice(0, MAX_REPORTED_PROBLEMS).map(({ pointer, reason }) => ({ pointer, message: reason }));
  return createControlFailure('invalid', `${first?.pointer ? `${first.pointer}: ` : ''}${first?.reason}${more}`, errors);
}

export function prefixPointers(path: Steps, failure: GateFailure): GateFailure {
  const { detail, errors = [{ pointer: '', message: failure.detail }] } = failure;
  const at = toPointer(path);
  return {
    ...failure,
    detail: detail.startsWith('/') ? `${at}${detail}` : `${at}: ${detail}`,
    errors: errors.map(({ pointer, message }) => ({ pointer: `${at}${pointer}`, message })),
  };
}

export function throwInvalid(problems: readonly WorldProblem[]): never {
  throw new FailureError(createInvalidFailure(problems));
}

/** @throws FailureError */
export function throwConflict(pointer: string, message: string): never {
  return throwFailure('conflict', message, [{ pointer, message }]);
}

const MEMBER_POINTERS: Readonly<Record<string, string>> = {
  '/experienceId': '/experience',
  '/accountId': '/account',
  '/targetValue': '/target',
};

/** @throws FailureError if the service refused the write */
export function unwrapResult<T extends object>(result: T): T {
  if (!isFailure(result)) return result;
  const failure = result as unknown as Failure;
  const source = `${failure.status === undefined ? 'Decision' : 'Rule'} ${failure.reason}`;
  const errors = failure.errors?.map(({ pointer, message }) => ({ pointer: MEMBER_POINTERS[pointer] ?? pointer, message }));
  return throwFailure(getFailureKind(failure), `${failure.detail} (${source}.)`, errors);
}

/** 404 means that the entity itself is unknown. An unknown referenced entity makes the request invalid instead. */
function getFailureKind(failure: Failure): ControlFailureKind {
  if (failure.status === 404) return 'not-found';
  return failure.evidence?.cause === 'unknown' ? 'invalid' : 'conflict';
}

/** A concurrent write of the same unique value causes a conflict. */
export async function catchFailure<T>(collection: Collection, work: Promise<T>): Promise<T | GateFailure> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FailureError) return error.failure as GateFailure;
    const violation = findUniqueViolation(error);
    if (violation) {
      const columns = violation.columns.map((column) => column.replaceAll('_', ' ')).join(' and ');
      return createControlFailure('conflict', `Another request was first: the ${SINGULAR_NOUNS[collection]}'s ${columns} is already used.`);
    }
    if (isForeignKeyViolation(error)) {
      const detail = `Another request was first: it changed an entity that the ${SINGULAR_NOUNS[collection]} depends on. Try again.`;
      return createControlFailure('conflict', detail);
    }
    throw error;
  }
}
