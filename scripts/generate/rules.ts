/** The rules of the contract. A rule applies to the operation, response or event that contains it. */
import { type DocumentName, type Documents, isObject, type JsonObject, objectAt, type Problems, walk } from './documents.ts';
import { type Operation, statusKey } from './operations.ts';
import { banner, key, union } from './write-typescript.ts';

const levels = ['documented', 'implied', 'advice'];
const actors = ['service', 'operator', 'consumer', 'client'];
const members = ['text', 'level', 'section', 'actor', 'unjudged'];

export interface Rule {
  text: string;
  level: string;
  section: string;
  actor: string;
  document: DocumentName;
  /** Why a client of the service cannot observe whether it is kept. */
  unjudged?: string;
  /** The operations that contain it, if any. */
  operations?: string[];
  /** The status of the response that contains it, if any. */
  status?: string;
  /** The event that contains it, if any. */
  event?: string;
}

export type Rules = Record<string, Rule>;
interface Scope {
  operation?: string;
  status?: string;
  event?: string;
}

/** The entries of an `x-rules`, by id. */
function entriesOf(node: JsonObject, place: string, problems: Problems): [string, JsonObject][] {
  if (!('x-rules' in node)) return [];
  const entries = objectAt(node, 'x-rules');
  if (!isObject(node['x-rules'])) problems.add(place, 'x-rules is not a map');
  return Object.entries(entries).flatMap(([id, entry]): [string, JsonObject][] => {
    if (isObject(entry)) return [[id, entry]];
    problems.add(place, `the rule ${id} is not a map`);
    return [];
  });
}

/** What the rules of a document apply to, by the object that contains them. */
function scopesOf(document: JsonObject, operations: Operation[]): Map<JsonObject, Scope[]> {
  const scopes = new Map<JsonObject, Scope[]>();
  const put = (node: JsonObject, scope: Scope) => scopes.set(node, [...(scopes.get(node) ?? []), scope]);
  for (const { id, node, responses } of operations) {
    put(node, { operation: id });
    for (const [status, response] of Object.entries(responses)) put(response, { operation: id, status });
  }
  for (const message of Object.values(objectAt(objectAt(document, 'components'), 'messages'))) {
    if (isObject(message) && typeof message.name === 'string') put(message, { event: message.name });
  }
  return scopes;
}

export function readRules(documents: Documents, operations: Partial<Record<DocumentName, Operation[]>>, problems: Problems): Rules {
  const rules: Rules = {};
  const places = new Map<string, string>();
  for (const [name, document] of Object.entries(documents) as [DocumentName, JsonObject][]) {
    const scopes = scopesOf(document, operations[name] ?? []);
    for (const { node, place } of walk(document)) {
      const at = `openapi/${name}.yaml#${place}`;
      for (const [id, entry] of entriesOf(node, at, problems)) {
        const rule = readRule(id, entry, name, at, problems);
        const known = rules[id];
        if (known === undefined) {
          rules[id] = rule;
          places.set(id, at);
        } else if (known.text !== rule.text || known.level !== rule.level || known.section !== rule.section || known.actor !== rule.actor) {
          problems.add(at, `the rule ${id} reads differently at ${places.get(id)}`);
        }
        for (const scope of scopes.get(node) ?? []) applyScope(id, rules[id] ?? rule, scope, at, problems);
      }
    }
  }
  return rules;
}

function readRule(id: string, entry: JsonObject, document: DocumentName, place: string, problems: Problems): Rule {
  if (!/^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/.test(id)) problems.add(place, `the rule id ${id} is not dotted lower-case words`);
  for (const member of Object.keys(entry))
    if (!members.includes(member)) problems.add(place, `the rule ${id} has the unknown key ${member}`);
  const { text, level, section, actor = 'service', unjudged } = entry;
  if (typeof text !== 'string' || !/[.!?”)]$/.test(text)) problems.add(place, `the text of the rule ${id} is not a sentence`);
  if (typeof section !== 'string' || section === '') problems.add(place, `the rule ${id} has no section`);
  if (!levels.includes(String(level))) problems.add(place, `the rule ${id} has the unknown level ${level}`);
  if (!actors.includes(String(actor))) problems.add(place, `the rule ${id} has the unknown actor ${actor}`);
  if (unjudged !== undefined && (typeof unjudged !== 'string' || !/[.!?”)]$/.test(unjudged) || actor !== 'service'))
    problems.add(place, `unjudged of the rule ${id} is not a sentence about the service`);
  return {
    text: String(text),
    level: String(level),
    section: String(section),
    actor: String(actor),
    document,
    ...(unjudged !== undefined && { unjudged: String(unjudged) }),
  };
}

