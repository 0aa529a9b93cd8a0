import type { Results, RuleResult, Verdict } from './results.ts';

/** How many rules of a level have each verdict. */
export interface Totals extends Readonly<Record<Verdict, number>> {
  /** All except the not applicable ones. */
  readonly inScope: number;
}

export function totalsOf(rules: readonly RuleResult[], level: RuleResult['level']): Totals {
  const counts: Record<Verdict, number> = { failed: 0, error: 0, passed: 0, 'not-testable': 0, 'not-applicable': 0 };
  for (const rule of rules) if (rule.level === level) counts[rule.verdict] += 1;
  return { ...counts, inScope: counts.failed + counts.error + counts.passed + counts['not-testable'] };
}

/** What decides about the exit code, besides the results. */
interface Criteria {
  readonly strict: boolean;
  /** Known failures, as `rule form`. */
  readonly tolerated?: ReadonlySet<string>;
  /** The number of stale entries in the baseline. */
  readonly stale?: number;
}

/** Why a run ends with exit code 1, a sentence each. Empty: it ends with 0. */
export function objections(results: Results, { strict, tolerated = new Set(), stale = 0 }: Criteria): string[] {
  const cells = results.rules.flatMap(({ id, level, cells }) =>
    Object.entries(cells).map(([form, { verdict }]) => ({ rule: id, level, verdict, tolerated: tolerated.has(`${id} ${form}`) })),
  );
  const rulesWith = (verdict: Verdict, level?: RuleResult['level']) =>
    new Set(cells.filter((cell) => cell.verdict === verdict && !cell.tolerated && (!level || cell.level === level)).map(({ rule }) => rule))
      .size;
  const untested = results.rules.filter(({ verdict }) => verdict === 'not-testable').length;
  const found: [number, string][] = [
    [rulesWith('failed', 'documented'), 'documented rules failed'],
    [rulesWith('error') + results.errors.length, 'errors of the suite itself'],
    [stale, 'entries of the baseline are stale'],
    [strict ? rulesWith('failed', 'implied') : 0, 'implied rules failed (--strict)'],
    [strict ? untested : 0, 'rules could not be tested (--strict)'],
  ];
  const sentences = found.filter(([count]) => count > 0).map(([count, what]) => `${what}: ${count}`);
  return results.interrupted ? [...sentences, 'the run was interrupted'] : sentences;
}
