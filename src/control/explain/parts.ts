import type { components } from '../../contract/generated/control.ts';
import { operations } from '../../contract/generated/operations.ts';
import type { FieldError } from '../../contract/outcome.ts';
import type { JournalEntry } from '../../journal/journal.ts';
import { bodyMembers, type Case, isSentAsJson, membersOf, pathValues, queryOf } from './case.ts';

type Part = components['schemas']['ExplainedPart'];

/** What a page asks for decides on nothing but the page. */
const PAGING = ['cursor', 'pageSize', 'sortBy', 'sortOrder'];

/** Where a gate looks. */
const LOOKED_AT: Readonly<Record<string, (entry: JournalEntry) => Part>> = {
  'http.unsupported-media-type': (entry) => header(entry, 'content-type'),
  'http.malformed-body': (entry) => header(entry, 'content-encoding'),
  'http.body-too-large': (entry) => header(entry, 'content-length'),
  'http.unknown-host': (entry) => header(entry, 'host'),
  'http.method-not-allowed': ({ method }) => ({ in: 'method', name: method }),
  'http.unknown-route': ({ path }) => ({ in: 'path', name: 'path', value: short(path.split('?', 1)[0]) }),
  'http.malformed-path': ({ path }) => ({ in: 'path', name: 'path', value: short(path.split('?', 1)[0]) }),
};

/** The parts of a request that its answer depended on, as they were sent. */
export function partsOf({
  entry,
  evidence,
  id,
  operationId,
  request,
}: Pick<Case, 'entry' | 'evidence' | 'id' | 'operationId' | 'request'>): Part[] {
  if (entry.door === 'authorization') return authorizationParts(entry);
  const errors = errorsIn(entry.response?.body);
  const at = [...new Set(errors.map(({ pointer }) => pointer))].flatMap((pointer) => partAt(pointer, request.path, request.body));
  if (at.length > 0) return at;
  const looked = id === undefined ? undefined : LOOKED_AT[id]?.(entry);
  if (looked) return [looked];
  // A body is not read before its type is right.
  if (entry.step === 'body' && !isSentAsJson(entry.request?.headers)) return [header(entry, 'content-type')];
  if (evidence?.cause === 'token' || evidence?.cause === 'rate') return [header(entry, 'authorization')];
  if (operationId === undefined || evidence?.cause === 'fault') return [];
  const body = bodyParts(operationId, request.body);
  const unread =
    body === undefined && request.body !== undefined ? [{ in: 'body' as const, name: 'body', value: short(request.body) }] : [];
  return [...own(pathValues(operationId, request.path), 'path'), ...queryParts(operationId, request.path), ...(body ?? []), ...unread];
}

/** The `errors` of a problem. */
export function errorsIn(body: unknown): readonly FieldError[] {
  const { errors } = (typeof body === 'object' && body !== null ? body : {}) as { errors?: unknown };
  return Array.isArray(errors) ? (errors as FieldError[]) : [];
}

function partAt(pointer: string, path: string, body: string | undefined): Part[] {
  const name = pointer.slice(1);
  if (name === '')
    return pointer === '' ? [{ in: 'body', name: 'body', value: short(body) }] : [{ in: 'query', name: 'query', value: queryText(path) }];
  if (pointer.startsWith('?')) {
    const all = queryOf(path).getAll(name);
    return [{ in: 'query', name, ...(all.length > 0 && { value: all.length === 1 ? short(all[0]) : all }) }];
  }
  const value = membersOf(body)?.[name];
  return [{ in: 'body', name, ...(value !== undefined && { value: short(value) }) }];
}

function queryText(path: string): string {
  const at = path.indexOf('?');
  return at < 0 ? '' : (short(path.slice(at + 1)) as string);
}

function queryParts(operationId: NonNullable<Case['operationId']>, path: string): Part[] {
  const names: readonly string[] = operations[operationId].queryParameters;
  const given = Object.fromEntries([...queryOf(path)].filter(([name]) => names.includes(name) && !PAGING.includes(name)));
  return own(given, 'query');
}

function bodyParts(operationId: NonNullable<Case['operationId']>, body: string | undefined): Part[] | undefined {
  const members = membersOf(body);
  if (!members) return undefined;
  const known = bodyMembers(operationId);
  return own(Object.fromEntries(Object.entries(members).filter(([member]) => known.includes(member))), 'body');
}

const own = (values: Readonly<Record<string, unknown>>, where: Part['in']): Part[] =>
  Object.entries(values).map(([name, value]) => ({ in: where, name, value: short(value) }));

function header({ request }: JournalEntry, name: string): Part {
  // Of what was refused before it was read, no header is known.
  const kept = Object.keys(request?.headers ?? {}).length > 0;
  const value = kept ? request?.headers[name] : '[not kept]';
  return { in: 'header', name, ...(value !== undefined && { value: short(value) }) };
}

/** The parameters that the description names, else all: their secrets were never kept. */
function authorizationParts({ path, request, problem }: JournalEntry): Part[] {
  const form = typeof request?.body === 'string' ? request.body : '';
  const query = own(Object.fromEntries(queryOf(path)), 'query');
  const all = [...query, ...own(Object.fromEntries(new URLSearchParams(form)), 'body')];
  const named = all.filter(({ name }) => problem?.detail?.includes(name));
  return named.length > 0 ? named : all;
}

const LONGEST = 300;

function short(value: unknown): unknown {
  return typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
}
