import type { Json } from '../../../tools/scripts/generate/documents.ts';
import type { WireRequest } from './client.ts';
import type { KnownValues } from './known-values.ts';
import { CONTENT_TYPES, createOddHeaders, ENCODINGS, type Header, METHODS } from './odd-values.ts';
import { type InterfaceName, type Operation, operations } from './operations.ts';
import { Values } from './values.ts';

const WEIGHTS: Readonly<Record<string, number>> = {
  ...{ explain: 2, addFault: 1, deleteEntity: 4, deleteSubscription: 4, reset: 10, loadState: 10, advanceClock: 10 },
  ...{ dumpState: 10, listRequests: 10, clearRequests: 10, authorize: 60, token: 80, getExperienceAssignability: 60 },
  ...{ createExperienceAssignment: 60, createExperienceConnection: 40, updateExperienceConnection: 40 },
};
const WEIGHTED_OPERATIONS = Map.groupBy(
  operations.flatMap((operation): Operation[] => {
    const weight = WEIGHTS[operation.operationId] ?? 20;
    return Array(Math.ceil(weight / (operation.collection ? 10 : 1))).fill(operation);
  }),
  ({ interfaceName }) => interfaceName,
);
const REQUEST_SHARES: Readonly<Record<InterfaceName, number>> = { api: 9, control: 8, auth: 3 };

export function generateRequest(seed: number, interfaces: readonly InterfaceName[], known: KnownValues): WireRequest {
  const values = new Values(seed, known);
  const interfaceName = values.pickOne(interfaces.flatMap((name): InterfaceName[] => Array(REQUEST_SHARES[name]).fill(name)));
  const operation = values.pickOne(WEIGHTED_OPERATIONS.get(interfaceName)!);
  const { document, schemas, isForm } = operation;
  const pickRarely = <T>(times: number, usual: T, others: readonly T[]): T => (values.rollOneIn(times) ? values.pickOne(others) : usual);

  const generatePart = (location: 'path' | 'query' | 'header') => values.generateValid(document, schemas[location]) as Json;
  const unusualBody = values.rollOneIn(40) ? values.generateOddValue() : undefined;
  const body = schemas.body ? values.generateValid(document, schemas.body) : unusualBody;
  const parts: Json = { path: generatePart('path'), query: generatePart('query'), header: generatePart('header'), body };
  const members = listMemberReferences(parts);
  const mutations = values.rollOneIn(3) && members.length > 0 ? values.pickOne([1, 2]) : 0;
  for (let n = 0; n < mutations; n++) mutate(values.pickOne(members), values);

  const method = pickRarely(40, operation.method, METHODS);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => percentEncode(serializeValue(parts.path[name])));
  const hasOddPath = values.rollOneIn(40);
  const search = encodeForm(parts.query);
  const query = search && `?${search}`;
  const target = (hasOddPath ? values.garble(path) : path) + (values.rollOneIn(40) ? values.garble(query) : query);

  const extras = values.rollOneIn(8) ? values.pickOne(createOddHeaders(known.getValue('tokens', 0))) : [];
  const headers: Header[] = [...extras];
  for (const [name, value] of Object.entries(parts.header))
    if (/^[\w-]+$/.test(name)) headers.push([name, removeUnprintable(serializeValue(value))]);
  const token = values.rollOneIn(3)
    ? values.pickFromPool(values.pickOne(['tokens', 'accessToken', 'access_token']))
    : known.getValue('tokens', 0);
  const hasToken = extras.some(([name]) => name === 'Authorization') || values.rollOneIn(50);
  if (interfaceName === 'api' && !hasToken) headers.push(['Authorization', `Bearer ${token}`]);
  const type = pickRarely(25, isForm ? 'application/x-www-form-urlencoded' : 'application/json', ['', ...CONTENT_TYPES]);
  if (operation.method !== 'GET' && type !== '') headers.push(['Content-Type', type]);

  const text = isForm ? encodeForm(Object(parts.body)) : (JSON.stringify(parts.body) ?? '');
  // A garbled destinationUrl could send deliveries to another machine.
  const mayGarble = !text.includes('destinationUrl') && values.rollOneIn(12);
  const bytes = Buffer.from(mayGarble ? (values.rollOneIn(2) ? values.insertRawValue(text) : values.garble(text)) : text);
  const [encoding, encode] = pickRarely(25, undefined, ENCODINGS) ?? [];
  if (encoding !== undefined && parts.body !== undefined) headers.push(['Content-Encoding', encoding]);
  return {
    operation: method === operation.method && !hasOddPath ? operation : undefined,
    method,
    target: target.replaceAll(/[^\x21-\x7e\x80-\xff]/g, '?'),
    headers,
    body: parts.body === undefined ? undefined : (encode?.(bytes) ?? bytes),
  };
}

const MEMBER_NAMES = ['__proto__', 'constructor', 'id', 'updatedAt', 'state', '', '\0', 'x'];
/** Members that are never changed, because a change could cause remote deliveries or long waits. */
const FIXED_MEMBERS = 'destinationUrl status times count timeoutMs maxWaitMs latencyMs latencyMaxMs path query header'.split(' ');

type MemberReference = readonly [parent: Json, key: string];

function mutate([parent, key]: MemberReference, values: Values): void {
  const change = values.pickOne(['remove', 'alter', 'add', 'replace', 'replace']);
  if (change === 'remove') delete parent[key];
  else if (change === 'alter') setMember(parent, key, values.garble(serializeValue(parent[key])));
  else setMember(parent, change === 'add' ? values.pickOne(MEMBER_NAMES) : key, values.generateOddValue());
}

function listMemberReferences(value: Json): MemberReference[] {
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = typeof member === 'object' && member !== null ? listMemberReferences(member) : [];
    return FIXED_MEMBERS.includes(key) ? inner : [[value, key], ...inner];
  });
}

/** Unlike `parent[key] = value`, can also create a member with the name `__proto__`. */
function setMember(parent: Json, key: string, value: unknown): void {
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}

function encodeForm(values: Json): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => [value].flat().map((one) => [name, serializeValue(one)]));
  return pairs.map((pair) => pair.map((text) => percentEncode(text!)).join('=')).join('&');
}

function serializeValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

const removeUnprintable = (text: string) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?');
const percentEncode = (text: string) => encodeURIComponent(text.toWellFormed());
