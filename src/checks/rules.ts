import { didYouMean } from '../contract/did-you-mean.ts';
import type { IntegrationRuleIds, Rule } from '../contract/generated/rules.ts';
import { rules } from '../contract/generated/rules-table.ts';
import { UsageError } from '../control-client/errors.ts';

export type WebhookRuleId = IntegrationRuleIds['consumer'];

export type ClientRuleId = IntegrationRuleIds['client'];

export type IntegrationRuleId = WebhookRuleId | ClientRuleId;

export const CHECK_BY_ACTOR = { consumer: 'webhook', client: 'client' } as const satisfies Record<keyof IntegrationRuleIds, string>;

export type CheckName = (typeof CHECK_BY_ACTOR)[keyof typeof CHECK_BY_ACTOR];

/** Whether a failed rule means that the integration is wrong. A consumer whose final state is wrong breaks one of these rules of any level. */
export function isDecisive({ id, level }: { readonly id: string; readonly level: Rule['level'] }): boolean {
  return level === 'documented' || (level === 'implied' && FINAL_STATE_RULE.test(id));
}

const FINAL_STATE_RULE = /^events\.(consumer\.|endpoint\.acknowledges-what-it-keeps$)/;

/** @throws UsageError if the check has no rule with one of these ids */
export function requireRules(check: CheckName, ids: readonly string[] = []): void {
  const known = listRulesOfCheck(check).map(({ id }) => id as string);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown !== undefined) throw new UsageError(`No rule of the ${check} check has the id "${unknown}".${didYouMean(unknown, known)}`);
}

export function listRulesOfCheck(check: CheckName): readonly (Rule & { readonly id: IntegrationRuleId })[] {
  return (Object.entries(rules) as [IntegrationRuleId, Rule][])
    .filter(
      ([, { actor, untestable }]) =>
        untestable === undefined && actor in CHECK_BY_ACTOR && CHECK_BY_ACTOR[actor as keyof typeof CHECK_BY_ACTOR] === check,
    )
    .map(([id, rule]) => ({ ...rule, id }));
}
