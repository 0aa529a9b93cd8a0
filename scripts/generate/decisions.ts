/** The open points of the specification, and how the kit decides each of them. */
import { isObject, type Json, type JsonObject, objectAt, type Problems, textsAt } from './documents.ts';
import type { Operation } from './operations.ts';
import { banner, key, literal, union } from './write-typescript.ts';

type Value = string | number | boolean;
const members = ['question', 'section', 'default', 'alternatives', 'values', 'sample', 'means', 'observable', 'in'];

export interface Decision {
  question: string;
  section: string;
  default: Value;
  /** What a correct service may do as well. The default is not among them. */
  alternatives?: Value[];
  /** Instead of alternatives: any value of a type. */
  values?: JsonObject;
  /** Those of them that the variants of the suite take. */
  sample?: Value[];
  means: Record<string, string>;
  observable: true | string;
  operations: string[];
}

export type Decisions = Record<string, Decision>;
const isValue = (value: Json | undefined): value is Value => ['string', 'number', 'boolean'].includes(typeof value);

export function readDecisions(table: JsonObject, operations: Operation[], problems: Problems): Decisions {
  const decisions: Decisions = {};
  for (const [id, entry] of Object.entries(table)) {
    const problem = (text: string) => problems.add(`openapi/decisions.yaml#/${id}`, text);
    if (!isObject(entry)) {
      problem('is not a map');
      continue;
    }
    for (const member of Object.keys(entry)) if (!members.includes(member)) problem(`has the unknown key ${member}`);
    decisions[id] = readDecision(id, entry, operations, problem);
  }
  return decisions;
}

function readDecision(id: string, entry: JsonObject, operations: Operation[], problem: (text: string) => void): Decision {
  const { question, section, observable } = entry;
  const standard = entry.default;
  if (typeof question !== 'string') problem('has no question');
  if (typeof section !== 'string') problem('has no section');
  if (!isValue(standard)) problem('has no default');
  if (observable !== true && typeof observable !== 'string') problem('does not say whether it can be observed');
  if ('alternatives' in entry === 'values' in entry) problem('has neither alternatives nor values, or both');
  const listed = Array.isArray(entry.alternatives) ? entry.alternatives.filter(isValue) : [];
  const means = objectAt(entry, 'means');
  if ('alternatives' in entry)
    for (const value of [standard, ...listed]) if (!(String(value) in means)) problem(`does not say what ${value} means`);
  const allowed = [standard, ...listed].map(String);
  for (const value of Object.keys(means)) if (!allowed.includes(value)) problem(`explains ${value}, which cannot be chosen`);
  if (isObject(entry.values) && typeof standard !== (entry.values.type === 'integer' ? 'number' : entry.values.type))
    problem('has a default of another type than its values');
  const sample = Array.isArray(entry.sample) ? entry.sample.filter(isValue) : [];
  for (const text of sampleProblems(entry, sample)) problem(text);
  return {
    question: String(question),
    section: String(section),
    default: isValue(standard) ? standard : '',
    ...('alternatives' in entry ? { alternatives: listed.filter((value) => value !== standard) } : {}),
    ...(isObject(entry.values) ? { values: entry.values } : {}),
    ...(sample.length > 0 ? { sample } : {}),
    means: Object.fromEntries(Object.entries(means).map(([value, text]) => [value, String(text)])),
    observable: observable === true ? true : String(observable),
    operations: operations.filter((operation) => textsAt(operation.node, 'x-decisions').includes(id)).map((operation) => operation.id),
  };
}

/** Every decision that can be set has values to try beside its default. */
function sampleProblems({ values, default: standard }: JsonObject, sample: readonly Value[]): string[] {
  if (!isObject(values)) return sample.length > 0 ? ['has a sample, but alternatives to take'] : [];
  if (sample.length === 0) return ['has values and no sample of them'];
  const { minimum = -Infinity, maximum = Infinity, pattern = '' } = values as { minimum?: number; maximum?: number; pattern?: string };
  return sample
    .filter((value) => {
      if (value === standard) return true;
      if (typeof value === 'number') return !Number.isInteger(value) || value < minimum || value > maximum || values.type !== 'integer';
      return typeof value !== values.type || !new RegExp(pattern).test(String(value));
    })
    .map((value) => `has ${value} in its sample, which is its default or none of its values`);
}

/** The type of a decision's values, the default first, as it follows a colon. */
function typeOf(decision: Decision): string {
  if (decision.values !== undefined) return decision.values.type === 'integer' ? ' number' : ` ${decision.values.type}`;
  return union([decision.default, ...(decision.alternatives ?? [])]);
}

const source = 'openapi/decisions.yaml';

export function writeDecisionTypes(decisions: Decisions, operations: Operation[]): string {
  const all = Object.entries(decisions);
  const ofOperations = operations.map(({ id, node }) => `  ${key(id)}:${union(textsAt(node, 'x-decisions'), '    ')};\n`);
  return `${banner(source, 'openapi/openapi.yaml')}
/** What the kit does where the specification is open: a value for every open point, the default's type first. */
export interface Decisions {
${all.map(([id, decision]) => `  /** ${decision.question} */\n  ${key(id)}:${typeOf(decision)};\n`).join('')}}

export type DecisionId = keyof Decisions;

/** The open points of each operation. */
export interface DecisionsOf {
${ofOperations.join('')}}

export const defaultDecisions: Readonly<Decisions> = {
${all.map(([id, decision]) => `  ${key(id)}: ${literal(decision.default)},\n`).join('')}};
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
