import type { Cell, Check, Column, Results, RuleResult, Verdict } from '../contract/generated/results.ts';

export const VERDICT_MARKS: Readonly<Record<Verdict, string>> = {
  passed: '✓',
  failed: '✗',
  error: '!',
  'partly-tested': '◐',
  'not-testable': '?',
  'not-exercised': '○',
  'not-applicable': '–',
};

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  error: 'error',
  'partly-tested': 'partly tested',
  'not-testable': 'not testable',
  'not-exercised': 'not exercised',
  'not-applicable': 'not applicable',
};

export function createTitle({ target: { kind, name, baseUrl } }: Results): string {
  const subject = name ?? baseUrl;
  if (kind === 'webhook') return `Check of the webhook endpoint ${subject}`;
  return kind === 'client' ? `Check of the client ${subject}` : `Conformance of ${subject}`;
}

export function getVerdictWord(verdict: Verdict, level: RuleResult['level']): string {
  if (level !== 'advice') return VERDICT_WORDS[verdict];
  return verdict === 'passed' ? 'followed' : verdict === 'failed' ? 'not followed' : VERDICT_WORDS[verdict];
}

export function listPossibleVerdicts({ columns }: Results): readonly Verdict[] {
  const impossible: Verdict = columns.includes('integration') ? 'not-applicable' : 'not-exercised';
  return VERDICTS.filter((verdict) => verdict !== impossible);
}

export function listLevels({ columns }: Results): readonly RuleResult['level'][] {
  return columns.includes('integration') ? ['documented', 'implied', 'advice'] : ['documented', 'implied'];
}

export function listColumnNames(columns: readonly Column[]): readonly string[] {
  return columns.filter((column) => column !== 'integration');
}

export function getCheckOrSuiteNoun({ columns }: Results): string {
  return columns.includes('integration') ? 'the check' : 'the suite';
}

export const VERDICTS = Object.keys(VERDICT_WORDS) as readonly Verdict[];

/** The groups are in the order of the contract. */
export function groupByResource(rules: readonly RuleResult[]): Map<string, RuleResult[]> {
  return Map.groupBy(rules, ({ resource }) => resource);
}

export function countMissingCapabilities(results: Results): [capability: string, rules: number][] {
  return countCauses(results, isIncomplete, ({ missing }) => missing);
}

export function countOtherReasons(results: Results): [reason: string, rules: number][] {
  return countCauses(results, isUntested, listOtherReasons);
}

const UNTESTED_VERDICTS: readonly Verdict[] = ['not-testable', 'not-exercised'];

function listOtherReasons(cell: Cell): readonly string[] {
  const results = cell.checks.length === 0 ? [cell] : cell.checks;
  return results.flatMap(({ verdict, reason, missing = [] }) =>
    UNTESTED_VERDICTS.includes(verdict) && reason !== undefined && missing.length === 0 ? [reason] : [],
  );
}

export function wasTested({ verdict }: RuleResult): boolean {
  return verdict === 'passed' || verdict === 'failed' || verdict === 'partly-tested';
}

function isUntested({ verdict }: RuleResult): boolean {
  return verdict === 'not-testable' || verdict === 'partly-tested';
}

function isIncomplete(rule: RuleResult): boolean {
  return isUntested(rule) || rule.verdict === 'not-exercised';
}

function countCauses(
  { rules }: Results,
  isCounted: (rule: RuleResult) => boolean,
  causesOf: (cell: Cell) => readonly string[],
): [cause: string, rules: number][] {
  const causes = rules.filter(isCounted).flatMap(({ cells }) => [...new Set(Object.values(cells).flatMap(causesOf))]);
  const counts = [...Map.groupBy(causes, (cause) => cause)].map(([cause, all]): [string, number] => [cause, all.length]);
  return counts.sort(([a, m], [b, n]) => n - m || a.localeCompare(b, 'en'));
}

export function suggestCapabilities({
  rules,
  columns,
}: Results): { readonly sentence: string; readonly capabilities: readonly string[] } | undefined {
  const lacking = rules.filter(isIncomplete).flatMap(({ cells }) => {
    const all = Object.values(cells);
    return all.some((cell) => listOtherReasons(cell).length > 0) ? [] : [[...new Set(all.flatMap(({ missing }) => missing))]];
  });
  const candidates = [...new Set(lacking.filter(({ length }) => length <= 3).flat())].sort();
  const countTestable = (given: readonly string[]) => lacking.filter((missing) => missing.every((each) => given.includes(each))).length;
  let [best, most]: [readonly string[], number] = [[], 0];
  for (const first of candidates)
    for (const second of candidates.slice(candidates.indexOf(first)))
      for (const third of candidates.slice(candidates.indexOf(second))) {
        const [given, count] = [[first, second, third], countTestable([first, second, third])];
        if (count > most) [best, most] = [given, count];
      }
  if (most === 0) return undefined;
  const sentence = `With these ${columns.includes('integration') ? 'options' : 'capabilities'}, the run can probably test ${most} more ${most === 1 ? 'rule' : 'rules'} fully:`;
  return { sentence, capabilities: [...new Set(best)] };
}

/** Explains a bounded check, which passes if no event or response arrives within a time limit. */
export const TIME_LIMIT_EXPLANATION = 'no event or response arrived while the suite waited, but one may arrive later';

export function describeMissing({ verdict, cells }: RuleResult): string | undefined {
  if (verdict === 'not-exercised') return Object.values(cells).find(({ reason }) => reason !== undefined)?.reason;
  if (verdict !== 'partly-tested') return undefined;
  const capabilities = new Set(Object.values(cells).flatMap(({ missing }) => missing));
  const reasons = new Set(Object.values(cells).flatMap(listOtherReasons));
  return `not fully tested: ${[...(capabilities.size > 0 ? [`missing ${[...capabilities].join(', ')}`] : []), ...reasons].join('; ')}`;
}

export function summarizeTimeLimitedRules({ rules }: Results): string | undefined {
  const count = rules.filter(
    ({ verdict, cells }) => verdict === 'passed' && Object.values(cells).some(({ checks }) => checks.some((check) => check.bounded)),
  ).length;
  return count === 0 ? undefined : `Rules that passed because no forbidden event or response arrived while the suite waited: ${count}.`;
}

export function formatSeconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}

export interface FailedCheck {
  readonly rule: RuleResult;
  readonly check: Check;
  readonly columns: readonly Column[];
}

/** Lists each check with this verdict once, even if it has the verdict in several columns. */
export function listFailedChecks({ rules }: Results, verdict: 'failed' | 'error'): FailedCheck[] {
  return rules.flatMap((rule) => {
    const found = Object.entries(rule.cells).flatMap(([column, { checks }]) =>
      checks.filter((check) => check.verdict === verdict).map((check) => ({ column: column as Column, check })),
    );
    const groups = Map.groupBy(found, ({ check }) => check.title);
    return [...groups.values()].map((group) => {
      const [first] = group as [(typeof found)[number]];
      return { rule, check: first.check, columns: group.map(({ column }) => column) };
    });
  });
}
