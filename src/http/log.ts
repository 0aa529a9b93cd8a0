import { type Logger as Log, pino } from 'pino';
import { isUnavailable } from '../store/errors.ts';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type { Log };

/** Never log tokens, secrets, bodies or query strings. */
export function createLog(level: LogLevel): Log {
  return pino({ level, base: null, serializers: { err: serializeError } }, pino.destination({ dest: 2, sync: true }));
}

/** The minimum wall time between two error entries for the same outage, in milliseconds. */
const OUTAGE_LOG_INTERVAL_MS = 10_000;

/** During a database outage, repeated errors have the level debug. */
export function createFailureLog(log: Log): (error: unknown, text: string, traceId?: string) => void {
  let outage = { message: '', until: 0 };
  return (error, text, traceId) => {
    const fields = { err: error, ...(traceId !== undefined && { traceId }) };
    if (!isUnavailable(error)) return log.error(fields, text);
    const { message } = error as Error;
    const now = performance.now();
    if (message === outage.message && now < outage.until) return log.debug(fields, text);
    outage = { message, until: now + OUTAGE_LOG_INTERVAL_MS };
    log.error(fields, `${text}: the database is unavailable`);
  };
}

interface LoggedError {
  readonly type: string;
  readonly code: unknown;
  readonly message: string;
  readonly stack: string | undefined;
  readonly cause: LoggedError | undefined;
}

/** Copies only safe members, because a database error contains the row, and an HTTP error may contain the request. */
function serializeError(error: unknown): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, code: undefined, message: 'the thrown value is not an Error', stack: undefined, cause: undefined };
  const { name: type, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  return { type, code, message, stack, cause: cause === undefined ? undefined : serializeError(cause) };
}
