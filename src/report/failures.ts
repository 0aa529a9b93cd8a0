import type { PathForm } from '../contract/generated/operations.ts';
import type { Check, Results, RuleResult } from './results.ts';

/** A check that failed or ended in an error, and its rule. */
export interface FailedCheck {
  readonly rule: RuleResult;
  readonly check: Check;
  /** The forms in which the check ended this way. */
  readonly forms: readonly PathForm[];
}

/** Failed checks. A check that failed in both forms is listed once. */
export function failedChecks({ rules }: Results, verdict: 'failed' | 'error'): FailedCheck[] {
  return rules.flatMap((rule) => {
    const found = Object.entries(rule.cells).flatMap(([form, { checks }]) =>
      checks.filter((check) => check.verdict === verdict).map((check) => ({ form: form as PathForm, check })),
    );
    const groups = Map.groupBy(found, ({ check }) => check.title);
    return [...groups.values()].map((group) => {
      const [first] = group as [(typeof found)[number]];
      return { rule, check: first.check, forms: group.map(({ form }) => form) };
    });
  });
}
