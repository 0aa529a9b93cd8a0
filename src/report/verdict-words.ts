import type { Results, RuleResult, Verdict } from './results.ts';

/** How a verdict is shown: `passed` as ✓. */
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

/** What is missing, with how many rules could not be tested for it: the most needed first. */
export function missingCapabilities({ rules }: Results): [capability: string, rules: number][] {
  const counts = new Map<string, number>();
  for (const { verdict, cells } of rules) {
    if (verdict !== 'not-testable') continue;
    for (const capability of new Set(Object.values(cells).flatMap(({ missing }) => missing))) {
      counts.set(capability, (counts.get(capability) ?? 0) + 1);
    }
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b, 'en'));
}

/** Why rules could not be tested though nothing is missing that a target could give, with how many they are: the most frequent first. */
export function otherReasons({ rules }: Results): [reason: string, rules: number][] {
  const counts = new Map<string, number>();
  for (const { verdict, cells } of rules) {
    if (verdict !== 'not-testable') continue;
    const reasons = Object.values(cells).flatMap((cell) =>
      cell.verdict === 'not-testable' && cell.missing.length === 0 && cell.reason !== undefined ? [cell.reason] : [],
    );
    for (const reason of new Set(reasons)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b, 'en'));
}

/** What a check says that passed as something did not come. */
export const BOUNDED = 'what must not come did not, in the time that was waited for it; later is not judged';

/** In one line, how many rules passed as something did not come; undefined where none did. */
export function boundedInWords({ rules }: Results): string | undefined {
  const count = rules.filter(
    ({ verdict, cells }) => verdict === 'passed' && Object.values(cells).some(({ checks }) => checks.some((check) => check.bounded)),
  ).length;
  return count === 0 ? undefined : `For ${count} of the passed, ${BOUNDED}.`;
}

export function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}
