import fc, { type Arbitrary } from 'fast-check';
import type { WireRequest } from './client.ts';
import type { Known } from './known.ts';
import {
  BODIES,
  type Change,
  ENCODINGS,
  type Encoding,
  HEADERS,
  type Header,
  hostile,
  METHODS,
  PATHS,
  QUERIES,
  TYPES,
  unchanged,
} from './odd.ts';
import { type Door, type Json, type Operation, operations } from './operations.ts';
import { valid } from './values.ts';

/** A request in which placeholders stand for values that are only known when it is sent. */
export interface FuzzRequest {
  readonly operation: Operation;
  readonly method: string;
  readonly parts: { readonly path: Json; readonly query: Json; readonly header: Json; readonly body: unknown };
  readonly headers: readonly Header[];
  readonly changePath: Change;
  readonly changeQuery: Change;
  readonly changeBody: Change;
  readonly encoding: Encoding | undefined;
}

const rarely = <T>(weight: number, usual: T, odd: Arbitrary<T>): Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd });

const bearer = (token: string): readonly Header[] => [['Authorization', `Bearer ${token}`]];
const authorization = fc.oneof(
  { weight: 60, arbitrary: fc.constant(bearer('~tokens.0~')) },
  { weight: 25, arbitrary: fc.nat(40).map((index) => bearer(`~tokens.${index}~`)) },
  { weight: 10, arbitrary: fc.nat(40).map((index) => bearer(`~minted.${index}~`)) },
  { weight: 2, arbitrary: fc.constant<readonly Header[]>([]) },
);

/** Two of three requests are valid in their parts. One or two members of the others are changed. Now and then something around the parts is odd. */
function requestOf(operation: Operation): Arbitrary<FuzzRequest> {
  const { document, schemas, isForm, door, method } = operation;
  const part = (place: 'path' | 'query' | 'header') => valid(document, schemas[place]) as Arbitrary<Json>;
  const body = schemas.body ? valid(document, schemas.body) : rarely<unknown>(40, undefined, hostile);
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const whole = fc.record({
    parts: fc.record({ path: part('path'), query: part('query'), header: part('header'), body }),
    mutations: rarely<Mutation[]>(2, [], fc.array(mutation, { minLength: 1, maxLength: 2 })),
    method: rarely(40, method, fc.constantFrom(...METHODS)),
    credentials: door === 'api' ? authorization : fc.constant<readonly Header[]>([]),
    type: rarely<string | undefined>(25, type, fc.constantFrom(undefined, ...TYPES)),
    extras: rarely<readonly Header[]>(8, [], fc.constantFrom(...HEADERS)),
    changePath: rarely(40, unchanged, fc.constantFrom(...PATHS)),
    changeQuery: rarely(40, unchanged, fc.constantFrom(...QUERIES)),
    changeBody: rarely(25, unchanged, fc.constantFrom(...BODIES)),
    encoding: rarely<Encoding | undefined>(25, undefined, fc.constantFrom(...ENCODINGS)),
  });
  return whole.map(({ mutations, credentials, type, extras, ...rest }) => {
    const parts = structuredClone(rest.parts);
    for (const mutate of mutations) mutate(parts);
    const headers: Header[] = extras.some(([name]) => name === 'Authorization') ? [...extras] : [...credentials, ...extras];
    if (method !== 'GET' && type !== undefined) headers.push(['Content-Type', type]);
    if (parts.body !== undefined && rest.encoding) headers.push(['Content-Encoding', rest.encoding[0]]);
    return { ...rest, operation, parts, headers };
  });
}

const ALTERATIONS: readonly ((text: string) => unknown)[] = [
  (text) => text.toUpperCase(),
  (text) => `${text}\n`,
  (text) => ` ${text}`,
  (text) => `${text}\0`,
  (text) => `${text}\ud83d`,
  (text) => text.slice(0, -1),
  (text) => text.replace(/[0-9a-zA-Z]/, '٣'),
  (text) => [text, text],
  (text) => ({ [text]: text }),
];
const NAMES = ['__proto__', 'constructor', 'id', 'updatedAt', 'state', '', '\0', 'x'];
/** These are never changed: deliveries would go to other machines, and requests would wait. */
const FIXED = 'destinationUrl status times count timeoutMs maxWaitMs latencyMs latencyMaxMs path query header'.split(' ');

