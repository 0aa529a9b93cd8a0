/** An instant is exact to the last digit that it is written with: a Date would lose microseconds. */
interface Parts {
  /** Whole seconds since 1970, in milliseconds; NaN where the text is no instant. */
  readonly seconds: number;
  /** The digits behind the point, or the comma. */
  readonly fraction: string;
}

/** Orders two date-times, to the last digit of their fractions. Negative where the first is earlier; NaN where one is none. */
export function compareInstants(first: string, second: string): number {
  const [a, b] = [partsOf(first), partsOf(second)];
  if (a.seconds !== b.seconds) return a.seconds - b.seconds;
  const length = Math.max(a.fraction.length, b.fraction.length);
  const [x, y] = [a.fraction.padEnd(length, '0'), b.fraction.padEnd(length, '0')];
  return x < y ? -1 : Number(x > y);
}

/** Whether two date-times are one instant, which may be written with different precision: cut off or rounded. */
export function isSameInstant(first: string, second: string): boolean {
  const digits = Math.min(...[first, second].map((instant) => partsOf(instant).fraction.length));
  const [a, b] = [nanoseconds(first), nanoseconds(second)];
  return a !== undefined && b !== undefined && (a < b ? b - a : a - b) < 10n ** BigInt(Math.max(9 - digits, 0));
}

/** A date-time in whole milliseconds since 1970; NaN where the text is none. */
export function millisecondsOf(instant: string): number {
  const { seconds, fraction } = partsOf(instant);
  return seconds + Number(fraction.padEnd(3, '0').slice(0, 3));
}

function nanoseconds(instant: string): bigint | undefined {
  const { seconds, fraction } = partsOf(instant);
  return Number.isNaN(seconds) ? undefined : BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}

/** Without an offset, which is the matter of another rule, it is taken for UTC. */
const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):?(\d{2}))?$/;

function partsOf(instant: string): Parts {
  const [, local, fraction = '', sign, hours = '0', minutes = '0'] = INSTANT.exec(instant) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return { seconds: Date.parse(`${local}Z`) - (sign === '-' ? -offset : offset), fraction };
}
