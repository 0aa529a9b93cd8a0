import { type OperationId, operations } from '../../../../src/contract/generated/operations.ts';
import { schemaReferences } from '../../../../src/contract/generated/schema-references.ts';
import { schemas } from '../../../../src/contract/generated/schemas.ts';
import { bodyOf, type Reply, type Request, success } from '../exchange.ts';

/** The keywords of JSON Schema that the contract uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly then?: Schema;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly exclusiveMinimum?: number;
  readonly format?: string;
  readonly examples?: readonly unknown[];
  readonly 'x-rule'?: string | Readonly<Record<string, string>>;
}

type Document = keyof typeof schemas;

/** Reads the schemas of one document. */
export function schemasOf(document: Document) {
  const definition = (name: string): Schema => resolve((schemas[document].$defs as Readonly<Record<string, Schema>>)[name] ?? {});

  /** Follows `$ref` and merges the object schemas of `allOf`. */
  function resolve(schema: Schema): Schema {
    const { $ref, ...own } = schema;
    const base = $ref === undefined ? own : { ...definition($ref.slice($ref.lastIndexOf('/') + 1)), ...own };
    const parts = (base.allOf ?? []).map(resolve);
    return {
      ...base,
      required: [base.required ?? [], ...parts.map(({ required = [] }) => required)].flat(),
      properties: Object.assign({}, ...parts.map(({ properties = {} }) => properties), base.properties),
    };
  }

  return { definition, resolve };
}

export const api = schemasOf('openapi');

/** The status of an operation's success, and the schema of its body if it has one. */
export function successOf(operation: OperationId): { readonly status: number | string; readonly schema: Schema | undefined } {
  const status = operations[operation].successStatus;
  const reference = (schemaReferences.responses[operation] as Readonly<Record<number | string, string>>)[status];
  return { status, schema: reference === undefined ? undefined : api.definition(reference.slice(reference.lastIndexOf('/') + 1)) };
}

/** One way in which a value is wrong. It gets the right value; undefined removes the member. */
export type Wrong = readonly [how: string, change: (value: never) => unknown];

const ANOTHER_TYPE: Readonly<Record<string, readonly Wrong[]>> = {
  string: [['a number', () => 4711]],
  boolean: [['a string', (value: boolean) => `${value}`]],
  integer: [
    ['a string', (value: number) => `${value}`],
    ['a fraction', (value: number) => value / 2 + 0.25],
  ],
  number: [['a string', (value: number) => `${value}`]],
  array: [
    ['an object', (value: readonly object[]) => ({ ...value })],
    ['its first item', ([first]: readonly object[]) => first ?? 'nothing'],
  ],
  object: [
    ['a string', (value: object) => JSON.stringify(value)],
    ['a list', (value: object) => [value]],
  ],
};

const WORD: Wrong = ['a word', () => 'malformed'];

// Each is used where it changes an example to what the pattern does not allow.
const MALFORMED: readonly Wrong[] = [
  ['it with a prefix', (value: string) => `it-${value}`],
  ['it without its last character', (value: string) => value.slice(0, -1)],
  ['it in another time zone', (value: string) => value.replace(/Z$/, '+01:00')],
];

const UNLISTED: readonly Wrong[] = [
  ['it in lower case', (value: string) => value.toLowerCase()],
  ['an unknown value', () => 'OTHER'],
];

const NO_URI_REFERENCES: readonly Wrong[] = [
  ['text with spaces and brackets', () => 'Missing token: [authorization] header'],
  ['a path with braces', () => '/users/{userId}'],
  ['a path with a bad escape', () => '/problems/100%'],
];

const NO_OBJECTS: readonly Wrong[] = [
  ['a list of strings', () => ['must be a UUID']],
  ['a list with null', () => [null]],
];

/** Every way in which a value breaks its schema. A nullable schema lists its alternatives in `oneOf`. */
export function wrongValues(
  given: Schema,
  { isRequired, isConditional = false }: { isRequired: boolean; isConditional?: boolean },
): Wrong[] {
  const alternatives = (given.oneOf ?? []).map(api.resolve);
  const schema = alternatives.find(({ type }) => type !== 'null') ?? given;
  const types = [given.type ?? schema.type ?? [], ...alternatives.map(({ type = [] }) => type)].flat();
  const [type = 'string'] = types;
  return [
    ...(isRequired ? [['nothing', () => undefined] as Wrong] : []),
    ...(types.includes('null') ? [] : [['null', () => null] as Wrong]),
    ...(ANOTHER_TYPE[type] ?? []),
    ...malformed(schema),
    ...(schema.format === 'uri-reference' ? NO_URI_REFERENCES : []),
    ...(schema.items && api.resolve(schema.items).type === 'object' ? NO_OBJECTS : []),
    ...(schema.exclusiveMinimum === undefined
      ? []
      : ([
          ['0', () => 0],
          ['a negative number', () => -1],
        ] as Wrong[])),
    ...(isConditional ? MALFORMED.slice(0, 1) : []),
  ];
}

function malformed({ pattern, enum: values, minLength, examples: [example] = [] }: Schema): readonly Wrong[] {
  if (values !== undefined) return UNLISTED;
  if (pattern === undefined) return minLength === undefined ? [] : [['an empty string', () => '']];
  if (example === undefined) return [WORD];
  return MALFORMED.filter(
    ([, change]) => change(example as never) !== example && !new RegExp(pattern).test(String(change(example as never))),
  );
}

/** Pairs in which each of `first` and each of `second` occurs, and no more of them than that takes. */
export function pairs<First, Second>(first: readonly First[], second: readonly Second[]): (readonly [First, Second])[] {
  const length = first.length === 0 || second.length === 0 ? 0 : Math.max(first.length, second.length);
  return Array.from({ length }, (_, index) => [first[index % first.length] as First, second[index % second.length] as Second]);
}

/** Whether the format of a member follows another member. */
export function isConditional(schema: Schema, member: string): boolean {
  return (schema.allOf ?? []).map(api.resolve).some((part) => part.then?.properties?.[member] !== undefined || isConditional(part, member));
}

/** A value that fits a schema, with the given members. */
function example(given: Schema, members: Readonly<Record<string, unknown>>): unknown {
  const schema = api.resolve(given);
  const types = [schema.type ?? 'null'].flat();
  if (types.includes('object'))
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, member]) => [name, members[name] ?? example(member, {})]),
    );
  if (types.includes('null')) return null;
  const byType: Readonly<Record<string, unknown>> = { array: [], boolean: true, integer: 100 };
  return byType[types[0] ?? ''] ?? schema.enum?.[0] ?? schema.examples?.[0] ?? '5ab07a9e-0000-4000-8000-000000000001';
}

/** A success that shows or does nothing. */
export function emptySuccess(request: Request): Reply {
  if (request.operation === undefined) return success(200, {});
  const { status, schema } = successOf(request.operation);
  const known = { ...request.query, ...request.path, ...bodyOf(request) };
  return success(Number(status) || 200, schema && example(schema, known));
}
