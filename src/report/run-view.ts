import { formatPlural } from '../contract/format-plural.ts';
import type { DecisionId } from '../contract/generated/decisions.ts';
import { type Decision, decisions } from '../contract/generated/decisions-table.ts';
import type { Cell, Check, Column, Results, RuleResult, Verdict } from '../contract/generated/results.ts';
import { isUntested } from './aggregate.ts';
import { formatObservedValue } from './decisions-file.ts';
import { addProfileMember, describeProfileMember } from './profile-members.ts';
import { concludeRun, countTotals, isScored } from './totals.ts';
import { VERDICTS } from './verdicts.ts';

interface ViewOptions {
  readonly failureReasons?: readonly string[];
  /** The tolerated failures, such as `users.get.shape flat` for the rule `users.get.shape` with flat paths. */
  readonly tolerated?: ReadonlySet<string>;
}

export interface FailedCheck {
  readonly rule: RuleResult;
  readonly check: Check;
  readonly columns: readonly Column[];
}

interface Suggestion {
  readonly sentence: string;
  readonly capabilities: readonly string[];
}

export type RunView = ReturnType<typeof createRunView>;

/** Returns what every report shows about a run, in the words and in the order in which the reports show it. */
export function createRunView(results: Results, { failureReasons = [], tolerated = new Set() }: ViewOptions = {}) {
  const { durationMs, columns, rules } = results;
  const isIntegration = columns.includes('integration');
  const levels: readonly RuleResult['level'][] = isIntegration ? ['documented', 'implied', 'advice'] : ['documented', 'implied'];
  const missingNoun = isIntegration ? 'options' : 'capabilities';
  const scored = rules.filter(isScored);
  const listScored = (verdict: Verdict) =>
    (['documented', 'implied'] as const).flatMap((level) => listFailedChecks(scored, [verdict]).filter(({ rule }) => rule.level === level));
  return {
    ...results,
    title: createTitle(results),
    columnNames: listColumnNames(columns),
    forms: isIntegration ? undefined : `${columns.join(' and ')} paths`,
    seconds: formatSeconds(durationMs),
    facts: listFacts(results),
    toolNoun: isIntegration ? 'check' : 'suite',
    missingNoun,
    possibleVerdicts: VERDICTS.filter(
      (verdict) =>
        !['flaky', isIntegration ? 'not-applicable' : 'not-exercised'].includes(verdict) || rules.some((rule) => rule.verdict === verdict),
    ),
    totals: levels.map((level) => ({ level, totals: countTotals(scored, level) })),
    /** In the order of the contract. */
    resources: [...Map.groupBy(rules, ({ resource }) => resource)],
    isTolerated: (rule: string, column: Column) => tolerated.has(`${rule} ${column}`),
    /** The documented rules first, because they decide whether the run fails. */
    failed: listScored('failed'),
    flaky: listScored('flaky'),
    advice: listFailedChecks(scored, ['failed']).filter(({ rule }) => rule.level === 'advice'),
    /** What is not as the rules require that are not part of the requirements. */
    unscored: listFailedChecks(
      rules.filter((rule) => !isScored(rule)),
      ['failed', 'flaky', 'error'],
    ),
    erroneous: listFailedChecks(scored, ['error']),
    missing: countCauses(results, isIncomplete, ({ missing }) => missing).map(([capability, count]) => ({
      capability,
      rules: formatPlural(count, 'rule'),
      source: describeProfileMember(capability),
    })),
    otherReasons: countCauses(results, (rule) => isIncomplete(rule) && rule.verdict !== 'not-exercised', listOtherReasons).map(
      ([reason, count]) => ({
        reason,
        rules: formatPlural(count, 'rule'),
      }),
    ),
    suggestion: suggestCapabilities(results, missingNoun),
    observed: results.observations.map((seen) => {
      const known: Decision | undefined = decisions[seen.decision as DecisionId];
      return { ...seen, known, text: formatObservedValue(seen) };
    }),
    timeLimited: summarizeTimeLimitedRules(results),
    conclusion: concludeRun(results, failureReasons, tolerated),
  };
}

function listFacts({ target: { version }, requirements, runs }: Results): readonly string[] {
  return [
    ...(version === undefined ? [] : [`version ${version}`]),
    ...(requirements?.name === undefined ? [] : [`requirements ${requirements.name}`]),
    ...(runs === undefined ? [] : [`${runs} runs`]),
  ];
}

export function createTitle({ target: { kind, name, baseUrl } }: Pick<Results, 'target'>): string {
  const subject = name ?? baseUrl;
  if (kind === 'webhook') return `Check of the webhook endpoint ${subject}`;
  return kind === 'client' ? `Check of the client ${subject}` : `Conformance of ${subject}`;
}

/** The column of an integration has no name. */
export function listColumnNames(columns: readonly Column[]): readonly string[] {
  return columns.filter((column) => column !== 'integration');
}

export function formatSeconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}

function listOtherReasons(cell: Cell): readonly string[] {
  const results = cell.checks.length === 0 ? [cell] : cell.checks;
  return results.flatMap(({ verdict, reason, missing = [] }) =>
    isUntested(verdict) && reason !== undefined && missing.length === 0 ? [reason] : [],
  );
}

function isIncomplete({ verdict }: RuleResult): boolean {
  return isUntested(verdict) || verdict === 'partly-tested';
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

function suggestCapabilities({ rules }: Results, noun: string): Suggestion | undefined {
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
  const sentence = `With these ${noun}, the run can probably test ${formatPlural(most, 'more rule')} fully:`;
  return { sentence, capabilities: [...new Set(best)].map(addProfileMember) };
}

/** What a reader has to know about a rule that is not simply documented: that it is implied, or why it does not affect the exit status. */
export function listRuleNotes({ level, unscored }: RuleResult): readonly string[] {
  return [...(level === 'documented' ? [] : [level]), ...(unscored === undefined ? [] : [`not scored: ${unscored}`])];
}

export function getUnscoredTitle({ requirements }: Pick<Results, 'requirements'>): string {
  return `Not part of the requirements ${requirements?.name ?? ''}, and without effect on the exit status`;
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

function summarizeTimeLimitedRules({ rules }: Results): string | undefined {
  const count = rules.filter(
    ({ verdict, cells }) => verdict === 'passed' && Object.values(cells).some(({ checks }) => checks.some((check) => check.bounded)),
  ).length;
  return count === 0 ? undefined : `Rules that passed because no forbidden event or response arrived while the suite waited: ${count}.`;
}

/** Lists each check with one of the verdicts once, even if it has the verdict in several columns. */
function listFailedChecks(rules: readonly RuleResult[], verdicts: readonly Verdict[]): FailedCheck[] {
  return rules.flatMap((rule) => {
    const found = Object.entries(rule.cells).flatMap(([column, { checks }]) =>
      checks.filter((check) => verdicts.includes(check.verdict)).map((check) => ({ column: column as Column, check })),
    );
    const groups = Map.groupBy(found, ({ check }) => check.title);
    return [...groups.values()].map((group) => {
      const [first] = group as [(typeof found)[number]];
      return { rule, check: first.check, columns: group.map(({ column }) => column) };
    });
  });
}
