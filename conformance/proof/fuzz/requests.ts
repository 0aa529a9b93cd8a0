import fc, { type Arbitrary } from 'fast-check';
import { BODIES, ENCODINGS, type Encoding, HEADERS, type Header, METHODS, PATHS, QUERIES, same, type Text, TYPES } from './odd.ts';
import { type Door, type Operation, operations } from './operations.ts';
import { hostile, mutation, textOf, valid } from './values.ts';
import type { Known } from './world.ts';

/** A generated request: data in which placeholders stand for what only the world under test knows. */
export interface FuzzRequest {
  readonly operation: Operation;
  readonly method: string;
  readonly parts: Parts;
  readonly headers: readonly Header[];
  readonly changePath: Text;
  readonly changeQuery: Text;
  readonly changeBody: Text;
  readonly encoding: Encoding | undefined;
}
interface Parts {
  readonly inPath: Readonly<Record<string, unknown>>;
  readonly inQuery: Readonly<Record<string, unknown>>;
  readonly inHeader: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}
/** As it is sent. */
export interface WireRequest {
  /** Undefined if a change of the method or the path may have led to another operation, or to none. */
  readonly operation: Operation | undefined;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | undefined;
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

/** A valid request, in two of three cases; otherwise one or two of its values are changed. Now and then something around them is odd. */
function requestOf(operation: Operation): Arbitrary<FuzzRequest> {
  const { document, parameters, body, form, door, method } = operation;
  const parts = fc.record({
    inPath: valid(document, parameters.path),
    inQuery: valid(document, parameters.query),
    inHeader: valid(document, parameters.header),
    body: body ? valid(document, body) : rarely<unknown>(40, undefined, hostile),
  });
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const whole = fc.record({
    parts,
    mutations: rarely<((value: object) => void)[]>(2, [], fc.array(mutation, { minLength: 1, maxLength: 2 })),
    method: rarely(40, method, fc.constantFrom(...METHODS)),
    credentials: door === 'api' ? authorization : fc.constant<readonly Header[]>([]),
    type: rarely<string | undefined>(25, type, fc.constantFrom(undefined, ...TYPES)),
    extras: rarely<readonly Header[]>(8, [], fc.constantFrom(...HEADERS)),
    changePath: rarely(40, same, fc.constantFrom(...PATHS)),
    changeQuery: rarely(40, same, fc.constantFrom(...QUERIES)),
    changeBody: rarely(25, same, fc.constantFrom(...BODIES)),
    encoding: rarely<Encoding | undefined>(25, undefined, fc.constantFrom(...ENCODINGS)),
  });
  return whole.map(({ mutations, credentials, type, extras, ...rest }) => {
    const changed = structuredClone(rest.parts) as Parts;
    for (const mutate of mutations) mutate(changed);
    const headers: Header[] = extras.some(([name]) => name === 'Authorization') ? [...extras] : [...credentials, ...extras];
    if (method !== 'GET' && type !== undefined) headers.push(['Content-Type', type]);
    if (changed.body !== undefined && rest.encoding) headers.push(['Content-Encoding', rest.encoding[0]]);
    return { ...rest, operation, parts: changed, headers };
  });
}

/** Expensive operations, and those after which the others find nothing, are seldom sent; those that change state often. */
const WEIGHTS: Readonly<Record<string, number>> = {
  ...{ explain: 2, deleteEntity: 4, deleteSubscription: 4, reset: 10, loadState: 10, advanceClock: 10, saveSnapshot: 10, dumpState: 10 },
  ...{ listRequests: 10, clearRequests: 10, answerLogin: 40, resumeLogin: 40, authorize: 60, token: 80 },
  ...{ getExperienceAssignability: 60, createExperienceAssignment: 60, createExperienceConnection: 40, updateExperienceConnection: 40 },
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

/** The request as it is sent to a world. */
export function onTheWire({ operation, parts, ...request }: FuzzRequest, known: Known): WireRequest {
  const segment = (_: string, name: string) => known.fill(percent(textOf(parts.inPath[name])), percent);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, segment);
  const search = pairs(parts.inQuery, known);
  const own = Object.entries(parts.inHeader).filter(([name, value]) => /^[\w-]+$/.test(name) && value !== undefined);
  const all = [...own.map(([name, value]) => [name, printable(textOf(value))] as const), ...request.headers];
  const isOwn = request.method === operation.method && request.changePath === same;
  const text = operation.form ? pairs(Object(parts.body) as Parts['inQuery'], known) : known.fillJson(JSON.stringify(parts.body) ?? '');
  const bytes = Buffer.from(request.changeBody(text));
  return {
    operation: isOwn ? operation : undefined,
    method: request.method,
    target: request.changePath(path) + request.changeQuery(search === '' ? '' : `?${search}`),
    headers: all.map(([name, value]) => [name, known.fill(value, printable)] as const),
    body: parts.body === undefined ? undefined : (request.encoding?.[1](bytes) ?? bytes),
  };
}

/** As in a query or a form. The values of a list are given one after the other. */
function pairs(values: Parts['inQuery'], known: Known): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, name === 'client_assertion' ? known.signed(value) : value] as const)
    .flatMap(([name, value]) => [value].flat().map((one) => `${percent(name)}=${known.fill(percent(textOf(one)), percent)}`))
    .join('&');
}

function printable(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?');
}

/** Encodes every character; a lone surrogate as the three bytes that careless encoders write for it. */
function percent(text: string): string {
  return text.replaceAll(/./gsu, (character) => {
    if (character.isWellFormed()) return encodeURIComponent(character);
    const code = character.charCodeAt(0);
    const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
    return bytes.map((byte) => `%${byte.toString(16)}`).join('');
  });
}
