import type { Column, Results, RuleResult } from '../contract/generated/results.ts';
import { findDifferences, type VerdictChange } from './diff.ts';
import { countTotals, isDocumented, isScored, listFailureReasons, type Totals } from './totals.ts';

/** A rule whose verdict changed between two neighbouring runs. */
export interface RuleChange extends Omit<VerdictChange, 'column'> {
  readonly columns: readonly Column[];
  readonly resource: string;
}

export interface MatrixRun {
  /** The target's version, or the date of the run if the version is not known. */
  readonly version: string;
  readonly date: string;
  /** Whether the run ended without a reason to fail, by the default criteria. */
  readonly succeeded: boolean;
  readonly totals: Totals;
  /** By resource. */
  readonly sections: ReadonlyMap<string, Totals>;
  /** The run before it; undefined for the first. */
  readonly previous?: string;
  /** Rules that passed in the run before, at least partly, and do not pass any more. */
  readonly broken: readonly RuleChange[];
  readonly fixed: readonly RuleChange[];
  /** Other changes, such as of rules that only one of the runs tested. */
  readonly other: readonly RuleChange[];
}

export interface MatrixTarget {
  readonly name: string;
  readonly resources: readonly string[];
  /** The oldest first. */
  readonly runs: readonly MatrixRun[];
}

/** Groups runs by target, and compares each run with the one before it. */
export function createMatrix(all: readonly Results[]): MatrixTarget[] {
  const sorted = all.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
  const groups = Map.groupBy(sorted, ({ target: { kind, name, baseUrl } }) => JSON.stringify([kind, name ?? baseUrl]));
  return [...groups.values()].map((group) => {
    const { name, baseUrl } = group[0]!.target;
    const resources = [...new Set(group.flatMap(({ rules }) => rules.map(({ resource }) => resource)))];
    return { name: name ?? baseUrl, resources, runs: group.map((results, index) => createRun(results, group[index - 1])) };
  });
}

const getVersion = ({ target, startedAt }: Results): string => target.version ?? startedAt.slice(0, 10);

function createRun(results: Results, previous: Results | undefined): MatrixRun {
  const scored = results.rules.filter(isCounted);
  const { worse, better, other } = findDifferences(previous ?? results, results);
  const resources = new Map(results.rules.map((rule) => [rule.id as string, rule.resource]));
  const ids = new Set<string>(scored.map(({ id }) => id));
  const isBreach = ({ rule, before }: VerdictChange) => ids.has(rule) && (before === 'passed' || before === 'partly-tested');
  const group = (found: readonly VerdictChange[]): RuleChange[] =>
    [...Map.groupBy(found, ({ rule, before, after }) => `${rule} ${before} ${after}`).values()].map((ofRule) => {
      const { column: _, ...change } = ofRule[0]!;
      return { ...change, columns: ofRule.map(({ column }) => column), resource: resources.get(change.rule) ?? '' };
    });
  return {
    version: getVersion(results),
    date: results.startedAt.slice(0, 10),
    succeeded: listFailureReasons(results, { strict: false, makesRunFail: isDocumented }).length === 0,
    totals: countTotals(scored),
    sections: new Map([...Map.groupBy(scored, ({ resource }) => resource)].map(([resource, rules]) => [resource, countTotals(rules)])),
    ...(previous && { previous: getVersion(previous) }),
    broken: group(worse.filter(isBreach)),
    fixed: group(better),
    other: group([...worse.filter((change) => !isBreach(change)), ...other]),
  };
}

const isCounted = (rule: RuleResult): boolean => rule.level !== 'advice' && isScored(rule);
