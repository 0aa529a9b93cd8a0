/** Whether two ids are equal without letter case, because a target may return a UUID in another case. */
export function sameId(found: unknown, id: string): boolean {
  return typeof found === 'string' && found.toLowerCase() === id.toLowerCase();
}

/** A date-time to its last digit. A `Date` would lose microseconds. */
interface Instant {
  /** The whole seconds, in milliseconds since 1970; NaN if the string is not a date-time. */
  readonly seconds: number;
  /** The digits of the fraction of a second. */
  readonly fraction: string;
}

/** Compares two date-times to the last digit. Negative if the first is earlier, NaN if one of them is not a date-time. */
export function compareInstants(first: string, second: string): number {
  const [a, b] = [parseInstant(first), parseInstant(second)];
  if (a.seconds !== b.seconds) return a.seconds - b.seconds;
  const length = Math.max(a.fraction.length, b.fraction.length);
  const [x, y] = [a.fraction.padEnd(length, '0'), b.fraction.padEnd(length, '0')];
  return x < y ? -1 : Number(x > y);
}

/** Whether two date-times are the same instant, also if one of them is truncated or rounded to fewer digits. */
export function isSameInstant(first: string, second: string): boolean {
  const digits = Math.min(...[first, second].map((instant) => parseInstant(instant).fraction.length));
  const [a, b] = [nanoseconds(first), nanoseconds(second)];
  return a !== undefined && b !== undefined && (a < b ? b - a : a - b) < 10n ** BigInt(Math.max(9 - digits, 0));
}

/** Milliseconds since 1970, truncated; NaN if the string is not a date-time. */
export function millisecondsOf(instant: string): number {
  const { seconds, fraction } = parseInstant(instant);
  return seconds + Number(fraction.padEnd(3, '0').slice(0, 3));
}

function nanoseconds(instant: string): bigint | undefined {
  const { seconds, fraction } = parseInstant(instant);
  return Number.isNaN(seconds) ? undefined : BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}

/** The offset is optional: a date-time without one breaks another rule, so it is read as UTC. */
const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):?(\d{2}))?$/;

function parseInstant(text: string): Instant {
  const [, local, fraction = '', sign, hours = '0', minutes = '0'] = INSTANT.exec(text) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return { seconds: Date.parse(`${local}Z`) - (sign === '-' ? -offset : offset), fraction };
}
