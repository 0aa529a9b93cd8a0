/** Reads the contract's rules. A rule applies to the operation, response or event that contains it. */
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import type { Rule } from '../../../src/contract/generated/rules.ts';
import { type DocumentName, type Documents, findShapeProblems, type Json, walk } from './documents.ts';
import type { Operation } from './operations.ts';
import { formatBanner, formatKey, formatObject, formatUnion } from './write-typescript.ts';

const LEVELS = ['documented', 'implied', 'advice'];
const ACTORS = ['service', 'operator', 'consumer', 'client'];
const SENTENCE_SCHEMA = { type: 'string', pattern: '[.!?”)]$' };
const X_RULES_SCHEMA: Json = {
  type: 'object',
  propertyNames: { pattern: '^[a-z][a-z0-9-]*(\\.[a-z0-9][a-z0-9-]*)+$' },
  additionalProperties: {
    type: 'object',
    required: ['text', 'level', 'section'],
    additionalProperties: false,
    properties: {
      text: SENTENCE_SCHEMA,
      level: { enum: LEVELS },
      section: { type: 'string', minLength: 1 },
      actor: { enum: ACTORS },
      untestable: SENTENCE_SCHEMA,
    },
  },
};

export type Rules = Record<string, Rule>;

interface RuleScope {
  readonly operation?: string;
  readonly status?: string;
  readonly event?: string;
}

function findScopes(document: Json, operations: Operation[]): Map<Json, RuleScope[]> {
  const scopes = new Map<Json, RuleScope[]>();
  const addScope = (node: Json, scope: RuleScope) => scopes.set(node, [...(scopes.get(node) ?? []), scope]);
  for (const { id, node, responses } of operations) {
    addScope(node, { operation: id });
    for (const [status, response] of Object.entries(responses)) addScope(response, { operation: id, status });
  }
  for (const message of Object.values<Json>(document.components?.messages ?? {})) addScope(message, { event: message.name });
  return scopes;
}

export function readRules(documents: Documents, operations: Partial<Record<DocumentName, Operation[]>>, problems: string[]): Rules {
  const rules: Rules = {};
  for (const [name, document] of Object.entries(documents) as [DocumentName, Json][]) {
    const scopes = findScopes(document, operations[name] ?? []);
    for (const { node, place } of walk(document)) {
      const listed: Json = node['x-rules'] ?? {};
      const at = `openapi/${name}.yaml#${place}/x-rules`;
      problems.push(...findShapeProblems(X_RULES_SCHEMA, listed, at));
      for (const [id, { text, level, section, actor = 'service', untestable }] of Object.entries(listed)) {
        rules[id] ??= { text, level, section, actor, document: name, ...(untestable !== undefined && { untestable }) };
        const known = rules[id];
        const isSame = known.text === text && known.level === level && known.section === section && known.actor === actor;
        if (!isSame) problems.push(`${at}: the rule ${id} has a different text or level at another place`);
        for (const scope of scopes.get(node) ?? []) applyScope(known, scope, (text) => problems.push(`${at}: the rule ${id} ${text}`));
      }
    }
  }
  return rules;
}

function applyScope(rule: Rule, { operation, status, event }: RuleScope, report: (problem: string) => void): void {
  if (operation !== undefined) rule.operations = [...new Set([...(rule.operations ?? []), operation as OperationId])];
  for (const [member, value] of [
    ['status', status],
    ['event', event],
  ] as const) {
    if (value === undefined) continue;
    if (rule[member] !== undefined && rule[member] !== value) report(`is also written under the ${member} ${rule[member]}`);
    rule[member] = value;
  }
}

export const listResponseRules = (response: Json): string[] => Object.keys(response['x-rules'] ?? {});

export function writeRuleTypes(rules: Rules, operations: Operation[], sources: string[]): string {
  const rulesOf = operations.map(({ id, responses }) => {
    const lines = Object.entries(responses).map(
      ([status, response]) => `    ${formatKey(status)}:${formatUnion(listResponseRules(response), '      ')};\n`,
    );
    return `  ${formatKey(id)}: {\n${lines.join('')}  };\n`;
  });
  const statusOf = operations.map(({ id, responses }) => {
    const statuses = Object.entries(responses).filter(([status]) => /^\d+$/.test(status));
    return [
      id,
      Object.fromEntries(statuses.flatMap(([status, response]) => listResponseRules(response).map((rule) => [rule, Number(status)]))),
    ];
  });
  const formatRuleIdsGroupedBy = (member: 'document' | 'actor', isListed: (rule: Rule) => boolean) => {
    const listed = Object.entries(rules).filter(([, rule]) => rule.untestable === undefined && isListed(rule));
    const groups = Map.groupBy(listed, ([, rule]) => rule[member]);
    return [...groups]
      .map(
        ([name, group]) =>
          `  ${formatKey(name)}:${formatUnion(
            group.map(([id]) => id),
            '    ',
          )};\n`,
      )
      .join('');
  };
  return `${formatBanner(...sources)}import type { OperationId } from './operations.ts';

export type RuleId =${formatUnion(Object.keys(rules))};

/** The rules of the service that a check can test, by document. */
export interface TestableRuleId {
${formatRuleIdsGroupedBy('document', ({ actor, level }) => actor === 'service' && level !== 'advice')}}

/** The rules of an integration that a check can test, by who has to follow the rule. */
export interface IntegrationRuleIds {
${formatRuleIdsGroupedBy('actor', ({ actor }) => actor === 'consumer' || actor === 'client')}}

export interface Rule {
  /** The rule, written as a sentence. */
  text: string;
  level:${formatUnion(LEVELS)};
  /** The section of the specification that contains the rule. */
  section: string;
  /** Who has to follow the rule. */
  actor:${formatUnion(ACTORS)};
  /** The document of the contract that contains the rule. */
  document:${formatUnion(['openapi', 'asyncapi', 'authorization', 'control'])};
  /** Why no check can test the rule. Absent if a check can test the rule. */
  untestable?: string;
  operations?: readonly OperationId[];
  /** The status of the response to which the rule applies, such as '404' or '2XX'. */
  status?: string;
  /** The type of the event to which the rule applies. */
  event?: string;
}

/** The rules of each documented response, by operation. */
export interface RulesOf {
${rulesOf.join('')}}

/** The status of the response to which a rule applies, by operation and rule. Rules about a range such as 2XX are left out. */
export const statusOf = ${formatObject(Object.fromEntries(statusOf), 2)} as const satisfies { [Id in OperationId]: { readonly [Rule in RuleId]?: number } };
`;
}

export function writeRuleTable(sources: string[]): string {
  return `${formatBanner(...sources)}import type { Rule, RuleId } from './rules.ts';
import table from './rules.json' with { type: 'json' };

/**
 * Every rule of the contract, by id. The table is in a separate file, because the server needs only the types and should not load the
 * table.
 */
export const rules = table as Readonly<Record<RuleId, Rule>>;
`;
}
