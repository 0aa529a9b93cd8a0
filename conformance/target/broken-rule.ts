import type { RuleId } from '../../src/contract/generated/rules.ts';

/** The name of attachments in which a check reports a broken rule other than the rule under test. */
export const BROKEN_RULE_ATTACHMENT = 'broken rule';

/** The body of an attachment named BROKEN_RULE_ATTACHMENT, as JSON. The body may also contain evidence. */
export interface BrokenRule {
  readonly rule: RuleId;
  /**
   * The place where the target breaks the rule, such as "every refusal of getUser". If several reports have the same rule and place, only
   * the first counts.
   */
  readonly where: string;
  readonly message: string;
}
