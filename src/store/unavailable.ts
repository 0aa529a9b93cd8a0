/** The database cannot be reached or does not answer. The message names the database and the cause, and contains no secrets. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** All connections to the database are in use, and none became free in time. The server itself answers. */
export class StoreBusy extends StoreUnavailable {}

/** Primary result codes: out of memory, read-only, I/O error, full, cannot open. */
const SQLITE = new Set([7, 8, 10, 13, 14]);
/** SQLSTATE classes and codes: connection, insufficient resources, read-only after a failover, shutdown, system error. */
const POSTGRES = /^(?:08|53|57P0|58|25006$)/;
/** Errors of a socket that was connected. */
const SOCKET = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Messages of pg and Kysely about a broken connection, which have no code. */
const BROKEN = /^(?:Connection terminated|Client has encountered a connection error|Postgres connection has been discarded)/;

/** Whether an error means that the database cannot do its work at the moment, so that the same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  if (!(error instanceof Error)) return false;
  const { code, errcode, message } = error as Error & { code?: unknown; errcode?: unknown };
  // The low byte is the kind of failure, the rest its detail.
  if (code === 'ERR_SQLITE_ERROR') return SQLITE.has(Number(errcode) & 0xff);
  if (typeof code === 'string') return SOCKET.has(code) || (code.length === 5 && POSTGRES.test(code));
  return BROKEN.test(message);
}
