/** Reads the kit's decisions on points that the specification leaves open. */
import type { Decision } from '../../../src/contract/generated/decisions-table.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { findShapeProblems, type Json } from './documents.ts';
import type { Operation } from './operations.ts';
import { formatBanner, formatKey, formatObject, formatUnion } from './write-typescript.ts';

type Value = string | number | boolean;

export type Decisions = Record<string, Decision>;

const value = { type: ['string', 'number', 'boolean'] };
const DECISION: Json = {
  type: 'object',
  required: ['question', 'section', 'default'],
  additionalProperties: false,
  properties: {
    question: { type: 'string' },
    section: { type: 'string' },
    default: value,
    alternatives: { type: 'array', items: value },
    values: { type: 'object' },
    /** Empty if the suite is not tested with other values. */
    sample: { type: 'array', items: value },
    means: { type: 'object', additionalProperties: { type: 'string' } },
    notObservedBecause: { type: 'string' },
    in: {},
  },
  oneOf: [{ required: ['alternatives'] }, { required: ['values', 'sample'] }],
};

export function readDecisions(table: Json, operations: Operation[], problems: string[]): Decisions {
  return Object.fromEntries(
    Object.entries(table).map(([id, entry]) => {
      problems.push(...findDecisionProblems(entry, `openapi/decisions.yaml#/${id}`));
      const { question, section, default: standard, alternatives, values, sample, means = {}, notObservedBecause } = entry ?? {};
      const decision: Decision = {
        ...{ question, section, default: standard },
        ...(alternatives && { alternatives: alternatives.filter((value: Value) => value !== standard) }),
        ...(values && { values }),
        ...(sample && { sample }),
        means,
        ...(notObservedBecause && { notObservedBecause }),
        operations: operations.filter(({ decisions }) => decisions.includes(id)).map((operation) => operation.id as OperationId),
      };
      return [id, decision];
    }),
  );
}

function findDecisionProblems(entry: Json, place: string): string[] {
  const found = findShapeProblems(DECISION, entry, place);
  if (found.length > 0) return found;
  const { default: standard, alternatives, values, sample = [], means = {}, notObservedBecause } = entry;
  const choices = [standard, ...(alternatives ?? [])].map(String);
  for (const choice of choices) if (alternatives && !(choice in means)) found.push(`${place} does not explain the value ${choice}`);
  for (const meaning of Object.keys(means))
    if (!choices.includes(meaning)) found.push(`${place} explains ${meaning}, which is neither the default nor an alternative`);
  if (alternatives && new Set(choices).size === 1 && notObservedBecause === undefined)
    found.push(`${place} has no alternative, so it must have the member notObservedBecause`);
  if (values === undefined) return found;
  for (const value of [standard, ...sample]) found.push(...findShapeProblems(values, value, `${place}: its value ${value}`));
  if (sample.includes(standard)) found.push(`${place} lists its default ${standard} in sample, which must list only other values`);
  return found;
}

function formatType(decision: Decision): string {
  if (decision.values !== undefined) return decision.values.type === 'integer' ? ' number' : ` ${decision.values.type}`;
  return formatUnion([decision.default, ...(decision.alternatives ?? [])]);
}

const source = 'openapi/decisions.yaml';

export function writeDecisionTypes(decisions: Decisions, operations: Operation[]): string {
  const all = Object.entries(decisions);
  const defaults = all.map(([id, decision]) => [id, decision.default]);
  return `${formatBanner(source, 'openapi/openapi.yaml')}
/** The decisions of the kit: one value for every point that the specification leaves open. In each type, the default comes first. */
export interface Decisions {
${all.map(([id, decision]) => `  /** ${decision.question} */\n  ${formatKey(id)}:${formatType(decision)};\n`).join('')}}

export type DecisionId = keyof Decisions;

/** The open points that affect an operation, by operation. */
export interface DecisionsOf {
${operations.map(({ id, decisions: listed }) => `  ${formatKey(id)}:${formatUnion(listed, '    ')};\n`).join('')}}

export const defaultDecisions: Readonly<Decisions> = ${formatObject(Object.fromEntries(defaults))};
`;
}

export function writeDecisionTable(): string {
  return `${formatBanner(source)}import type { DecisionId } from './decisions.ts';
import type { OperationId } from './operations.ts';
import table from './decisions.json' with { type: 'json' };

export interface Decision {
  question: string;
  /** The section of the specification that leaves the point open. */
  section: string;
  default: string | number | boolean;
  /** The values that a correct service may choose instead of the default. */
  alternatives?: readonly (string | number | boolean)[];
  /** A JSON Schema, if a correct service may choose any value that the schema accepts. Such a decision has no \`alternatives\`. */
  values?: { readonly type: 'string' | 'integer'; readonly minimum?: number; readonly maximum?: number; readonly pattern?: string };
  /** Examples of allowed values, if \`values\` is present. The suite is tested with each example. */
  sample?: readonly (string | number)[];
  /** A sentence about each value, which explains what the kit does if the value is chosen. */
  means: Readonly<Record<string, string>>;
  /** The reason why the suite cannot observe the decision. Undefined if it can. */
  notObservedBecause?: string;
  operations: readonly OperationId[];
}

/** Every open point of the specification, by id. */
export const decisions = table as unknown as Readonly<Record<DecisionId, Decision>>;
`;
}
