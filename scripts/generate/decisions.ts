/** The open points of the specification, and how the kit decides each of them. */
import { type Json, shapeProblems } from './documents.ts';
import type { Operation } from './operations.ts';
import { banner, block, key, union } from './write-typescript.ts';

type Value = string | number | boolean;

export interface Decision {
  question: string;
  section: string;
  default: Value;
  /** What a correct service may do as well. The default is not among them. */
  alternatives?: Value[];
  /** Instead of alternatives: any value of a type. */
  values?: Json;
  /** Those of them that the variants of the suite take. */
  sample?: Value[];
  means: Record<string, string>;
  observable: true | string;
  operations: string[];
}

export type Decisions = Record<string, Decision>;

const value = { type: ['string', 'number', 'boolean'] };
const DECISION: Json = {
  type: 'object',
  required: ['question', 'section', 'default', 'observable'],
  additionalProperties: false,
  properties: {
    question: { type: 'string' },
    section: { type: 'string' },
    default: value,
    alternatives: { type: 'array', items: value },
    values: { type: 'object' },
    sample: { type: 'array', items: value, minItems: 1 },
    means: { type: 'object', additionalProperties: { type: 'string' } },
    observable: { type: ['boolean', 'string'], not: { const: false } },
    in: {},
  },
  oneOf: [{ required: ['alternatives'] }, { required: ['values', 'sample'] }],
};

export function readDecisions(table: Json, operations: Operation[], problems: string[]): Decisions {
  return Object.fromEntries(
    Object.entries(table).map(([id, entry]) => {
      problems.push(...decisionProblems(entry, `openapi/decisions.yaml#/${id}`));
      const { question, section, default: standard, alternatives, values, sample, means = {}, observable } = entry ?? {};
      const decision: Decision = {
        ...{ question, section, default: standard },
        ...(alternatives && { alternatives: alternatives.filter((value: Value) => value !== standard) }),
        ...(values && { values }),
        ...(sample && { sample }),
        ...{ means, observable },
        operations: operations.filter(({ decisions }) => decisions.includes(id)).map((operation) => operation.id),
      };
      return [id, decision];
    }),
  );
}

function decisionProblems(entry: Json, place: string): string[] {
  const found = shapeProblems(DECISION, entry, place);
  if (found.length > 0) return found;
  const { default: standard, alternatives, values, sample = [], means = {}, observable } = entry;
  const choices = [standard, ...(alternatives ?? [])].map(String);
  for (const choice of choices) if (alternatives && !(choice in means)) found.push(`${place} does not say what ${choice} means`);
  for (const meaning of Object.keys(means))
    if (!choices.includes(meaning)) found.push(`${place} explains ${meaning}, which cannot be chosen`);
  if (alternatives && new Set(choices).size === 1 && observable === true)
    found.push(`${place} has no alternative, and no reason why it is not observed`);
  if (values === undefined) return found;
  for (const value of [standard, ...sample]) found.push(...shapeProblems(values, value, `${place}: its value ${value}`));
  if (sample.includes(standard)) found.push(`${place} has its default ${standard} in its sample`);
  return found;
}

/** The type of a decision's values, the default first, as it follows a colon. */
function typeOf(decision: Decision): string {
  if (decision.values !== undefined) return decision.values.type === 'integer' ? ' number' : ` ${decision.values.type}`;
  return union([decision.default, ...(decision.alternatives ?? [])]);
}

const source = 'openapi/decisions.yaml';

export function writeDecisionTypes(decisions: Decisions, operations: Operation[]): string {
  const all = Object.entries(decisions);
  const defaults = all.map(([id, decision]) => [id, decision.default]);
  return `${banner(source, 'openapi/openapi.yaml')}
/** What the kit does where the specification is open: a value for every open point, the default's type first. */
export interface Decisions {
${all.map(([id, decision]) => `  /** ${decision.question} */\n  ${key(id)}:${typeOf(decision)};\n`).join('')}}

export type DecisionId = keyof Decisions;

/** The open points of each operation. */
export interface DecisionsOf {
${operations.map(({ id, decisions: listed }) => `  ${key(id)}:${union(listed, '    ')};\n`).join('')}}

export const defaultDecisions: Readonly<Decisions> = ${block(Object.fromEntries(defaults))};
`;
}

export function writeDecisionTable(): string {
  return `${banner(source)}import type { DecisionId } from './decisions.ts';
import type { OperationId } from './operations.ts';
import table from './decisions.json' with { type: 'json' };

export interface Decision {
  question: string;
  /** The place in the specification. */
  section: string;
  default: string | number | boolean;
  /** What a correct service may do as well; the default is not among them. */
  alternatives?: readonly (string | number | boolean)[];
  /** Instead of alternatives: any value of this JSON Schema. */
  values?: { readonly type: 'string' | 'integer'; readonly minimum?: number; readonly maximum?: number; readonly pattern?: string };
  /** Those of them that the variants of the suite take. */
  sample?: readonly (string | number)[];
  /** A sentence for each value. */
  means: Readonly<Record<string, string>>;
  /** True, or why it cannot be seen from outside. */
  observable: true | string;
  operations: readonly OperationId[];
}

/** Every open point of the specification. */
export const decisions = table as unknown as Readonly<Record<DecisionId, Decision>>;
`;
}
