import type { components } from '../contract/generated/control.ts';
import type { DecisionId } from '../contract/generated/decisions.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { type RuleId, statusOf } from '../contract/generated/rules.ts';
import type { ControlHandlers } from './handler.ts';

type RuleTable = typeof import('../contract/generated/rules-table.ts')['rules'];
type Schemas = components['schemas'];

/** @param rules the table of rules, which is large */
export function listDocumentedRefusals(operationId: OperationId, rules: RuleTable): Schemas['DocumentedRefusal'][] {
  return (Object.entries(statusOf[operationId]) as [RuleId, number][])
    .filter(([, status]) => status >= 400)
    .map(([rule, status]) => {
      const { text, level, section } = rules[rule];
      return { status, rule, text, level, section };
    })
    .sort((one, other) => one.status - other.status);
}

/** Loads the large text tables on demand. */
export const contractHandlers: Pick<ControlHandlers, 'listOperations' | 'listDecisions'> = {
  async listOperations() {
    const { rules } = await import('../contract/generated/rules-table.ts');
    const body = (Object.keys(operations) as OperationId[]).map((operationId): Schemas['ServiceOperation'] => {
      const { method, paths, scope, statuses } = operations[operationId];
      const refusals = listDocumentedRefusals(operationId, rules);
      const name = method.toUpperCase() as Schemas['ServiceOperation']['method'];
      return { operationId, method: name, path: paths[0], scope, statuses: [...statuses], refusals };
    });
    return { status: 200, body };
  },
  async listDecisions(_, { decisions: inForce }) {
    const { decisions } = await import('../contract/generated/decisions-table.ts');
    const body = (Object.keys(decisions) as DecisionId[]).map((id): Schemas['DecisionInForce'] => {
      const { question, section, default: standard, alternatives = [], means } = decisions[id];
      const others = [standard, ...alternatives].filter((value) => value !== inForce[id]);
      return { id, question, section, inForce: inForce[id], default: standard, alternatives: others, means };
    });
    return { status: 200, body };
  },
};
