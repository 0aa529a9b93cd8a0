import { type Logger, pino } from 'pino';
import { isUnavailable } from '../store/errors.ts';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * The log of a kit: JSON lines on standard error. It never holds tokens, secrets, bodies or query strings: what is logged is named here and where it
 * is called, and the error serializer keeps to type, code, message, stack and cause.
 */
export function createLog(level: LogLevel): Logger {
  return pino({ level, base: null, serializers: { err: shownError } }, pino.destination({ dest: 2, sync: true }));
}

/** Wall milliseconds during which one cause of an outage is logged once at level error. */
const OUTAGE_MS = 10_000;

/** Logs failures of requests and of background work. During an outage of the database they all have one cause, so repetitions are logged at level debug. */
export function failureLog(log: Logger): (error: unknown, text: string, traceId?: string) => void {
  let outage = { message: '', until: 0 };
  return (error, text, traceId) => {
    const fields = { err: error, ...(traceId !== undefined && { traceId }) };
    if (!isUnavailable(error)) return log.error(fields, text);
    const { message } = error as Error;
    const now = performance.now();
    if (message === outage.message && now < outage.until) return log.debug(fields, text);
    outage = { message, until: now + OUTAGE_MS };
    log.error(fields, `${text}: the database is unavailable`);
  };
}

interface ShownError {
  readonly type: string;
  readonly code: unknown;
  readonly message: string;
  readonly stack: string | undefined;
  readonly cause: ShownError | undefined;
}

/** An error of the database carries the row that it is about, and one of a client its request: other members are left out. */
function shownError(error: unknown): ShownError {
  if (!(error instanceof Error))
    return { type: typeof error, code: undefined, message: 'what was thrown is no error', stack: undefined, cause: undefined };
  const { name: type, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  return { type, code, message, stack, cause: cause === undefined ? undefined : shownError(cause) };
}
