import type { RuleOutcome } from '../checks/outcome.ts';
import type { IntegrationRuleId, WebhookRuleId } from '../checks/rules.ts';
import type { WebhookCheckOptions } from '../checks/webhook/check-webhook.ts';
import type { EventHandler } from './event-types.ts';

export interface FindingsOptions {
  /** The rule levels to include. The default is `documented`, and in `checkWebhook` also the rules about the consumer's final state. */
  readonly levels?: readonly ('documented' | 'implied' | 'advice')[];
  /** Whether a partly read list breaks a rule. The default is false. */
  readonly wholeLists?: boolean;
}

/** A rule that the code under test breaks. */
export interface Finding {
  /** The rule's id. docs/rules.md has the rule's text. */
  readonly rule: IntegrationRuleId;
  readonly level: 'documented' | 'implied' | 'advice';
  /** What the check did, or what the client sent. */
  readonly title: string;
  /** What was expected, what happened, and what to change. */
  readonly message: string;
  /** The calls or deliveries that led to the finding. `>` marks a line that breaks the rule. */
  readonly timeline: readonly string[];
  /** The options of `xpk check webhook` that repeat a failed random sequence. */
  readonly replay?: string;
}

export interface WebhookOptions extends Omit<WebhookCheckOptions, 'kit' | 'url' | 'rules'>, Pick<FindingsOptions, 'levels'> {
  /** The URL of the endpoint to test, or an event handler. During the check, the kit's subscriptions send nothing to this URL. */
  readonly url: string | EventHandler;
  /** The rules to test. The default is all rules for consumers and endpoints. */
  readonly rules?: readonly WebhookRuleId[];
}

export interface WebhookReport {
  readonly findings: readonly Finding[];
  /** What was not tested, and why. Rules about stored state are tested only if `state` is set. */
  readonly untested: readonly { readonly rule: IntegrationRuleId; readonly title: string; readonly reason: string }[];
  readonly outcomes: readonly RuleOutcome[];
  /** Observations that break no rule. */
  readonly notes: readonly string[];
}
