import type { TimelineEntry } from '../contract/generated/results.ts';
import type { IntegrationRuleId } from './rules.ts';

/** The result of one attempt to test a rule. */
export interface RuleOutcome {
  readonly rule: IntegrationRuleId;
  /** A sentence, such as "An older event arrives after a newer one." */
  readonly title: string;
  /**
   * - `not-exercised`: no call or event tested the rule.
   * - `not-testable`: an option or a condition is missing.
   * - `error`: the check itself failed.
   */
  readonly verdict: 'passed' | 'failed' | 'not-exercised' | 'not-testable' | 'error';
  /** Why the rule was not exercised or not testable. */
  readonly reason?: string;
  /** The missing options, such as `--state-url`. */
  readonly missing?: readonly string[];
  /** For `failed`: what was expected, what happened, what to change. For `error`: the error message. */
  readonly message?: string;
  /** The deliveries or requests behind the outcome, oldest first. */
  readonly timeline: readonly TimelineEntry[];
  /** A command that repeats the failure, or only the command's options. */
  readonly replay?: string;
}
