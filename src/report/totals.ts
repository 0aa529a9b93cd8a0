import { formatPlural } from '../contract/format-plural.ts';
import type { PathForm } from '../contract/generated/operations.ts';
import type { Cell, Results, RuleResult, Verdict } from '../contract/generated/results.ts';
import { VERDICTS } from './verdicts.ts';

export interface Totals extends Readonly<Record<Verdict, number>> {
  /** The number of applicable rules. */
  readonly inScope: number;
}

/** @param level counts only the rules of this level */
export function countTotals(rules: readonly RuleResult[], level?: RuleResult['level']): Totals {
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const rule of rules) if (level === undefined || rule.level === level) counts[rule.verdict] += 1;
  const { 'not-applicable': _, ...inScope } = counts;
  return { ...counts, inScope: Object.values(inScope).reduce((sum, count) => sum + count) };
}

/** Whether a failure of this rule makes the run fail. Rules of the level `advice` never do. */
export type FailurePredicate = (rule: Pick<RuleResult, 'id' | 'level'>) => boolean;

export const isDocumented: FailurePredicate = ({ level }) => level === 'documented';

/** Whether the rule may affect the exit status: not if it is not part of the run's requirements. */
export const isScored = ({ unscored }: RuleResult): boolean => unscored === undefined;

/** Whether the server does not follow the rule, at least not always. */
export const isBroken = ({ verdict }: { readonly verdict: Verdict }): boolean => verdict === 'failed' || verdict === 'flaky';

/** Whether the rule is broken, or its check ended in an error. */
export const hasFailed = ({ verdict }: { readonly verdict: Verdict | 'none' }): boolean => ['failed', 'flaky', 'error'].includes(verdict);

interface FailureCriteria {
  /** Whether the run fails if a rule was not fully tested. */
  readonly strict: boolean;
  /** The default selects all rules if `strict` is true, otherwise only documented rules. */
  readonly makesRunFail?: FailurePredicate;
  readonly tolerated?: ReadonlySet<string>;
  /** The rules of the baseline entries that now pass. */
  readonly stale?: readonly string[];
  /** Whether the reasons contain the ids of the rules instead of their number. */
  readonly namesRules?: boolean;
}

/** Returns the reasons for exit code 1, such as `documented rules failed: 2`. */
export function listFailureReasons(
  results: Results,
  { strict, makesRunFail = strict ? () => true : isDocumented, tolerated = new Set(), stale = [], namesRules = false }: FailureCriteria,
): string[] {
  const scored = results.rules.filter(isScored);
  const getId = ({ id }: RuleResult) => id;
  const listBroken = (ofLevel: RuleResult['level'], how: Verdict) =>
    scored
      .filter(
        ({ id, level, cells }) =>
          level === ofLevel &&
          makesRunFail({ id, level }) &&
          Object.entries(cells).some(([column, { verdict }]) => verdict === how && !tolerated.has(`${id} ${column}`)),
      )
      .map(getId);
  const errors = scored.filter(({ cells }) => Object.values(cells).some(hasError));
  const binding = scored.filter(({ level }) => level !== 'advice');
  const listIfStrict = (verdict: Verdict) => (strict ? binding.filter((rule) => rule.verdict === verdict).map(getId) : []);
  const found: [readonly string[], string][] = [
    [listBroken('documented', 'failed'), 'documented rules failed'],
    [listBroken('documented', 'flaky'), 'documented rules are flaky'],
    [[...errors.map(getId), ...results.errors], 'errors in the suite itself'],
    [stale, 'baseline entries are stale'],
    [listBroken('implied', 'failed'), 'implied rules failed'],
    [listBroken('implied', 'flaky'), 'implied rules are flaky'],
    [listIfStrict('partly-tested'), 'rules were only partly tested (--strict)'],
    [listIfStrict('not-testable'), 'rules could not be tested (--strict)'],
    [listIfStrict('not-exercised'), 'rules were not exercised (--strict)'],
  ];
  const sentences = found
    .filter(([causes]) => causes.length > 0)
    .map(([causes, what]) => `${what}: ${namesRules ? causes.join(', ') : causes.length}`);
  if (results.incomplete !== undefined) sentences.push(results.incomplete);
  return results.interrupted ? [...sentences, 'the run was interrupted'] : sentences;
}

/** A failed or tolerated rule can hide an error, so this function looks at each check. */
const hasError = ({ verdict, checks }: Cell): boolean => verdict === 'error' || checks.some((check) => check.verdict === 'error');

/**
 * Counts the rules of an integration that a fault or the time limit left untested, if they are more than half. Missing options are the
 * user's choice.
 */
