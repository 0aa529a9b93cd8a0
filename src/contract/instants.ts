/** A date-time with all fraction digits; a `Date` stores only milliseconds. */
interface Instant {
  /** The date-time without its fraction, in milliseconds since 1970; NaN if invalid. */
  readonly epochMs: number;
  readonly fraction: string;
}

/** @returns a number for sorting; NaN if a value is not a date-time */
export function compareInstants(first: string, second: string): number {
  const [a, b] = [parseInstant(first), parseInstant(second)];
  if (a.epochMs !== b.epochMs) return a.epochMs - b.epochMs;
  const length = Math.max(a.fraction.length, b.fraction.length);
  const [x, y] = [a.fraction.padEnd(length, '0'), b.fraction.padEnd(length, '0')];
  return x < y ? -1 : Number(x > y);
}

/** Whether two date-times are equal when the more precise one is truncated or rounded to the precision of the other. */
export function isSameInstant(first: string, second: string): boolean {
  const digits = Math.min(...[first, second].map((instant) => parseInstant(instant).fraction.length));
  const [a, b] = [toNanoseconds(first), toNanoseconds(second)];
  return a !== undefined && b !== undefined && (a < b ? b - a : a - b) < 10n ** BigInt(Math.max(9 - digits, 0));
}

/** Converts a date-time to milliseconds since 1970, truncated; NaN if invalid. */
export function toMilliseconds(instant: string): number {
  const { epochMs, fraction } = parseInstant(instant);
  return epochMs + Number(fraction.padEnd(3, '0').slice(0, 3));
}

function toNanoseconds(instant: string): bigint | undefined {
  const { epochMs, fraction } = parseInstant(instant);
  return Number.isNaN(epochMs) ? undefined : BigInt(epochMs) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}

/** A date-time without a UTC offset is accepted as UTC, because another rule reports the missing offset. */
const DATE_TIME_PATTERN = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):?(\d{2}))?$/;

function parseInstant(text: string): Instant {
  const [, local, fraction = '', sign, hours = '0', minutes = '0'] = DATE_TIME_PATTERN.exec(text) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return { epochMs: Date.parse(`${local}Z`) - (sign === '-' ? -offset : offset), fraction };
}
