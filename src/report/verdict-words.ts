import type { Cell, Results, RuleResult, Verdict } from './results.ts';

export const MARKS: Readonly<Record<Verdict, string>> = {
  passed: '✓',
  failed: '✗',
  error: '!',
  'not-testable': '?',
  'not-applicable': '–',
};

export const WORDS: Readonly<Record<Verdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  error: 'error',
  'not-testable': 'not testable',
  'not-applicable': 'not applicable',
};

/** The rules by resource, in the order of the contract. */
export function byResource(rules: readonly RuleResult[]): Map<string, RuleResult[]> {
  return Map.groupBy(rules, ({ resource }) => resource);
}

/** The capabilities whose lack makes rules not testable, with the number of rules, most frequent first. */
export function missingCapabilities(results: Results): [capability: string, rules: number][] {
  return countedUntested(results, ({ missing }) => missing);
}

/** The other reasons for which rules are not testable, with the number of rules, most frequent first. */
export function otherReasons(results: Results): [reason: string, rules: number][] {
  return countedUntested(results, ({ verdict, missing, reason }) =>
    verdict === 'not-testable' && missing.length === 0 && reason !== undefined ? [reason] : [],
  );
}

function countedUntested({ rules }: Results, causesOf: (cell: Cell) => readonly string[]): [cause: string, rules: number][] {
  const causes = rules
    .filter(({ verdict }) => verdict === 'not-testable')
    .flatMap(({ cells }) => [...new Set(Object.values(cells).flatMap(causesOf))]);
  const counts = [...Map.groupBy(causes, (cause) => cause)].map(([cause, all]): [string, number] => [cause, all.length]);
  return counts.sort(([a, m], [b, n]) => n - m || a.localeCompare(b, 'en'));
}

/** Why a passed check is bounded. */
export const BOUNDED = 'nothing came while the suite waited, and it may come later';

/** The number of bounded rules, in a sentence; undefined if there are none. */
export function boundedSummary({ rules }: Results): string | undefined {
  const count = rules.filter(
    ({ verdict, cells }) => verdict === 'passed' && Object.values(cells).some(({ checks }) => checks.some((check) => check.bounded)),
  ).length;
  return count === 0 ? undefined : `${count} of the passed rules say that something must not come: it did not while the suite waited.`;
}

export function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}
