export interface Report {
  readonly counts: Readonly<Record<string, number | string>>;
  readonly problems: Readonly<Record<string, readonly string[]>>;
}

/** @param times in ascending order @param share such as 0.99 */
export const findPercentile = (times: readonly number[], share: number): number => times[Math.ceil(times.length * share) - 1]!;

const MAX_EXAMPLES = 5;

export function printReport(testName: string, { counts, problems }: Report): boolean {
  const rows = Object.entries({ ...counts, ...Object.fromEntries(Object.entries(problems).map(([kind, texts]) => [kind, texts.length])) });
  const width = Math.max(...rows.map(([name]) => name.length));
  const examples = Object.entries(problems).flatMap(([kind, texts]) =>
    texts.slice(0, MAX_EXAMPLES).map((text) => `  ${kind}: ${text.slice(0, 400)}`),
  );
  const table = rows.map(([name, count]) => `  ${name.padEnd(width)}  ${String(count).padStart(8)}`);
  console.log([testName, ...table, ...examples, examples.length > 0 ? '  FAILED\n' : '  passed\n'].join('\n'));
  return examples.length > 0;
}
