import type { PathForm } from '../contract/generated/operations.ts';
import type { Results, RuleResult, Verdict } from '../contract/generated/results.ts';
import { wasTested } from './summary.ts';

/** How many rules of a level have each verdict. */
export interface Totals extends Readonly<Record<Verdict, number>> {
  /** The number of rules with any verdict except not applicable. */
  readonly inScope: number;
}

export function totalsOf(rules: readonly RuleResult[], level: RuleResult['level']): Totals {
  const counts: Record<Verdict, number> = {
    failed: 0,
    error: 0,
    'partly-tested': 0,
    passed: 0,
    'not-testable': 0,
    'not-applicable': 0,
  };
  for (const rule of rules) if (rule.level === level) counts[rule.verdict] += 1;
  const { 'not-applicable': _, ...inScope } = counts;
  return { ...counts, inScope: Object.values(inScope).reduce((sum, count) => sum + count) };
}

/** Whether a run fails if this rule fails. */
export type Counts = (rule: Pick<RuleResult, 'id' | 'level'>) => boolean;

export const onlyDocumented: Counts = ({ level }) => level === 'documented';

/** The settings that determine, together with the results, whether a run fails. */
interface Criteria {
  /** Whether rules that were not fully tested count. */
  readonly strict: boolean;
  /** The rules whose failures count. Default: every rule if the run is strict, otherwise the documented ones. */
  readonly counts?: Counts;
  /** The failures in the baseline, as strings of rule and form, such as `users.get.shape flat`. */
  readonly tolerated?: ReadonlySet<string>;
  /** The number of stale entries in the baseline. */
  readonly stale?: number;
}

/** The reasons for exit code 1, such as `documented rules failed: 2`. Empty if the exit code is 0. */
export function failureReasons(
  results: Results,
  { strict, counts = strict ? () => true : onlyDocumented, tolerated = new Set(), stale = 0 }: Criteria,
): string[] {
  const failed = results.rules.filter(({ id, cells }) =>
    Object.entries(cells).some(([form, { verdict }]) => verdict === 'failed' && !tolerated.has(`${id} ${form}`)),
  );
  const counted = (level: RuleResult['level']) => failed.filter((rule) => rule.level === level && counts(rule)).length;
  const errors = results.rules.filter(({ cells }) => Object.values(cells).some(({ verdict }) => verdict === 'error'));
  const untested = (verdict: Verdict) => (strict ? results.rules.filter((rule) => rule.verdict === verdict).length : 0);
  const found: [number, string][] = [
    [counted('documented'), 'documented rules failed'],
    [errors.length + results.errors.length, 'errors of the suite itself'],
    [stale, 'entries of the baseline are stale'],
    [counted('implied'), 'implied rules failed'],
    [untested('partly-tested'), 'rules were tested only in part (--strict)'],
    [untested('not-testable'), 'rules could not be tested (--strict)'],
  ];
  const sentences = found.filter(([count]) => count > 0).map(([count, what]) => `${what}: ${count}`);
  return results.interrupted ? [...sentences, 'the run was interrupted'] : sentences;
}

/** How the run ended, in one sentence or several. @param reasons from `failureReasons` @param tolerated as in `failureReasons` */
export function conclusionOf(
  { rules }: Results,
  reasons: readonly string[],
  tolerated: ReadonlySet<string>,
): { readonly kind: 'failed' | 'not-testable' | 'passed'; readonly text: string } {
  const known = new Set([...tolerated].map((each) => each.split(' ')[0])).size;
  const ofBaseline = known === 0 ? '' : ` The baseline tolerates ${known} failed ${known === 1 ? 'rule' : 'rules'}.`;
  if (reasons.length > 0) return { kind: 'failed', text: `Not conformant: ${reasons.join('; ')}.${ofBaseline}` };
  if (!rules.some(wasTested)) return { kind: 'not-testable', text: 'Nothing was tested.' };
  const failed = rules.some(({ level, verdict }) => level === 'documented' && verdict === 'failed');
  return {
    kind: 'passed',
    text: `${failed ? 'Of the documented rules that count, none failed' : 'No documented rule failed'}.${ofBaseline}`,
  };
}

/** A failure that is tolerated, in both forms if `form` is absent. */
export interface KnownFailure {
  readonly rule: string;
  readonly form?: PathForm | undefined;
  readonly reason: string;
}

export interface Compared {
  /** The failures in the baseline, as strings of rule and form, such as `users.get.shape flat`. */
  readonly tolerated: ReadonlySet<string>;
  /** Entries of the baseline whose rules were tested and pass now. */
  readonly stale: readonly KnownFailure[];
}

/**
 * Compares a run with the known failures. An entry whose rule was not tested in this run (because of --rule, --form or a missing capability)
 * is not stale. Errors of the suite are never tolerated.
 */
export function compareWithBaseline(results: Results, known: readonly KnownFailure[]): Compared {
  const rules = new Map<string, Results['rules'][number]>(results.rules.map((rule) => [rule.id, rule]));
  const tolerated = new Set<string>();
  const stale: KnownFailure[] = [];
  for (const entry of known) {
    const cells = Object.entries(rules.get(entry.rule)?.cells ?? {}).filter(([form]) => entry.form === undefined || entry.form === form);
    const failed = cells.filter(([, { verdict }]) => verdict === 'failed');
    for (const [form] of failed) tolerated.add(`${entry.rule} ${form}`);
    if (failed.length === 0 && cells.some(([, { verdict }]) => verdict === 'passed')) stale.push(entry);
  }
  return { tolerated, stale };
}
