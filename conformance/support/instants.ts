/** Orders two date-times, to the last digit of their fractions: a Date would lose microseconds. Negative where the first is earlier. */
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

function nanoseconds(instant: string): bigint | undefined {
  const { seconds, fraction } = partsOf(instant);
  return Number.isNaN(seconds) ? undefined : BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}

/** Every date-time of the service is UTC, however it says so. */
function partsOf(instant: string): { seconds: number; fraction: string } {
  return { seconds: Date.parse(`${instant.slice(0, 19)}Z`), fraction: /[.,](\d+)/.exec(instant)?.[1] ?? '' };
}
