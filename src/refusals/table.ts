import type { DecisionId } from '../contract/generated/decisions.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import type { RuleId } from '../contract/generated/rules.ts';
import { rules } from '../contract/generated/rules-table.ts';
import { assignmentRefusals } from './assignments.ts';
import { connectionRefusals } from './connections.ts';
import type { Refusal, Refusals } from './refusal.ts';
import { requestRefusals } from './requests.ts';
import { userRefusals } from './users.ts';

/** By the id of the rule, decision or gate that refuses the request. */
export const refusals = { ...assignmentRefusals, ...connectionRefusals, ...userRefusals, ...requestRefusals };

export const hasRefusals = (entry: Refusals): entry is Extract<Refusals, readonly unknown[]> => Array.isArray(entry);

/** Returns undefined for a request to the authorization server or to an unknown path. */
export const findOperation = (id: string, { operation }: Refusal): OperationId | undefined =>
  operation ?? rules[id as RuleId]?.operations?.[0];

/** A refusal that a server with any world must show. */
interface RefusalOf<Id extends string> {
  readonly id: Id;
  readonly operation: OperationId;
  readonly refusal: Refusal;
  readonly statuses: readonly number[];
}

const general = (Object.entries(refusals) as readonly (readonly [string, Refusals])[]).flatMap(([id, entry]) =>
  (hasRefusals(entry) ? entry : []).flatMap((refusal): RefusalOf<string>[] => {
    const operation = findOperation(id, refusal);
    const status = rules[id as RuleId]?.status;
    const { statuses = status === undefined ? [] : [Number(status)] } = refusal;
    return refusal.demo || operation === undefined ? [] : [{ id, operation, refusal, statuses }];
  }),
);
const isOfRule = (found: RefusalOf<string>): found is RefusalOf<RuleId> => Object.hasOwn(rules, found.id);

export const ruleRefusals: readonly RefusalOf<RuleId>[] = general.filter(isOfRule);
export const decisionRefusals = general.filter((found) => !isOfRule(found)) as readonly RefusalOf<DecisionId>[];
