import type { DatabaseError, UniqueViolation } from './engine.ts';
import { postgresErrors } from './postgres/errors.ts';
import { sqliteErrors } from './sqlite/errors.ts';

const ENGINES = [sqliteErrors, postgresErrors];

/** The database cannot be reached or does not answer. The message names the database and the cause, and contains no secrets. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** All connections to the database are in use, and none became free in time. The server itself answers. */
export class StoreBusy extends StoreUnavailable {}

/** Whether the database cannot do its work at the moment, so that the same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof StoreUnavailable || ENGINES.some((engine) => engine.isUnavailable(error));
}

/** The unique constraint that a write violated, so that a writer that lost a race reports the documented conflict. */
export function uniqueViolation(error: unknown): UniqueViolation | undefined {
  return ENGINES.map((engine) => engine.uniqueViolation(fieldsOf(error))).find((violation) => violation !== undefined);
}

/** Whether a row refers to one that does not exist, or a row that others refer to was to be deleted. */
export function isForeignKeyViolation(error: unknown): boolean {
  return ENGINES.some((engine) => engine.isForeignKeyViolation(fieldsOf(error)));
}

function fieldsOf(error: unknown): DatabaseError {
  return typeof error === 'object' && error !== null ? error : {};
}
