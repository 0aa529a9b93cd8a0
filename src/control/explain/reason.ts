import type { components } from '../../contract/generated/control.ts';
import type { DecisionId, Decisions } from '../../contract/generated/decisions.ts';
import { gates } from '../../contract/generated/gates.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import type { SentRequest } from './sent-request.ts';

type Reason = components['schemas']['ExplainedReason'];

export async function describeReason({ entry, problemId: id }: SentRequest, decisions: Decisions): Promise<Reason | undefined> {
  const { problem, door } = entry;
  if (problem && door === 'authorization' && (id === undefined || id === 'oauth.error-body'))
    return { id: problem.title, kind: 'oauth', text: problem.detail ?? problem.title };
  if (id === undefined) return undefined;
  if (Object.hasOwn(gates, id)) return { id, kind: 'gate', text: gates[id as keyof typeof gates].text };
  // The tables are large, so they are loaded on demand.
  const { rules } = await import('../../contract/generated/rules-table.ts');
  if (Object.hasOwn(rules, id)) {
    const { text, level, section } = rules[id as RuleId];
    return { id, kind: 'rule', text, level, section };
  }
  const { decisions: table } = await import('../../contract/generated/decisions-table.ts');
  if (!Object.hasOwn(table, id)) return undefined;
  const { question, section, default: standard, alternatives = [] } = table[id as DecisionId];
  const inForce = decisions[id as DecisionId];
  const others = [standard, ...alternatives].filter((value) => value !== inForce);
  return { id, kind: 'decision', text: question, section, inForce, alternatives: others };
}
