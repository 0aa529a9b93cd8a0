import type { RuleId } from '../../src/contract/generated/rules.ts';

/** The name of the attachments with which a check reports that the target breaks a rule that the check is not about. */
export const BROKEN_RULE = 'broken rule';

/** The body of such an attachment, as JSON. It may also contain evidence. */
export interface BrokenRule {
  readonly rule: RuleId;
  /** Where it shows: "every refusal of getUser". Only the first of several reports of a rule with the same text counts. */
  readonly where: string;
  readonly message: string;
}
