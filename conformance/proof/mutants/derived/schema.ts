import { type OperationId, operations } from '../../../../src/contract/generated/operations.ts';
import { schemaReferences } from '../../../../src/contract/generated/schema-references.ts';
import { schemas } from '../../../../src/contract/generated/schemas.ts';

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

export function createSchemaResolver(document: keyof typeof schemas) {
  const findDefinition = (name: string): Schema => resolve((schemas[document].$defs as Readonly<Record<string, Schema>>)[name] ?? {});

  function resolve(schema: Schema): Schema {
    const { $ref, ...own } = schema;
    const base = $ref === undefined ? own : { ...findDefinition($ref.slice($ref.lastIndexOf('/') + 1)), ...own };
    const parts = (base.allOf ?? []).map(resolve);
    return {
      ...base,
      required: [base.required ?? [], ...parts.map(({ required = [] }) => required)].flat(),
      properties: Object.assign({}, ...parts.map(({ properties = {} }) => properties), base.properties),
    };
  }

  return { definition: findDefinition, resolve };
}

export const api = createSchemaResolver('openapi');

export const TARGET_TYPES = api.definition('TargetType').enum ?? [];

export function findSuccess(operation: OperationId): { readonly status: number | string; readonly schema: Schema | undefined } {
  const status = operations[operation].successStatus;
  const reference = (schemaReferences.responses[operation] as Readonly<Record<number | string, string>>)[status];
  return { status, schema: reference === undefined ? undefined : api.definition(reference.slice(reference.lastIndexOf('/') + 1)) };
}

/** A kind of wrong value. If `change` returns undefined, the member is removed. */
type WrongValue = readonly [how: string, change: (value: never) => unknown];

const VALUES_OF_ANOTHER_TYPE: Readonly<Record<string, readonly WrongValue[]>> = {
  string: [['a number', () => 4711]],
  boolean: [['a string', (value: boolean) => `${value}`]],
  integer: [
    ['a string', (value: number) => `${value}`],
    ['a fraction', (value: number) => value / 2 + 0.25],
  ],
  number: [['a string', (value: number) => `${value}`]],
  array: [
    ['an object', (value: readonly object[]) => ({ ...value })],
    ['its first item', ([first]: readonly object[] = []) => first ?? 'nothing'],
  ],
  object: [
    ['a string', (value: object) => JSON.stringify(value)],
    ['a list', (value: object) => [value]],
  ],
};

const SAMPLE_WORD: WrongValue = ['a word', () => 'malformed'];

// Ways to make a string malformed. createMalformedValues omits those whose result still matches the string's pattern.
const MALFORMED_VALUES: readonly WrongValue[] = [
  ['it with a prefix', (value: string) => `it-${value}`],
  ['it without its last character', (value: string | null) => String(value).slice(0, -1)],
  ['it in another time zone', (value: string | null) => String(value).replace(/Z$/, '+01:00')],
];

const UNLISTED_VALUES: readonly WrongValue[] = [
  ['it in lower case', (value: string) => value.toLowerCase()],
  ['an unknown value', () => 'OTHER'],
];

const INVALID_URI_REFERENCES: readonly WrongValue[] = [
  ['text with spaces and brackets', () => 'Missing token: [authorization] header'],
  ['a path with braces', () => '/users/{userId}'],
  ['a path with a bad escape', () => '/problems/100%'],
];

const NON_OBJECTS: readonly WrongValue[] = [
  ['a list of strings', () => ['must be a UUID']],
  ['a list with null', () => [null]],
];

/**
 * Returns all kinds of values that violate the schema. Handles `oneOf` only for nullable schemas, because the contract uses it only for
 * those.
 */
export function createWrongValues(
  given: Schema,
  { isRequired, isConditional = false }: { isRequired: boolean; isConditional?: boolean },
): WrongValue[] {
  const alternatives = (given.oneOf ?? []).map(api.resolve);
  const schema = alternatives.find(({ type }) => type !== 'null') ?? given;
  const types = [given.type ?? schema.type ?? [], ...alternatives.map(({ type = [] }) => type)].flat();
  const [type = 'string'] = types;
  return [
    ...(isRequired ? [['nothing', () => undefined] as WrongValue] : []),
    ...(types.includes('null') ? [] : [['null', () => null] as WrongValue]),
    ...(VALUES_OF_ANOTHER_TYPE[type] ?? []),
    ...createMalformedValues(schema),
    ...(schema.format === 'uri-reference' ? INVALID_URI_REFERENCES : []),
    ...(schema.items && api.resolve(schema.items).type === 'object' ? NON_OBJECTS : []),
    ...(schema.exclusiveMinimum === undefined
      ? []
      : ([
          ['0', () => 0],
          ['a negative number', () => -1],
        ] as WrongValue[])),
    ...(isConditional ? MALFORMED_VALUES.slice(0, 1) : []),
  ];
}

function createMalformedValues({ pattern, enum: values, minLength, examples: [example] = [] }: Schema): readonly WrongValue[] {
  if (values !== undefined) return UNLISTED_VALUES;
  if (pattern === undefined) return minLength === undefined ? [] : [['an empty string', () => '']];
  if (example === undefined) return [SAMPLE_WORD];
  return MALFORMED_VALUES.filter(
    ([, change]) => change(example as never) !== example && !new RegExp(pattern).test(String(change(example as never))),
  );
}

/** Returns the fewest pairs that contain every element of both lists. */
export function createPairs<First, Second>(first: readonly First[], second: readonly Second[]): (readonly [First, Second])[] {
  const length = first.length === 0 || second.length === 0 ? 0 : Math.max(first.length, second.length);
  return Array.from({ length }, (_, index) => [first[index % first.length] as First, second[index % second.length] as Second]);
}

/** Whether a member's format depends on another member's value. */
export function isConditional(schema: Schema, member: string): boolean {
  return (schema.allOf ?? []).map(api.resolve).some((part) => part.then?.properties?.[member] !== undefined || isConditional(part, member));
}
