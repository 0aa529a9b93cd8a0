const MS_PER_UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Converts a duration, such as `2m30s` or a number of milliseconds. @throws RangeError for other strings */
export function toMilliseconds(duration: number | string): number {
  if (typeof duration === 'number') return duration;
  if (!/^(\d+(ms|s|m|h|d))+$/.test(duration))
    throw new RangeError(`A duration is a number and a unit (ms, s, m, h, d), such as 1h30m, not ${duration}.`);
  let sum = 0;
  for (const [, amount, unit] of duration.matchAll(/(\d+)(ms|s|m|h|d)/g)) sum += Number(amount) * MS_PER_UNIT[unit as string]!;
  return sum;
}
