import type { WireRequest } from './client.ts';
import type { Known } from './known.ts';
import { ENCODINGS, type Header, METHODS, oddHeaders, TYPES } from './odd.ts';
import { type Door, type Json, type Operation, operations } from './operations.ts';
import { Values } from './values.ts';

/**
 * The relative frequency of each operation. The default is 20. Operations that change state have high values. Expensive operations have low
 * values, and so do operations that delete entities.
 */
const WEIGHTS: Readonly<Record<string, number>> = {
  ...{ explain: 2, addFault: 1, deleteEntity: 4, deleteSubscription: 4, reset: 10, loadState: 10, advanceClock: 10 },
  ...{ dumpState: 10, listRequests: 10, clearRequests: 10, authorize: 60, token: 80, getExperienceAssignability: 60 },
  ...{ createExperienceAssignment: 60, createExperienceConnection: 40, updateExperienceConnection: 40 },
};
/**
 * The operations of each part of the kit (api, control or auth). An operation is repeated according to its weight, so that a random choice
 * follows the weights.
 */
const WEIGHTED = Map.groupBy(
  operations.flatMap((operation): Operation[] => {
    const weight = WEIGHTS[operation.operationId] ?? 20;
    return Array(Math.ceil(weight / (operation.collection ? 10 : 1))).fill(operation);
  }),
  ({ door }) => door,
);
const SHARES: Readonly<Record<Door, number>> = { api: 9, control: 8, auth: 3 };

/**
 * Generates a request to one of the given parts of the kit. In two of three requests, the path, query, headers and body are valid. In the
 * other requests, one or two of their members are changed. A few requests have an unusual method, path, header or encoding as well.
 */
export function generateRequest(seed: number, doors: readonly Door[], known: Known): WireRequest {
  const values = new Values(seed, known);
  const door = values.one(doors.flatMap((one): Door[] => Array(SHARES[one]).fill(one)));
  const operation = values.one(WEIGHTED.get(door)!);
  const { document, schemas, isForm } = operation;
  /** Returns one of `others` in one of `times` calls on average, and `usual` in all other calls. */
  const rarely = <T>(times: number, usual: T, others: readonly T[]): T => (values.once(times) ? values.one(others) : usual);

  const part = (place: 'path' | 'query' | 'header') => values.valid(document, schemas[place]) as Json;
  const unusualBody = values.once(40) ? values.odd() : undefined;
  const body = schemas.body ? values.valid(document, schemas.body) : unusualBody;
  const parts: Json = { path: part('path'), query: part('query'), header: part('header'), body };
  const places = placesIn(parts);
  const mutations = values.once(3) && places.length > 0 ? values.one([1, 2]) : 0;
  for (let n = 0; n < mutations; n++) mutate(values.one(places), values);

  const method = rarely(40, operation.method, METHODS);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => percentEncoded(textOf(parts.path[name])));
  const hasOddPath = values.once(40);
  const search = formOf(parts.query);
  const query = search && `?${search}`;
  const target = (hasOddPath ? values.garbled(path) : path) + (values.once(40) ? values.garbled(query) : query);

  const extras = values.once(8) ? values.one(oddHeaders(known.at('tokens', 0))) : [];
  const headers: Header[] = [...extras];
  for (const [name, value] of Object.entries(parts.header)) if (/^[\w-]+$/.test(name)) headers.push([name, printable(textOf(value))]);
  const token = values.once(3) ? values.pooled(values.one(['tokens', 'accessToken', 'access_token'])) : known.at('tokens', 0);
  const hasToken = extras.some(([name]) => name === 'Authorization') || values.once(50);
  if (door === 'api' && !hasToken) headers.push(['Authorization', `Bearer ${token}`]);
  const type = rarely(25, isForm ? 'application/x-www-form-urlencoded' : 'application/json', ['', ...TYPES]);
  if (operation.method !== 'GET' && type !== '') headers.push(['Content-Type', type]);

  const text = isForm ? formOf(Object(parts.body)) : (JSON.stringify(parts.body) ?? '');
  // Do not garble a destinationUrl, because it could then name another machine, and deliveries must stay on this machine.
  const mayGarble = !text.includes('destinationUrl') && values.once(12);
  const bytes = Buffer.from(mayGarble ? (values.once(2) ? values.withRawValue(text) : values.garbled(text)) : text);
  const [encoding, encode] = rarely(25, undefined, ENCODINGS) ?? [];
  if (encoding !== undefined && parts.body !== undefined) headers.push(['Content-Encoding', encoding]);
  return {
    operation: method === operation.method && !hasOddPath ? operation : undefined,
    method,
    target: target.replaceAll(/[^\x21-\x7e\x80-\xff]/g, '?'),
    headers,
    body: parts.body === undefined ? undefined : (encode?.(bytes) ?? bytes),
  };
}

const NAMES = ['__proto__', 'constructor', 'id', 'updatedAt', 'state', '', '\0', 'x'];
/** Members that are never changed. A change could send deliveries to other machines, or make a request wait for a long time. */
const FIXED = 'destinationUrl status times count timeoutMs maxWaitMs latencyMs latencyMaxMs path query header'.split(' ');

type Place = readonly [parent: Json, key: string];

/** Changes an object: removes, alters or replaces the member, or adds another member. */
function mutate([parent, key]: Place, values: Values): void {
  const change = values.one(['remove', 'alter', 'add', 'replace', 'replace']);
  if (change === 'remove') delete parent[key];
  else if (change === 'alter') setMember(parent, key, values.garbled(textOf(parent[key])));
  else setMember(parent, change === 'add' ? values.one(NAMES) : key, values.odd());
}

function placesIn(value: Json): Place[] {
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = typeof member === 'object' && member !== null ? placesIn(member) : [];
    return FIXED.includes(key) ? inner : [[value, key], ...inner];
  });
}

/** Sets a member of an object. Unlike `parent[key] = value`, this can also create a member with the name `__proto__`. */
function setMember(parent: Json, key: string, value: unknown): void {
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Encodes an object as a query or form. A list is encoded as several pairs with the same name. */
function formOf(values: Json): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => [value].flat().map((one) => [name, textOf(one)]));
  return pairs.map((pair) => pair.map((text) => percentEncoded(text!)).join('=')).join('&');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

const printable = (text: string) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?');
const percentEncoded = (text: string) => encodeURIComponent(text.toWellFormed());
