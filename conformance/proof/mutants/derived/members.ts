import { rules } from '../../../../src/contract/generated/rules-table.ts';
import type { Json } from '../exchange.ts';
import type { DerivedMutant, StartMutant } from '../mutant.ts';
import { api, createPairs, type Schema } from './schema.ts';

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

const addIf = (isAdded: boolean, ...values: readonly WrongValue[]) => (isAdded ? values : []);

/**
 * Returns all kinds of values that violate the schema. Handles `oneOf` only for nullable schemas, because the contract uses it only for
 * those.
 */
function createWrongValues(given: Schema): readonly WrongValue[] {
  const alternatives = (given.oneOf ?? []).map(api.resolve);
  const schema = alternatives.find(({ type }) => type !== 'null') ?? given;
  const types = [given.type ?? schema.type ?? [], ...alternatives.map(({ type = [] }) => type)].flat();
  const [type = 'string'] = types;
  return [
    ...addIf(!types.includes('null'), ['null', () => null]),
    ...(VALUES_OF_ANOTHER_TYPE[type] ?? []),
    ...createMalformedValues(schema),
    ...addIf(schema.format === 'uri-reference', ...INVALID_URI_REFERENCES),
    ...addIf(schema.items !== undefined && api.resolve(schema.items).type === 'object', ...NON_OBJECTS),
    ...addIf(schema.exclusiveMinimum !== undefined, ['0', () => 0], ['a negative number', () => -1]),
  ];
}

function createMalformedValues({ pattern, enum: values, minLength, examples: [example] = [] }: Schema): readonly WrongValue[] {
  if (values !== undefined) return UNLISTED_VALUES;
  if (pattern === undefined) return minLength === undefined ? [] : [['an empty string', () => '']];
  if (example === undefined) return [['a word', () => 'malformed']];
  return MALFORMED_VALUES.filter(
    ([, change]) => change(example as never) !== example && !new RegExp(pattern).test(String(change(example as never))),
  );
}

/** A location at which a server sends an object, such as the response body of one operation. */
export interface ObjectLocation {
  readonly name: string;
  readonly start: (change: (object: Json) => Json) => StartMutant;
}

interface WrongMemberSettings {
  readonly schema: Schema;
  readonly resolve?: (schema: Schema) => Schema;
  readonly ruleOf: (member: string) => string | undefined;
  readonly locationsOf: (member: string) => readonly ObjectLocation[];
}

/** Creates the fewest mutants that together cover every wrong value and every location. */
export function createWrongMembers({ schema, resolve = api.resolve, ruleOf, locationsOf }: WrongMemberSettings): DerivedMutant[] {
  return Object.entries(schema.properties ?? {}).flatMap(([member, given]) => {
    const rule = ruleOf(member);
    if (rule === undefined || !(rule in rules)) return [];
    const ways = [
      ...addIf(schema.required?.includes(member) ?? false, ['nothing', () => undefined]),
      ...createWrongValues(resolve(given)),
      ...addIf(isConditional(schema, member), ...MALFORMED_VALUES.slice(0, 1)),
    ];
    return createPairs(ways, locationsOf(member)).map(([[how, wrong], { start, name }]) => ({
      rule,
      description: `${name} has ${how} for ${member}.`,
      start: start((object) => ({ ...object, [member]: wrong(object[member] as never) })),
    }));
  });
}

/** Whether a member's format depends on another member's value. */
function isConditional(schema: Schema, member: string): boolean {
  return (schema.allOf ?? []).map(api.resolve).some((part) => part.then?.properties?.[member] !== undefined || isConditional(part, member));
}
