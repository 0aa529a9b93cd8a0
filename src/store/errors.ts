/** Thrown if the database cannot be reached or does not respond. The message contains no secrets. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** Thrown if no pool connection becomes free in time, although the database server responds. */
export class StoreBusy extends StoreUnavailable {}

/** pg errors have a `code` and a `constraint`; SQLite errors have an `errcode`. */
interface DriverError {
  readonly code?: unknown;
  readonly errcode?: unknown;
  readonly constraint?: unknown;
  readonly message?: unknown;
}

/** SQLite's extended error codes. `trigger` is also the code for a violated foreign key with `restrict`. */
const SQLITE_CONSTRAINTS = { foreignKey: 787, primaryKey: 1555, trigger: 1811, unique: 2067 } as const;
/** SQLite's temporary failures: out of memory, read-only, I/O error, disk full, cannot open. */
const SQLITE_UNAVAILABLE = new Set([7, 8, 10, 13, 14]);
/** SQLSTATE codes of temporary failures. 25006: read-only after a failover. 40P01: deadlock with a migration. */
const POSTGRES_UNAVAILABLE = /^(?:08...|53...|57014|57P0.|58...|25006|25P03|40P01)$/;
const LOST_CONNECTION = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Matches the messages of pg errors for a broken connection, because these errors have no code. */
const BROKEN_CONNECTION = /^(?:Connection terminated|Client has encountered a connection error|Postgres connection has been discarded)/;

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof StoreUnavailable) return true;
  const { code, errcode, message } = error as DriverError;
  if (code === 'ERR_SQLITE_ERROR') return SQLITE_UNAVAILABLE.has(Number(errcode) & 0xff);
  return typeof code === 'string' ? LOST_CONNECTION.has(code) || POSTGRES_UNAVAILABLE.test(code) : BROKEN_CONNECTION.test(String(message));
}

interface UniqueViolation {
  table: string;
  columns: string[];
}

export function findUniqueViolation(error: unknown): UniqueViolation | undefined {
  const { code, errcode, constraint, message } = getErrorFields(error);
  if (code === '23505') {
    // A constraint's name is `table:column,column` (migrate.ts).
    const [table = '', columns = ''] = String(constraint).split(':');
    return { table, columns: columns.split(',') };
  }
  if (errcode !== SQLITE_CONSTRAINTS.unique && errcode !== SQLITE_CONSTRAINTS.primaryKey) return undefined;
  const [, columns = ''] = String(message).split('constraint failed: ');
  const names = columns.split(', ').map((column) => column.split('.'));
  return { table: String(names[0]?.[0]), columns: names.map(([, name]) => String(name)) };
}

export function isForeignKeyViolation(error: unknown): boolean {
  const { code, errcode, message } = getErrorFields(error);
  if (code === '23503' || code === '23001' || errcode === SQLITE_CONSTRAINTS.foreignKey) return true;
  return errcode === SQLITE_CONSTRAINTS.trigger && String(message).startsWith('FOREIGN KEY');
}

/** The SQLSTATE code for a lock wait longer than `lock_timeout`. */
const LOCK_TIMEOUT = '55P03';

/** Returns whether a migration failed because a replica's request had locked a table. */
export function isLockConflict(error: unknown): boolean {
  const { code } = getErrorFields(error);
  return code === LOCK_TIMEOUT || code === '40P01';
}

/** Returns whether the error is a serialization failure or a deadlock, after which a retry can succeed. */
export function isRetryable(error: unknown): boolean {
  const { code } = getErrorFields(error);
  return code === '40001' || code === '40P01';
}

function getErrorFields(error: unknown): DriverError {
  return typeof error === 'object' && error !== null ? error : {};
}
