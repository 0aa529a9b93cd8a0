/** Orders two date-times, to the last digit of their fractions: a Date would lose microseconds. Negative where the first is earlier. */
export function compareInstants(first: string, second: string): number {
  const [a, b] = [partsOf(first), partsOf(second)];
  if (a.seconds !== b.seconds) return a.seconds - b.seconds;
  const length = Math.max(a.fraction.length, b.fraction.length);
  const [x, y] = [a.fraction.padEnd(length, '0'), b.fraction.padEnd(length, '0')];
  return x < y ? -1 : Number(x > y);
}

/** Every date-time of the service is UTC, however it says so. */
function partsOf(instant: string): { seconds: number; fraction: string } {
  return { seconds: Date.parse(`${instant.slice(0, 19)}Z`), fraction: /[.,](\d+)/.exec(instant)?.[1] ?? '' };
}
