import type { EngineErrors } from '../engine.ts';

/** SQLSTATE classes and codes: connection, insufficient resources, read-only after a failover, shutdown, system error. */
const UNAVAILABLE = /^(?:08|53|57P0|58|25006$)/;
/** Errors of a connected socket. */
const SOCKET = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Messages of pg and Kysely about a broken connection, which have no code. */
const BROKEN = /^(?:Connection terminated|Client has encountered a connection error|Postgres connection has been discarded)/;

export const postgresErrors: EngineErrors = {
  isUnavailable: ({ code, message }) =>
    typeof code === 'string' ? SOCKET.has(code) || (code.length === 5 && UNAVAILABLE.test(code)) : BROKEN.test(String(message)),
  isForeignKeyViolation: ({ code }) => code === '23503' || code === '23001',
  uniqueViolation({ code, constraint }) {
    if (code !== '23505') return undefined;
    // Constraints are named `table:column,column` (migrations/table.ts).
    const [table = '', columns = ''] = String(constraint).split(':');
    return { table, columns: columns.split(',') };
  },
};

/** Whether PostgreSQL rolled back the transaction in favour of another one, so that it can be run again. */
export function isRetryable(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === '40001' || code === '40P01';
}
