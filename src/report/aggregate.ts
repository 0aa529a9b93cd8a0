import type { PathForm } from '../contract/generated/operations.ts';
import type { Cell, Check, Observation, RuleResult, Verdict } from '../contract/generated/results.ts';
import { withProfileMember } from './profile-members.ts';
import type { RuleInScope } from './scope.ts';

/** The result of a check for one rule in one path form. A check can test several rules. */
export interface Finding {
  readonly rule: string;
  readonly form: PathForm;
  readonly check: Check;
}

/** A rule that a profile excludes, in one path form or in both path forms. */
export interface NotApplicable {
  readonly rule: string;
  readonly reason: string;
  readonly form?: PathForm | undefined;
}

const WORST_FIRST: readonly Verdict[] = ['failed', 'error', 'partly-tested', 'passed', 'not-testable', 'not-applicable'];

/** Returns the worst of several verdicts; undefined if there are no verdicts. */
function worst(verdicts: readonly Verdict[]): Verdict | undefined {
  const found = WORST_FIRST.find((verdict) => verdicts.includes(verdict));
  return found === 'passed' && verdicts.includes('not-testable') ? 'partly-tested' : found;
}

interface Run {
  readonly rules: readonly RuleInScope[];
  readonly forms: readonly PathForm[];
  readonly findings: readonly Finding[];
  readonly notApplicable?: readonly NotApplicable[];
  /** Whether the run was interrupted. An interrupted run may lack the results of some checks. */
  readonly interrupted?: boolean;
}

/** Determines the verdict on each rule in each path form. */
export function aggregate({ rules, forms, findings, notApplicable = [], interrupted = false }: Run): RuleResult[] {
  const checks = Map.groupBy(findings, ({ rule, form }) => `${rule} ${form}`);
  const missing: Cell = {
    verdict: 'not-testable',
    reason: interrupted ? 'the run was interrupted before its checks' : 'the suite has no check of it',
    missing: [],
    checks: [],
  };

  function cell({ id, forms: own }: RuleInScope, form: PathForm): Cell {
    const excluded = notApplicable.find((entry) => entry.rule === id && (entry.form === undefined || entry.form === form));
    if (excluded) return { verdict: 'not-applicable', reason: excluded.reason, missing: [], checks: [] };
    // A rule with the same path in both forms is tested in one form. If a run tests only the other form, the checks of the rule run in the
    // other form.
    if (!own.includes(form) && forms.length > 1) {
      return { verdict: 'not-applicable', reason: 'it has one path in both forms', missing: [], checks: [] };
    }
    const found = (checks.get(`${id} ${form}`) ?? []).map(({ check }) => check);
    return found.length === 0 ? missing : cellOf(found);
  }

  return rules.map((rule) => {
    const cells = Object.fromEntries(forms.map((form) => [form, cell(rule, form)])) as Record<PathForm, Cell>;
    const { id, text, level, section, resource } = rule;
    return { id, text, level, section, resource, verdict: verdictOf(cells), cells };
  });
}

/** Returns the verdict on a rule. @param cells the result of the rule in each path form */
export function verdictOf(cells: RuleResult['cells']): Verdict {
  return worst(Object.values(cells).map(({ verdict }) => verdict)) ?? 'not-testable';
}

/** Returns the result of a rule in one path form. @param checks at least one check */
export function cellOf(checks: readonly Check[]): Cell {
  const verdict = worst(checks.map((check) => check.verdict)) as Verdict;
  const missing = [...new Set(checks.flatMap((check) => check.missing ?? []))].sort();
  const lack = missing.length > 0 ? [`the target does not give ${missing.map(withProfileMember).join(', ')}`] : [];
  const untested = verdict === 'partly-tested' ? 'not-testable' : verdict;
  const reasons = new Set([...lack, ...checks.flatMap((check) => (check.verdict === untested ? (check.reason ?? []) : []))]);
  const isUntested = untested === 'not-testable' || untested === 'not-applicable';
  return { verdict, ...(isUntested && reasons.size > 0 && { reason: [...reasons].join('; ') }), missing, checks };
}

/** Groups observations by decision and value. */
export function gatherObservations(seen: readonly { decision: string; value: Observation['value']; form: PathForm }[]): Observation[] {
  const groups = Map.groupBy(seen, ({ decision, value }) => JSON.stringify([decision, value]));
  return [...groups.values()]
    .map((group) => {
      const { decision, value } = group[0] as (typeof seen)[number];
      return { decision, value, forms: [...new Set(group.map(({ form }) => form))].sort().reverse() };
    })
    .sort((a, b) => a.decision.localeCompare(b.decision, 'en') || String(a.value).localeCompare(String(b.value), 'en'));
}