type Mutation = (parts: Json) => void;

/** Removes, alters, replaces or adds a member anywhere in the parts. */
const mutation: Arbitrary<Mutation> = fc
  .record({
    kind: fc.nat(4),
    place: fc.nat(9_999),
    alter: fc.constantFrom(...ALTERATIONS),
    name: fc.constantFrom(...NAMES),
    value: hostile,
  })
  .map(({ kind, place, alter, name, value }) => (parts) => {
    const places = placesIn(parts);
    const [parent, key] = places[place % places.length] ?? [];
    if (parent === undefined || key === undefined) return;
    if (kind === 0) delete parent[key];
    else if (kind === 1) setMember(parent, key, alter(textOf(parent[key])));
    else setMember(parent, kind === 2 ? name : key, value);
  });

function placesIn(value: Json): (readonly [Json, string])[] {
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = typeof member === 'object' && member !== null ? placesIn(member) : [];
    return FIXED.includes(key) ? inner : [[value, key] as const, ...inner];
  });
}

/** Unlike an assignment, this makes `__proto__` a member. */
function setMember(parent: Json, key: string, value: unknown): void {
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Expensive operations, and those after which the others find nothing, are seldom sent; those that change state often. */
const WEIGHTS: Readonly<Record<string, number>> = {
  ...{ explain: 2, deleteEntity: 4, deleteSubscription: 4, reset: 10, loadState: 10, advanceClock: 10, saveSnapshot: 10, dumpState: 10 },
  ...{ listRequests: 10, clearRequests: 10, authorize: 60, token: 80, getExperienceAssignability: 60 },
  ...{ createExperienceAssignment: 60, createExperienceConnection: 40, updateExperienceConnection: 40 },
};
const SHARES: Readonly<Record<Door, number>> = { api: 45, control: 40, auth: 15 };

/** Any request to these doors. */
export function anyRequest(doors: readonly Door[]): Arbitrary<FuzzRequest> {
  const weightOf = ({ operationId, collection }: Operation) => Math.ceil((WEIGHTS[operationId] ?? 20) / (collection ? 4 : 1));
  const toDoor = (door: Door) => {
    const own = operations.filter((one) => one.door === door);
    return fc.oneof(...own.map((one) => ({ weight: weightOf(one), arbitrary: requestOf(one) })));
  };
  return fc.oneof(...doors.map((door) => ({ weight: SHARES[door], arbitrary: toDoor(door) })));
}

/** The request as it is sent to a kit. */
export function onTheWire({ operation, parts, ...request }: FuzzRequest, known: Known): WireRequest {
  const encoded = (text: string) => known.fill(percentEncoded(text), percentEncoded);
  const pairs = (values: Json) =>
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, name === 'client_assertion' ? known.signed(value) : value] as const)
      // A list becomes several pairs.
      .flatMap(([name, value]) => [value].flat().map((one) => `${percentEncoded(name)}=${encoded(textOf(one))}`))
      .join('&');
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(textOf(parts.path[name])));
  const search = pairs(parts.query);
  const own = Object.entries(parts.header).filter(([name, value]) => /^[\w-]+$/.test(name) && value !== undefined);
  const text = operation.isForm ? pairs(Object(parts.body)) : known.fillJson(JSON.stringify(parts.body) ?? '');
  const bytes = Buffer.from(request.changeBody(text));
  return {
    operation: request.method === operation.method && request.changePath === unchanged ? operation : undefined,
    method: request.method,
    target: request.changePath(path) + request.changeQuery(search === '' ? '' : `?${search}`),
    headers: [...own.map(([name, value]) => [name, printable(textOf(value))] as const), ...request.headers].map(
      ([name, value]) => [name, known.fill(value, printable)] as const,
    ),
    body: parts.body === undefined ? undefined : (request.encoding?.[1](bytes) ?? bytes),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

const printable = (text: string) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?');
const percentEncoded = (text: string) => encodeURIComponent(text.toWellFormed());
