import type { RuleId } from '../../src/contract/generated/rules.ts';

/** The name of attachments that report a broken rule other than the one under test. */
export const BROKEN_RULE_ATTACHMENT = 'broken rule';

export interface BrokenRule {
  readonly rule: RuleId;
  /** Where the target breaks the rule, such as "every refusal of getUser". Reports with the same rule and `where` count as one. */
  readonly where: string;
  readonly message: string;
}
