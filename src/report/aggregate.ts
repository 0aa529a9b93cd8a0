import type { PathForm } from '../contract/generated/operations.ts';
import type { Cell, Check, Column, Observation, RuleResult, Verdict } from '../contract/generated/results.ts';
import { addProfileMember, isCommandOption } from './profile-members.ts';
import type { RuleInScope } from './scope.ts';

export interface RuleCheck {
  readonly rule: string;
  readonly column: Column;
  readonly check: Check;
}

/** If `form` is absent, the rule is excluded for both the prefixed and the flat paths. */
export interface ExcludedRule {
  readonly rule: string;
  readonly reason: string;
  readonly form?: PathForm | undefined;
}

const VERDICTS_WORST_FIRST: readonly Verdict[] = [
  'failed',
  'flaky',
  'error',
  'partly-tested',
  'passed',
  'not-testable',
  'not-exercised',
  'not-applicable',
];

export function isUntested(verdict: Verdict): boolean {
  return verdict === 'not-testable' || verdict === 'not-exercised';
}

function findWorstVerdict(verdicts: readonly Verdict[]): Verdict | undefined {
  const found = VERDICTS_WORST_FIRST.find((verdict) => verdicts.includes(verdict));
  return found === 'passed' && verdicts.some(isUntested) ? 'partly-tested' : found;
}

interface AggregateOptions {
  readonly rules: readonly RuleInScope[];
  readonly columns: readonly Column[];
  readonly findings: readonly RuleCheck[];
  readonly notApplicable?: readonly ExcludedRule[];
  /** An interrupted run may lack the results of some checks. */
  readonly interrupted?: boolean;
}

export function aggregate({ rules, columns, findings, notApplicable = [], interrupted = false }: AggregateOptions): RuleResult[] {
  const checks = Map.groupBy(findings, ({ rule, column }) => `${rule} ${column}`);
  const missing: Cell = {
    verdict: 'not-testable',
    reason: interrupted ? 'the run was interrupted before the checks of this rule' : 'the suite has no check for this rule',
    missing: [],
    checks: [],
  };

  function createCell({ id, columns: own }: RuleInScope, column: Column): Cell {
    const excluded = notApplicable.find((entry) => entry.rule === id && (entry.form === undefined || entry.form === column));
    if (excluded) return { verdict: 'not-applicable', reason: excluded.reason, missing: [], checks: [] };
    if (!own.includes(column) && columns.length > 1) {
      return { verdict: 'not-applicable', reason: "the rule's path is the same in both path forms", missing: [], checks: [] };
    }
    const found = (checks.get(`${id} ${column}`) ?? []).map(({ check }) => check);
    return found.length === 0 ? missing : toCell(found);
  }

  return rules.map((rule) => {
    const cells = Object.fromEntries(columns.map((column) => [column, createCell(rule, column)])) as RuleResult['cells'];
    const { id, text, level, section, resource } = rule;
    return { id, text, level, section, resource, verdict: computeVerdict(cells), cells };
  });
}

export function computeVerdict(cells: RuleResult['cells']): Verdict {
  return findWorstVerdict(Object.values(cells).map(({ verdict }) => verdict)) ?? 'not-testable';
}

/** @param checks at least one check */
export function toCell(checks: readonly Check[]): Cell {
  const verdict = findWorstVerdict(checks.map((check) => check.verdict)) as Verdict;
  const missing = [...new Set(checks.flatMap((check) => check.missing ?? []))].sort();
  const [options, capabilities] = [missing.filter(isCommandOption), missing.filter((each) => !isCommandOption(each))];
  const lack = capabilities.length > 0 ? [`the target does not provide ${capabilities.map(addProfileMember).join(', ')}`] : [];
  const explains = verdict === 'not-applicable' ? (each: Verdict) => each === verdict : isUntested;
  const reasons = new Set([...lack, ...checks.flatMap((check) => (explains(check.verdict) ? (check.reason ?? []) : []))]);
  const needsReason = verdict === 'partly-tested' || verdict === 'not-applicable' || isUntested(verdict);
  const reason = appendMissingOptions([...reasons].join('; '), options);
  return { verdict, ...(needsReason && reason !== '' && { reason }), missing, checks };
}

function appendMissingOptions(reason: string, options: readonly string[]): string {
  if (options.length === 0) return reason;
  if (reason.endsWith('.')) return `${reason} Not given: ${options.join(', ')}.`;
  return `${reason}${reason === '' ? '' : '; '}not given: ${options.join(', ')}`;
}

export function groupObservations(seen: readonly { decision: string; value: Observation['value']; form: PathForm }[]): Observation[] {
  const groups = Map.groupBy(seen, ({ decision, value }) => JSON.stringify([decision, value]));
  return [...groups.values()]
    .map((group) => {
      const { decision, value } = group[0] as (typeof seen)[number];
      return { decision, value, forms: [...new Set(group.map(({ form }) => form))].sort().reverse() };
    })
    .sort((a, b) => a.decision.localeCompare(b.decision, 'en') || String(a.value).localeCompare(String(b.value), 'en'));
}
