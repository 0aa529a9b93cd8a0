import fc, { type Arbitrary } from 'fast-check';
import { BOUNDED, EXAMPLES, FIXED, from, KEYS, MOSTLY_ABSENT, NAMED, placeholder, target } from './named.ts';
import { type Document, resolve, type Schema } from './operations.ts';

/** Values that a schema permits, as far as it says so in itself. */
export function valid(document: Document, schema: Schema, name = ''): Arbitrary<unknown> {
  if (schema.pool) return from(schema.pool);
  const named = NAMED[name] ?? NAMED[schema.$ref?.split('/').at(-1) ?? ''];
  if (named && schema.const === undefined && schema.enum === undefined) return named;
  if (schema.$ref) {
    const example = EXAMPLES[schema.$ref.split('/').at(-1)!];
    const any = valid(document, resolve(document, schema), name);
    return example ? fc.oneof(example, any) : any;
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return fc.oneof(...alternatives.map((one) => valid(document, one, name)));
  const { type = schema.properties || schema.allOf ? 'object' : undefined } = schema;
  if (typeof type === 'object') return fc.oneof(...type.map((one) => valid(document, { ...schema, type: one }, name)));
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (type === 'object') return validObject(document, schema, name);
  if (type === 'array') {
    const items = valid(document, schema.items ?? {}, name);
    const bounds = { minLength: schema.minItems ?? 0, maxLength: 4 };
    return schema.uniqueItems ? fc.uniqueArray(items, { ...bounds, selector: (one) => JSON.stringify(one) }) : fc.array(items, bounds);
  }
  if (type === 'integer' || type === 'number')
    return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: Math.min(maximum, 1e9) }));
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'string') return validString(schema);
  return fc.jsonValue({ maxDepth: 2 });
}

function validString({ pattern, format }: Schema): Arbitrary<string> {
  if (format === 'date-time')
    return fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'uri') return fc.constant('http://127.0.0.1:3000/callback');
  if (pattern) return fc.stringMatching(new RegExp(pattern), { maxLength: 60 });
  return fc.constantFrom('Ada', 'experience', 'x', 'Zoë', '1');
}

function validObject(document: Document, schema: Schema, name: string): Arbitrary<object> {
  const parts = [schema, ...(schema.allOf ?? []).map((one) => resolve(document, one))];
  const properties = Object.assign({}, ...parts.map((part) => part.properties)) as Record<string, Schema>;
  const required = parts.flatMap((part) => part.required ?? []);
  const requiredKeys = Object.keys(properties).filter((key) => required.includes(key) || BOUNDED.includes(key));
  const member = ([key, one]: [string, Schema]) => {
    const value = valid(document, one, key);
    const seldom = MOSTLY_ABSENT.includes(key) && !requiredKeys.includes(key);
    return [key, seldom ? fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, value) : value] as const;
  };
  const members = Object.fromEntries(Object.entries(properties).map(member));
  const record = fc.record<Record<string, unknown>>(members, { requiredKeys, noNullPrototype: true });
  if (typeof schema.additionalProperties === 'object') {
    const key = name in KEYS ? from(KEYS[name]!) : fc.constantFrom('one', 'x-two', 'content-type');
    return fc.dictionary(key, valid(document, schema.additionalProperties), { maxKeys: 3, noNullPrototype: true });
  }
  if (!('targetType' in properties)) return record;
  const value = 'target' in properties ? 'target' : 'targetValue';
  return fc.tuple(record, target).map(([object, [type, text]]) => ({
    ...object,
    ...('targetType' in object && { targetType: type }),
    ...(value in object && { [value]: text }),
  }));
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
/** JSON that JSON.stringify does not write, for `"~json.3~"`. */
export const RAW_JSON: readonly string[] = [
  ...'null true 0 -0 1.5 -1 1e300 1e400 -1e-400 9007199254740993 123456789012345678901234567890 [] {} [null] [[1]] {"a":1}'.split(' '),
  ...String.raw`"\u0000" "\ud800" "\udc00x" {"__proto__":{"x":1}} {"constructor":{"prototype":{}}} {"toString":1} {"a":1,"a":2}`.split(' '),
  ...[nested(50), nested(5_000), `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`, `"${'a'.repeat(50_000)}"`],
];

