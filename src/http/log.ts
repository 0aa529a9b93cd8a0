import { type Logger, pino } from 'pino';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * The log of a kit: JSON lines on standard error. It never holds tokens, secrets, bodies or query strings: what is logged is named here and where it
 * is called, and the error serializer keeps to type, message and stack.
 */
export function createLog(level: LogLevel): Logger {
  return pino({ level, base: null }, pino.destination({ dest: 2, sync: true }));
}
