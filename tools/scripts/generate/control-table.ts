/** Reads what a control operation takes, and how `x-verb` names it on the command line, into one flat table. */
import { findShapeProblems, type Json, resolve } from './documents.ts';
import { toField } from './entity-forms.ts';
import type { Operation } from './operations.ts';
import { formatBanner, formatObject } from './write-typescript.ts';

/** A world has as many members as the whole contract, so it is one field. */
const WHOLE_BODIES = ['#/components/schemas/World'];

const STRING = { type: 'string' };
const STRINGS = { type: 'array', items: STRING };
const STRING_BY_FIELD = { type: 'object', additionalProperties: STRING };

const VERB = {
  type: 'object',
  required: ['words'],
  additionalProperties: false,
  properties: {
    words: { type: 'string', pattern: '^[a-z-]+( [a-z-]+)?$' },
    hand: { const: true },
    default: { const: true },
    when: { oneOf: [STRING, STRINGS] },
    // biome-ignore lint/suspicious/noThenProperty: a member of x-verb, not of a promise
    then: STRING,
    args: { type: 'array', items: { type: 'string', pattern: '^(<\\w+>|\\[\\w+(\\.\\.\\.)?\\])$' } },
    rename: { type: 'object', additionalProperties: { oneOf: [STRING, STRINGS] } },
    durations: STRINGS,
    defaults: { type: 'object', additionalProperties: { type: ['number', 'string', 'boolean'] } },
    without: STRING_BY_FIELD,
    short: STRING,
    hints: STRING_BY_FIELD,
    help: STRING,
    examples: STRINGS,
    says: STRING,
    columns: { oneOf: [STRING, STRINGS, STRING_BY_FIELD] },
    empty: STRING,
    result: STRING,
  },
};
const NONE = { type: 'object', required: ['none'], additionalProperties: false, properties: { none: STRING } };

const listVerbs = ({ node }: Operation): Json[] => [node['x-verb'] ?? []].flat();

/** Returns the fields by name: path and query parameters, headers, and the members of the body. */
function readFields(document: Json, { node, pathParameters: _, body, bodyRequired, parameters }: Operation): Json {
  const fields: Json = {};
  for (const { name, in: place, required, description, schema } of parameters)
    fields[name] = {
      in: place,
      ...(required && { isRequired: true }),
      ...toField(document, { ...schema, ...(description && { description }) }),
    };
  if (body === undefined) return fields;
  const { properties, required } = WHOLE_BODIES.includes(body.$ref) ? ({} as Json) : readMembers(document, body);
  if (properties === undefined) fields.body = { in: 'body', isWhole: true, ...(bodyRequired && { isRequired: true }), type: 'object' };
  for (const [name, schema] of Object.entries<Json>(properties ?? {})) {
    if (fields[name] !== undefined) throw new Error(`${node.operationId} has a parameter and a body member named ${name}`);
    fields[name] = { in: 'body', ...(required.includes(name) && { isRequired: true }), ...toField(document, schema) };
  }
  return fields;
}

function readMembers(document: Json, node: Json): { properties: Json | undefined; required: string[] } {
  const { properties, required = [], allOf = [] } = resolve(document, node);
  const parts = allOf.map((part: Json) => readMembers(document, part));
  const all = [...parts.map((part: Json) => part.properties), properties].filter((each) => each !== undefined);
  return {
    properties: all.length === 0 ? undefined : Object.assign({}, ...all),
    required: [...required, ...parts.flatMap((part: Json) => part.required)],
  };
}

