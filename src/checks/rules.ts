import type { IntegrationRuleIds, Rule } from '../contract/generated/rules.ts';
import { rules } from '../contract/generated/rules-table.ts';

export type WebhookRuleId = IntegrationRuleIds['consumer'];

export type ClientRuleId = IntegrationRuleIds['client'];

export type IntegrationRuleId = WebhookRuleId | ClientRuleId;

export const CHECK_BY_ACTOR = { consumer: 'webhook', client: 'client' } as const satisfies Record<keyof IntegrationRuleIds, string>;

export type CheckName = (typeof CHECK_BY_ACTOR)[keyof typeof CHECK_BY_ACTOR];

export function listRulesOfCheck(check: CheckName): readonly (Rule & { readonly id: IntegrationRuleId })[] {
  return (Object.entries(rules) as [IntegrationRuleId, Rule][])
    .filter(
      ([, { actor, untestable }]) =>
        untestable === undefined && actor in CHECK_BY_ACTOR && CHECK_BY_ACTOR[actor as keyof typeof CHECK_BY_ACTOR] === check,
    )
    .map(([id, rule]) => ({ ...rule, id }));
}
