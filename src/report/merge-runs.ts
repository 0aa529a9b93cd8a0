import type { Cell, Check, Column, Results, RuleResult, Verdict } from '../contract/generated/results.ts';
import { computeVerdict, groupObservations } from './aggregate.ts';
import { VERDICT_WORDS } from './verdicts.ts';

/**
 * Merges the results of several runs of the suite against one target. A rule whose verdicts differ is flaky, and has the evidence of a run
 * in which a check failed and of a run in which the check passed.
 * @param runs at least one run, each with the same columns
 */
export function mergeRuns(runs: readonly Results[]): Results {
  const [first] = runs as readonly [Results];
  const ids = new Set(runs.flatMap(({ rules }) => rules.map(({ id }) => id)));
  const seen = runs.flatMap(({ observations }) => observations.flatMap(({ forms, ...each }) => forms.map((form) => ({ ...each, form }))));
  const notes = [...new Set(runs.flatMap((run) => run.notes ?? []))];
  return {
    ...first,
    ...(runs.length > 1 && { runs: runs.length }),
    interrupted: runs.some(({ interrupted }) => interrupted),
    durationMs: runs.reduce((sum, { durationMs }) => sum + durationMs, 0),
    rules: [...ids].map((id) => mergeRule(runs.map(({ rules }) => rules.find((rule) => rule.id === id)))),
    observations: groupObservations(seen),
    leftovers: runs.flatMap(({ leftovers }) => leftovers),
    errors: runs.flatMap(({ errors }) => errors),
    ...(notes.length > 0 && { notes }),
  };
}

/** @param results undefined for a run that tested only other rules, because a check of another rule found the rule broken */
function mergeRule(results: readonly (RuleResult | undefined)[]): RuleResult {
  const known = results.find((each) => each !== undefined)!;
  const columns = Object.keys(known.cells) as Column[];
  const cells = Object.fromEntries(columns.map((column) => [column, mergeCells(results.map((each) => each?.cells[column]))]));
  return { ...known, cells, verdict: computeVerdict(cells) };
}

function mergeCells(cells: readonly (Cell | undefined)[]): Cell {
  const verdicts = cells.map((each) => each?.verdict);
  const decisive = cells.filter((each) => !each?.checks.some(({ inconclusive }) => inconclusive));
  const known = [...decisive, ...cells].find((each) => each !== undefined)!;
  if (new Set(decisive.map((each) => each?.verdict)).size <= 1) {
    const isPartly = known.verdict === 'passed' && decisive.length < cells.length;
    const checks = known.checks.map(({ exchange: _, ...check }) => check);
    return { ...known, checks, ...(isPartly && { verdict: 'partly-tested', reason: describeVerdicts(verdicts) }) };
  }
  const titles = new Set(cells.flatMap((each) => each?.checks.map(({ title }) => title) ?? []));
  const checks = [...titles].map((title) => mergeChecks(cells.map((each) => each?.checks.find((check) => check.title === title))));
  return { ...known, verdict: 'flaky', reason: describeVerdicts(verdicts), checks };
}

function mergeChecks(results: readonly (Check | undefined)[]): Check {
  const known = results.find((each) => each !== undefined)!;
  const verdicts = results.map((each) => each?.verdict);
  const { exchange: _, ...check } = known;
  if (new Set(verdicts).size === 1) return check;
  const { title, place } = known;
  const { failure, reason, exchange }: Partial<Check> = Object.assign({}, ...results.toReversed());
  const message = [describeVerdicts(verdicts), failure?.message ?? reason].filter((text) => text !== undefined).join('\n');
  return { title, ...(place && { place }), verdict: 'flaky', failure: { ...failure, message }, ...(exchange && { exchange }) };
}

/** Such as "Passed in the runs 1 and 3, failed in run 2." */
function describeVerdicts(verdicts: readonly (Verdict | undefined)[]): string {
  const groups = [...Map.groupBy(verdicts.keys(), (index) => verdicts[index])].map(([verdict, indices]) => {
    const runs = indices.map((index) => index + 1);
    const list = runs.length === 1 ? `run ${runs[0]}` : `the runs ${runs.slice(0, -1).join(', ')} and ${runs.at(-1)}`;
    return `${verdict === undefined ? 'not found' : VERDICT_WORDS[verdict]} in ${list}`;
  });
  const text = groups.join(', ');
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
