/** Compares two ids, ignoring case, because a target may return a UUID in upper or lower case. */
export function isSameId(found: unknown, id: string): boolean {
  return typeof found === 'string' && found.toLowerCase() === id.toLowerCase();
}

/** A date-time with all digits of its fraction. A `Date` stores only milliseconds. */
interface Instant {
  /** The date-time without its fraction, in milliseconds since 1970; NaN if the string is not a date-time. */
  readonly epochMs: number;
  /** The fraction's digits. */
  readonly fraction: string;
}

/**
 * Compares two date-times, including all fraction digits.
 * @returns a negative number if `first` is earlier, 0 if both are equal, a positive number if `first` is later; NaN if a value is not a
 * date-time
 */
export function compareInstants(first: string, second: string): number {
  const [a, b] = [parseInstant(first), parseInstant(second)];
  if (a.epochMs !== b.epochMs) return a.epochMs - b.epochMs;
  const length = Math.max(a.fraction.length, b.fraction.length);
  const [x, y] = [a.fraction.padEnd(length, '0'), b.fraction.padEnd(length, '0')];
  return x < y ? -1 : Number(x > y);
}

/**
 * Returns whether two date-times are the same instant. Ignores a difference that comes from rounding or truncating one of them to fewer
 * digits.
 */
export function isSameInstant(first: string, second: string): boolean {
  const digits = Math.min(...[first, second].map((instant) => parseInstant(instant).fraction.length));
  const [a, b] = [toNanoseconds(first), toNanoseconds(second)];
  return a !== undefined && b !== undefined && (a < b ? b - a : a - b) < 10n ** BigInt(Math.max(9 - digits, 0));
}

/** Converts a date-time to milliseconds since 1970, truncated. Returns NaN if the string is not a date-time. */
export function toMilliseconds(instant: string): number {
  const { epochMs, fraction } = parseInstant(instant);
  return epochMs + Number(fraction.padEnd(3, '0').slice(0, 3));
}

function toNanoseconds(instant: string): bigint | undefined {
  const { epochMs, fraction } = parseInstant(instant);
  return Number.isNaN(epochMs) ? undefined : BigInt(epochMs) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}

/** The UTC offset is optional here, because a different rule checks that it is present. A date-time without an offset is in UTC. */
const DATE_TIME_PATTERN = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):?(\d{2}))?$/;

function parseInstant(text: string): Instant {
  const [, local, fraction = '', sign, hours = '0', minutes = '0'] = DATE_TIME_PATTERN.exec(text) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return { epochMs: Date.parse(`${local}Z`) - (sign === '-' ? -offset : offset), fraction };
}
