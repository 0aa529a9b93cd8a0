import { didYouMean } from '../../contract/did-you-mean.ts';
import { decisions } from '../../contract/generated/decisions-table.ts';
import { type GateId, gates } from '../../contract/generated/gates.ts';
import { type OperationId, operations } from '../../contract/generated/operations.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { sampleRequests } from './demo-requests.ts';
import type { RuleScenarios, Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';

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

export const scenarioEntries = Object.entries(scenarios) as readonly (readonly [string, RuleScenarios])[];

export const hasScenarios = (entry: RuleScenarios): entry is Extract<RuleScenarios, readonly unknown[]> => Array.isArray(entry);

export function listScenarios(operation?: OperationId): NamedScenario[] {
  return scenarioEntries
    .flatMap(([rule, entry]) => (hasScenarios(entry) ? entry.map((scenario, index) => toNamedScenario(rule, scenario, index)) : []))
    .flatMap((named) => {
      if (operation === undefined || named.operation === operation) return [named];
      const ofRule = Object.hasOwn(rules, named.rule) ? (rules[named.rule as RuleId].operations ?? []) : [];
      return ofRule.includes(operation) && named.id === named.rule ? [adaptToOperation(named, operation)] : [];
    });
}

export function findScenario(name: string, operation?: OperationId): NamedScenario | { readonly problem: string } {
  const found = listScenarios(operation).find(({ id }) => id === name);
  if (found) return found;
  const entry = scenarioEntries.find(([id]) => id === name)?.[1];
  if (entry && 'metWith' in entry) {
    const other = findScenario(entry.metWith, operation);
    return 'scenario' in other ? { ...other, rule: name } : other;
  }
  if (entry && 'reason' in entry) return { problem: `${name} has no scenario. ${entry.reason}` };
  if (entry) return { problem: `${name} does not apply to the operation ${operation}.` };
  const names = listScenarios().map(({ id }) => id);
  return { problem: `There is no scenario "${name}".${didYouMean(name, names) || ' List them with: xpk scenario list'}` };
}

function toNamedScenario(rule: string, scenario: Scenario, index: number): NamedScenario {
  const status = scenario.status ?? Number(rules[rule as RuleId]?.status);
  return {
    id: index === 0 ? rule : `${rule}/${index + 1}`,
    rule,
    operation: findOperation(scenario),
    scenario,
    expected: { status, reason: scenario.answer === undefined ? rule : scenario.answer },
  };
}

function adaptToOperation(named: NamedScenario, operation: OperationId): NamedScenario {
  const { token } = named.scenario.request;
  const request = { ...sampleRequests[operation], ...(token !== undefined && { token }) };
  return { ...named, operation, scenario: { ...named.scenario, request } };
}

/** Returns undefined for a request to the authorization server or to an unknown path. */
export function findOperation({ request: { method = 'GET', path } }: Scenario): OperationId | undefined {
  const found = Object.entries(operations).find(
    ([, operation]) => operation.method === method.toLowerCase() && operation.paths.some((form) => matchesPathForm(form, path)),
  );
  return found?.[0] as OperationId | undefined;
}

/** Whether a path such as `/users/{users/ada}` matches a path template such as `/users/{userId}`. */
function matchesPathForm(form: string, path: string): boolean {
  const plain = path.replaceAll(/\{[^{}]*\}/g, 'id').split('?', 1)[0] as string;
  return new RegExp(`^${form.replaceAll(/\{[^{}]*\}/g, '[^/]+')}$`).test(plain);
}
