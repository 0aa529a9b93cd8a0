import { didYouMean } from '../../contract/did-you-mean.ts';
import type { DecisionId } from '../../contract/generated/decisions.ts';
import { decisions } from '../../contract/generated/decisions-table.ts';
import { type GateId, gates } from '../../contract/generated/gates.ts';
import type { OperationId } from '../../contract/generated/operations.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import type { Refusal, Refusals, RefusalTable } from '../../refusals/refusal.ts';
import type { Scenario } from '../../refusals/scenario.ts';
import { findOperation, hasRefusals, refusals } from '../../refusals/table.ts';
import { buildDemoRequest } from './demo-requests.ts';
import { oauthScenarios } from './oauth.ts';

export interface NamedScenario {
  /** The id of the rule, decision or gate, followed by `/2` for its second scenario. */
  readonly id: string;
  readonly rule: string;
  /** Undefined for the authorization server and unknown paths. */
  readonly operation: OperationId | undefined;
  readonly scenario: Scenario;
  readonly expected: { readonly status: number; readonly reason: string | null };
}

export function describeRule(id: string): { readonly text: string; readonly level: string; readonly section: string } {
  if (Object.hasOwn(rules, id)) return rules[id as RuleId];
  if (Object.hasOwn(gates, id)) return { text: gates[id as GateId].text, level: 'kit', section: '' };
  const { question, section } = decisions[id as keyof typeof decisions];
  return { text: question, level: 'open', section };
}

/** The scenarios of a rule, decision or gate, the simplest first, or why it has none. */
export interface RuleScenarios {
  readonly id: string;
  readonly scenarios: readonly NamedScenario[];
  /** The rule whose scenario also shows this rule. */
  readonly metWith?: RuleId;
  readonly reason?: string;
}

const table: RefusalTable = { ...refusals, ...oauthScenarios };
export const ruleScenarios: readonly RuleScenarios[] = (Object.entries(table) as [string, Refusals][])
  .map(([id, entry]) =>
    hasRefusals(entry)
      ? { id, scenarios: entry.filter(({ title }) => title !== undefined).map((refusal, index) => nameScenario(id, refusal, index)) }
      : { id, scenarios: [], ...entry },
  )
  .filter((rule) => rule.scenarios.length > 0 || 'metWith' in rule || 'reason' in rule);

export function listScenarios(operation?: OperationId): NamedScenario[] {
  const all = ruleScenarios.flatMap(({ scenarios }) => scenarios);
  return all.flatMap((named) => {
    if (operation === undefined || named.operation === operation) return [named];
    const ofRule = Object.hasOwn(rules, named.rule) ? (rules[named.rule as RuleId].operations ?? []) : [];
    return ofRule.includes(operation) && named.id === named.rule ? [adaptToOperation(named, operation)] : [];
  });
}

export function findScenario(name: string, operation?: OperationId): NamedScenario | { readonly problem: string } {
  const found = listScenarios(operation).find(({ id }) => id === name);
  if (found) return found;
  const rule = ruleScenarios.find(({ id }) => id === name);
  if (rule?.metWith) {
    const other = findScenario(rule.metWith, operation);
    return 'scenario' in other ? { ...other, rule: name } : other;
  }
  if (rule?.reason) return { problem: `${name} has no scenario. ${rule.reason}` };
  if (rule) return { problem: `${name} does not apply to the operation ${operation}.` };
  const names = listScenarios().map(({ id }) => id);
  return { problem: `There is no scenario "${name}".${didYouMean(name, names) || ' List them with: xpk scenario list'}` };
}

function nameScenario(rule: string, refusal: Refusal, index: number): NamedScenario {
  const { title = '', answer = rule, status = findStatus(rule) } = refusal;
  const operation = findOperation(rule, refusal);
  const request = { path: '', ...(operation && buildDemoRequest(operation, refusal)), ...refusal.request };
  return {
    id: index === 0 ? rule : `${rule}/${index + 1}`,
    rule,
    operation,
    scenario: { ...refusal, title, request },
    expected: { status: Number(status), reason: answer },
  };
}

/** The status in the contract, or that of the decision's default. Undefined for what is not generated yet. */
function findStatus(id: string) {
  return rules[id as RuleId]?.status ?? gates[id as GateId]?.status ?? decisions[id as DecisionId]?.default;
}

function adaptToOperation(named: NamedScenario, operation: OperationId): NamedScenario {
  const { token } = named.scenario.request;
  const request = { ...buildDemoRequest(operation), ...(token !== undefined && { token }) };
  return { ...named, operation, scenario: { ...named.scenario, request } };
}