export function* findVerbProblems(document: Json, operations: readonly Operation[]): Generator<string> {
  const words = new Set<string>();
  for (const operation of operations) {
    const { id } = operation;
    const at = `openapi/control.yaml, operation ${id}: x-verb`;
    const verbs = listVerbs(operation);
    if (verbs.length === 0) yield `${at} is missing`;
    const fields = Object.keys(readFields(document, operation));
    for (const verb of verbs) {
      yield* findShapeProblems('none' in verb ? NONE : VERB, verb, at);
      if ('none' in verb) continue;
      const { when, args = [], rename = {}, durations = [], defaults = {}, hints = {}, without = {}, columns } = verb;
      const names = Object.entries<string | string[]>(rename).flatMap(([, name]) => [name].flat().map((each) => each.split(' ', 1)[0]));
      const known = [...fields, ...names, ...[when ?? []].flat()];
      const commandNames = known.filter((name) => rename[name] === undefined || names.includes(name));
      for (const name of [...Object.keys(rename), ...durations, ...Object.keys(defaults), ...Object.keys(without)])
        if (!fields.includes(name)) yield `${at} names ${name}, which the operation does not take`;
      for (const name of Object.keys(hints)) if (!known.includes(name)) yield `${at} names ${name}, which is neither a field nor an option`;
      for (const name of args.map((arg: string) => arg.replaceAll(/\W/g, '')))
        if (!commandNames.includes(name)) yield `${at} has the argument ${name}, which is not the name of a field`;
      for (const other of [verb.then ?? [], typeof columns === 'string' ? columns : []].flat())
        if (!operations.some((each) => each.id === other)) yield `${at} names ${other}, which is not an operation`;
      if (!verb.hand && when === undefined) {
        if (words.has(verb.words)) yield `${at} has the words "${verb.words}" of another operation, and no \`when\``;
        words.add(verb.words);
      }
    }
  }
}

export function writeControlTable(document: Json, operations: readonly Operation[]): string {
  const rows = operations.map((operation) => {
    const { id, method, paths, body, node } = operation;
    const { none } = listVerbs(operation)[0] as Json;
    const verbs = none === undefined ? listVerbs(operation) : [];
    const fields = readFields(document, operation);
    return [id, { method, path: paths[0], hasBody: body !== undefined, summary: node.summary, fields, verbs, ...(none && { none }) }];
  });
  return `${formatBanner('openapi/control.yaml')}
import type { ControlOperationId } from './control-operations.ts';
import type { Field } from './entity-forms.ts';

export interface ControlField extends Field {
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly isRequired?: boolean;
  /** Whether the field is the whole body. */
  readonly isWhole?: boolean;
}

/** How the command line names an operation. */
export interface Verb {
  readonly words: string;
  /** Whether a file in src/cli implements the command. */
  readonly hand?: boolean;
  /** Whether the group runs this command if no subcommand is given. */
  readonly default?: boolean;
  /** For operations with the same words: the options or arguments that select this operation. */
  readonly when?: string | readonly string[];
  /** The operation without parameters of its own whose response is printed instead. */
  readonly then?: ControlOperationId;
  /** Arguments, in commander's syntax: \`<name>\`, \`[name]\`, \`[name...]\`. */
  readonly args?: readonly string[];
  /** The names of fields on the command line, such as \`header <name:value>\`. Fields with the same name are the ends of a range. */
  readonly rename?: Readonly<Record<string, string | readonly string[]>>;
  /** The fields whose milliseconds are written as durations. */
  readonly durations?: readonly string[];
  /** The values of fields that the command sends if they are not given, where the operation has another default. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>;
  /** The fields that the command does not have, with the reasons. */
  readonly without?: Readonly<Record<string, string>>;
  readonly short?: string;
  /** Short descriptions of fields. */
  readonly hints?: Readonly<Record<string, string>>;
  readonly help?: string;
  readonly examples?: readonly string[];
  /** A text with \`{member}\`, \`{member|other}\`, \`{member:filter}\`, and \`[parts that need all their members|or else this]\`. */
  readonly says?: string;
  /** The columns of a list: texts by header, texts without headers, or the operation that has the same columns. */
  readonly columns?: ControlOperationId | readonly string[] | Readonly<Record<string, string>>;
  /** The text for an empty list. */
  readonly empty?: string;
  /** For a response without a body: the member that \`--json\` prints. Its value is the argument, or \`all\`. */
  readonly result?: string;
}

export interface ControlRow {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  readonly path: string;
  readonly hasBody: boolean;
  readonly summary: string;
  readonly fields: Readonly<Record<string, ControlField>>;
  readonly verbs: readonly Verb[];
  /** Why the operation has no command. */
  readonly none?: string;
}

/** The commands that only have subcommands, with their descriptions. */
export const verbGroups: Readonly<Record<string, string>> = ${formatObject(document['x-verb-groups'])};

/** The operations of the control API. */
export const controlTable: Readonly<Record<ControlOperationId, ControlRow>> = ${formatObject(Object.fromEntries(rows), 3)};
`;
}
