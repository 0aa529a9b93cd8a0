import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { schemaReferences } from '../../src/contract/generated/schema-references.ts';
import { schemas } from '../../src/contract/generated/schemas.ts';
import { BROKEN, hostileJson } from './hostile-json.ts';
import type { Late } from './known.ts';
import { byName, hostileText, target } from './values.ts';

/** A body and the headers that speak of it. */
export interface Payload {
  readonly bytes: Buffer | undefined;
  readonly headers: readonly (readonly [string, string])[];
}

type Entries = readonly (readonly [string, string])[];
type Change = (entries: Entries) => Entries;

const change: Arbitrary<Change> = fc.oneof(
  { weight: 1, arbitrary: fc.nat(3).map((at) => (entries: Entries) => entries.filter((_, i) => i !== at % entries.length)) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.nat(3), hostileJson).map(
      ([at, json]) =>
        (entries: Entries) =>
          entries.map(([name, value], i) => [name, i === at % entries.length ? json : value] as const),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'updatedAt', 'accountName', '', 'targetType', 'state', '\0'),
        hostileJson,
      )
      .map((entry) => (entries: Entries) => [...entries, entry]),
  },
  { weight: 1, arbitrary: fc.tuple(hostileText, hostileJson).map((entry) => (entries: Entries) => [entry, ...entries]) },
);

/** The members that the contract gives the body of an operation, each with a good value. */
function members(operationId: keyof typeof schemaReferences.requests): Arbitrary<Late<Entries>> {
  const name = schemaReferences.requests[operationId].slice('openapi#/$defs/'.length);
  const { properties, required = [] } = schemas.openapi.$defs[name] as { properties: object; required?: string[] };
  const optional = Object.keys(properties).filter((member) => !required.includes(member));
  const values = fc.record(Object.fromEntries(Object.keys(properties).map((member) => [member, byName[member] ?? fc.constant(() => '')])));
  return fc.tuple(values, target, fc.subarray(optional)).map(([good, aim, more]) => (known) => {
    const textOf = (member: string) => {
      if (member === 'targetType') return aim.targetType;
      return member === 'targetValue' ? aim.targetValue(known) : good[member]!(known);
    };
    return [...required, ...more].map((member) => [member, JSON.stringify(textOf(member))] as const);
  });
}

const TYPES = [
  ...[
    '',
    'text/plain',
    'text/html',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/problem+json',
  ],
  ...[
    'application/vnd.api+json',
    'application/json;;;',
    'application/json, text/plain',
    'APPLICATION/JSON',
    'application/json; charset=utf-16',
    '*/*',
  ],
  ...[
    'application/json; charset=latin1',
    'application/json; charset=zebra',
    'application/json; charset=utf-99',
    'application/json; charset=utf-7',
    'json',
    '\xe9',
  ],
  ...[
    'application/json; charset="utf-8"',
    'application/json; charset=utf-32',
    'application/jsonp',
    'application/json; boundary=x; charset=',
    ';',
  ],
];

const ENCODINGS: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  ['gzip', (bytes) => gzipSync(bytes)],
  ['deflate', (bytes) => deflateSync(bytes)],
  ['br', (bytes) => brotliCompressSync(bytes)],
  ['GZIP', (bytes) => gzipSync(bytes)],
  ['gzip', (bytes) => bytes],
  ['gzip', (bytes) => gzipSync(bytes).subarray(0, -5)],
  ['br', (bytes) => bytes],
  ['zebra', (bytes) => bytes],
  ['identity', (bytes) => bytes],
  ['gzip, gzip', (bytes) => gzipSync(gzipSync(bytes))],
  ['', (bytes) => bytes],
  ['gzip', () => gzipSync(Buffer.alloc(3_000_000, ' '))],
];

const rarely = <T>(weight: number, usual: T, odd: Arbitrary<T>): Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd });

/** The body of an operation: mostly good. Those that take none mostly get none. */
export function payload(operationId: OperationId): Arbitrary<Late<Payload>> {
  const none: Late<Payload> = () => ({ bytes: undefined, headers: [] });
  if (!(operationId in schemaReferences.requests)) return rarely(40, none, written('createExperienceAssignment'));
  return rarely(0, none, written(operationId as keyof typeof schemaReferences.requests));
}

function written(operationId: keyof typeof schemaReferences.requests): Arbitrary<Late<Payload>> {
  const text: Arbitrary<Late<string>> = fc.oneof(
    {
      weight: 18,
      arbitrary: fc.tuple(members(operationId), rarely<Change[]>(3, [], fc.array(change, { minLength: 1, maxLength: 2 }))).map(
        ([good, changes]): Late<string> =>
          (known) =>
            objectText(changes.reduce((it, alter) => alter(it), good(known))),
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...BROKEN).map((broken) => () => broken) },
  );
  const bytes = rarely<(text: string) => Buffer>(
    40,
    (it) => Buffer.from(it),
    fc.constantFrom(
      (it) => Buffer.from(it, 'utf16le'),
      (it) => Buffer.from(it, 'latin1'),
      (it) => Buffer.concat([Buffer.from(it), Buffer.from([0xff, 0xfe])]),
    ),
  );
  const type = rarely<string | undefined>(25, 'application/json', rarely<string | undefined>(12, undefined, fc.constantFrom(...TYPES)));
  const encoding = rarely<(typeof ENCODINGS)[number] | undefined>(30, undefined, fc.constantFrom(...ENCODINGS));
  return fc.tuple(text, bytes, type, encoding).map(([of, asBytes, contentType, encoded]) => (known) => {
    const plain = asBytes(of(known));
    const headers: [string, string][] = [];
    if (contentType !== undefined) headers.push(['Content-Type', contentType]);
    if (encoded !== undefined) headers.push(['Content-Encoding', encoded[0]]);
    return { bytes: encoded ? encoded[1](plain) : plain, headers };
  });
}

function objectText(entries: Entries): string {
  return `{${entries.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}