function applyScope(id: string, rule: Rule, scope: Scope, place: string, problems: Problems): void {
  if (scope.operation !== undefined && !rule.operations?.includes(scope.operation))
    rule.operations = [...(rule.operations ?? []), scope.operation];
  for (const member of ['status', 'event'] as const) {
    const value = scope[member];
    if (value === undefined) continue;
    if (rule[member] !== undefined && rule[member] !== value)
      problems.add(place, `the rule ${id} stands at the ${member} ${rule[member]}, too`);
    rule[member] = value;
  }
}

/** The rules on each response of an operation. */
const rulesOfResponse = (response: JsonObject): string[] => Object.keys(objectAt(response, 'x-rules'));

export function writeRuleTypes(rules: Rules, operations: Operation[], sources: string[]): string {
  const rulesOf = operations.map(({ id, responses }) => {
    const lines = Object.entries(responses).map(
      ([status, response]) => `    ${key(String(statusKey(status)))}:${union(rulesOfResponse(response), '      ')};\n`,
    );
    return `  ${key(id)}: {\n${lines.join('')}  };\n`;
  });
  const statusOf = operations.map(({ id, responses }) => {
    const refusals = Object.entries(responses).filter(([status]) => /^\d+$/.test(status));
    const statuses = refusals.flatMap(([status, response]) =>
      rulesOfResponse(response).map((rule) => `    ${key(rule)}: ${Number(status)},\n`),
    );
    return `  ${key(id)}: {\n${statuses.join('')}  },\n`;
  });
  const isJudged = (rule: Rule) => rule.actor === 'service' && rule.level !== 'advice' && rule.unjudged === undefined;
  const judged = [...new Set(Object.values(rules).map(({ document }) => document))]
    .map((name) => {
      const ids = Object.keys(rules).filter((id) => rules[id]?.document === name && isJudged(rules[id]));
      return `  ${key(name)}:${union(ids, '    ')};\n`;
    })
    .join('');
  return `${banner(...sources)}import type { OperationId } from './operations.ts';

export type RuleId =${union(Object.keys(rules))};

/** By document, the rules that the service keeps: what a target is judged by. */
export interface JudgedRuleId {
${judged}}

export interface Rule {
  /** One sentence. */
  text: string;
  level:${union(levels)};
  /** The place in the specification. */
  section: string;
  /** Who keeps the rule. */
  actor:${union(actors)};
  /** The document it stands in. */
  document:${union(['openapi', 'asyncapi', 'authorization', 'control'])};
  /** Why no check can see whether it is kept. */
  unjudged?: string;
  operations?: readonly OperationId[];
  /** The documented status it stands at, such as '404' or '2XX'. */
  status?: string;
  /** The event type it stands at. */
  event?: string;
}

/** The rules on each documented response of an operation. */
export interface RulesOf {
${rulesOf.join('')}}

/** The status that a rule of an operation is answered with. Ranges such as 2XX are left out: they give no status. */
export const statusOf = {
${statusOf.join('')}} as const satisfies { [Id in OperationId]: { readonly [Rule in RuleId]?: number } };
`;
}

export function writeRuleTable(sources: string[]): string {
  return `${banner(...sources)}import type { Rule, RuleId } from './rules.ts';
import table from './rules.json' with { type: 'json' };

/** Every rule of the contract. Kept apart from the types: whoever answers requests has no need to load it. */
export const rules = table as Readonly<Record<RuleId, Rule>>;
`;
}
