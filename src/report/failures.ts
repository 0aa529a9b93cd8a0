import type { PathForm } from '../contract/generated/operations.ts';
import type { Check, Results, RuleResult } from './results.ts';

/** A check that failed, or that ended in an error of the suite, with what it judged. */
export interface FailedCheck {
  readonly rule: RuleResult;
  readonly check: Check;
  /** The forms in which it came out so, with the same title. */
  readonly forms: readonly PathForm[];
}

/** Failures by rule and check: where both forms fail alike, once. */
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