export function countLostRules({ rules, target }: Results): number {
  const binding = rules.filter(({ level }) => level !== 'advice');
  const lost = binding.filter(
    ({ verdict, cells }) => verdict === 'not-testable' && Object.values(cells).every(({ missing }) => missing.length === 0),
  );
  return target.kind === 'webhook' && lost.length > binding.length / 2 ? lost.length : 0;
}

export function concludeRun(
  results: Results,
  reasons: readonly string[],
  tolerated: ReadonlySet<string>,
): { readonly kind: 'failed' | 'not-testable' | 'passed'; readonly text: string } {
  const { rules } = results;
  const known = new Set([...tolerated].map((each) => each.split(' ')[0])).size;
  const lost = countLostRules(results);
  const unscored = rules.filter((rule) => !isScored(rule) && hasFailed(rule)).length;
  const ofUnscored = unscored === 0 ? '' : ` Not scored, because they are not part of the requirements: ${unscored}.`;
  const ofBaseline = known === 0 ? '' : ` The baseline tolerates ${formatPlural(known, 'failed rule')}.`;
  const notes = `${ofBaseline}${ofUnscored}`;
  if (reasons.length > 0)
    return {
      kind: 'failed',
      text: `${getFailedRunConclusion(results, reasons)}: ${reasons.join('; ')}.${notes}${lost === 0 ? '' : describeUntested(results)}`,
    };
  if (lost > 0)
    return {
      kind: 'not-testable',
      text: `Inconclusive: a fault or the time limit left ${lost} rules untested.${describeUntested(results)}`,
    };
  if (!rules.some(wasTested)) return { kind: 'not-testable', text: 'Nothing was tested.' };
  const failed = rules.some(({ level, verdict }) => level === 'documented' && isBroken({ verdict }));
  const isKnown = (id: string, column: string) => tolerated.has(`${id} ${column}`);
  const implied = rules.filter(
    (rule) =>
      isScored(rule) &&
      rule.level === 'implied' &&
      Object.entries(rule.cells).some(([column, cell]) => isBroken(cell) && !isKnown(rule.id, column)),
  ).length;
  const ofImplied = implied === 0 ? '' : `, but ${formatPlural(implied, 'implied rule')} failed`;
  return {
    kind: implied === 0 ? 'passed' : 'not-testable',
    text: `${failed ? 'No documented rule made the run fail' : 'No documented rule failed'}${ofImplied}.${notes}${describeUntested(results)}`,
  };
}

function wasTested({ verdict }: RuleResult): boolean {
  return verdict === 'passed' || isBroken({ verdict }) || verdict === 'partly-tested';
}

/** An integration is `Not conformant` only if it breaks a rule. */
function getFailedRunConclusion({ rules, columns, incomplete }: Results, reasons: readonly string[]): string {
  if (reasons.every((reason) => reason === incomplete)) return 'The run is incomplete';
  const breaksRule = rules.some(({ level, verdict }) => level !== 'advice' && isBroken({ verdict }));
  return breaksRule || !columns.includes('integration') ? 'Not conformant' : 'The run failed';
}

function describeUntested({ rules, columns }: Results): string {
  const binding = rules.filter(({ level }) => level !== 'advice');
  const tested = binding.filter(({ verdict }) => verdict === 'passed' || isBroken({ verdict })).length;
  if (!columns.includes('integration') || tested === binding.length) return '';
  return ` ${binding.length - tested} of ${binding.length} rules were not fully tested.`;
}

/** If `form` is absent, the failure is tolerated for both the prefixed and the flat paths. */
export interface KnownFailure {
  readonly rule: string;
  readonly form?: PathForm | undefined;
  readonly reason: string;
}

export interface BaselineComparison {
  /** The tolerated failures, each as a rule id and a report column, such as `users.get.shape flat`. */
  readonly tolerated: ReadonlySet<string>;
  /** Baseline entries whose rules were tested and passed. */
  readonly stale: readonly KnownFailure[];
}

/** Failed rules can be tolerated, but errors in the suite cannot. */
export function compareWithBaseline(results: Results, known: readonly KnownFailure[]): BaselineComparison {
  const rules = new Map<string, Results['rules'][number]>(results.rules.map((rule) => [rule.id, rule]));
  const tolerated = new Set<string>();
  const stale: KnownFailure[] = [];
  for (const entry of known) {
    const cells = Object.entries(rules.get(entry.rule)?.cells ?? {}).filter(
      ([column]) => entry.form === undefined || entry.form === column,
    );
    const failed = cells.filter(([, cell]) => isBroken(cell));
    for (const [column] of failed) tolerated.add(`${entry.rule} ${column}`);
    if (failed.length === 0 && cells.some(([, { verdict }]) => verdict === 'passed')) stale.push(entry);
  }
  return { tolerated, stale };
}