/** Strings that programs trip over: NUL, lone surrogates, names of prototypes, almost-numbers, almost-UUIDs, digits of other scripts. */
const TRAPS = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udfff',
    '\udc00\ud800',
    '\ufeff',
    '\u202etxt',
    '💥',
    'İı',
    'ACTIVE\n',
    "' OR 1=1 --",
    '9'.repeat(400),
  ],
  ...'__proto__ constructor toString hasOwnProperty null undefined NaN true [] {} 0 -0 -1 1.0 1e1 0x10 ٣ % %00 %ZZ .. / \\ "'.split(' '),
  ...'{{7*7}} ../../etc/passwd <script>alert(1)</script> 1,000 1s1s phone_number +1 +0123456789 +1206555O100 +١٢٠٦٥٥٥٠١٠٠'.split(' '),
  ...'+999999999999999 +9999999999999999 2026-02-30T00:00:00.000Z 9999-12-31T23:59:59.999Z +275760-09-13T00:00:00.000Z'.split(' '),
  ...'00000000-0000-0000-0000-000000000000 ffffffff-ffff-ffff-ffff-ffffffffffff urn:uuid:01900000-0000-7000-8000-000000000000'.split(' '),
  'a'.repeat(5_000),
];
export const hostile: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TRAPS) },
  // PostgreSQL stores neither.
  { weight: 1, arbitrary: fc.constantFrom('a\0b', 'a\ud800b') },
  { weight: 3, arbitrary: fc.nat(RAW_JSON.length - 1).map((index) => placeholder('json', index)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.array(fc.nat(0xffff), { maxLength: 12 }).map((units) => String.fromCharCode(...units)) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom('users', 'accounts', 'assignments', 'subscriptions', 'deliveries').chain(from) },
);

type Alter = (text: string) => unknown;
const ALTERATIONS: readonly Alter[] = [
  (text) => text.toUpperCase(),
  (text) => `${text}\n`,
  (text) => ` ${text}`,
  (text) => `${text}\0`,
  (text) => `${text}\ud83d`,
  (text) => text.slice(0, -1),
  (text) => text + text,
  (text) => text.replace(/[0-9a-zA-Z]/, '٣'),
  (text) => [text, text],
  (text) => ({ [text]: text }),
];

type Members = Record<string, unknown>;
type Change = (parent: Members, key: string) => unknown;
const NAMES = ['__proto__', 'constructor', 'id', 'updatedAt', 'state', '', '\0', 'x'];
const change: Arbitrary<Change> = fc.oneof(
  fc.constant<Change>((parent, key) => (Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key])),
  { weight: 2, arbitrary: hostile.map<Change>((value) => (parent, key) => set(parent, key, value)) },
  fc.constantFrom(...ALTERATIONS).map<Change>((alter) => (parent, key) => set(parent, key, alter(textOf(parent[key])))),
  fc.tuple(fc.constantFrom(...NAMES), hostile).map<Change>(
    ([name, value]) =>
      (parent) =>
        Array.isArray(parent) ? parent.push(value) : set(parent, name, value),
  ),
);

/** Unlike an assignment, it makes `__proto__` a member. */
function set(parent: Members, key: string, value: unknown): void {
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}

/** As a string, or in JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** One change somewhere in a value: a member is missing, altered, hostile, or one too many. Mutates what it is given. */
export const mutation: Arbitrary<(value: object) => void> = fc.tuple(change, fc.nat(9_999)).map(([apply, at]) => (value) => {
  const places = placesIn(value as Members);
  const place = places[at % places.length];
  if (place) apply(...place);
});

function placesIn(value: Members): (readonly [Members, string])[] {
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = typeof member === 'object' && member !== null ? placesIn(member as Members) : [];
    return FIXED.includes(key) ? inner : [[value, key] as const, ...inner];
  });
}
