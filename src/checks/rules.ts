import type { IntegrationRuleIds, Rule } from '../contract/generated/rules.ts';
import { rules } from '../contract/generated/rules-table.ts';

/** The rules that `xpk check webhook` tests. */
export type WebhookRuleId = IntegrationRuleIds['consumer'];

/** The rules that `xpk check client` tests. */
export type ClientRuleId = IntegrationRuleIds['client'];

export type IntegrationRuleId = WebhookRuleId | ClientRuleId;

/** Which check tests the rules for an actor. */
export const checkOf = { consumer: 'webhook', client: 'client' } as const satisfies Record<keyof IntegrationRuleIds, string>;

export type CheckName = (typeof checkOf)[keyof typeof checkOf];

/** The rules that a check tests, in the order of the contract. Rules that cannot be judged from outside are left out. */
export function rulesOfCheck(check: CheckName): readonly (Rule & { readonly id: IntegrationRuleId })[] {
  return (Object.entries(rules) as [IntegrationRuleId, Rule][])
    .filter(([, { actor, untestable }]) => untestable === undefined && actor in checkOf && checkOf[actor as keyof typeof checkOf] === check)
    .map(([id, rule]) => ({ ...rule, id }));
}
