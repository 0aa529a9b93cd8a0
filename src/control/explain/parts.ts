import type { Evidence } from '../../contract/evidence.ts';
import type { components } from '../../contract/generated/control.ts';
import { operations } from '../../contract/generated/operations.ts';
import type { SentRequest, Values } from './sent-request.ts';

type Part = components['schemas']['ExplainedPart'];

/** Parameters that select and sort a page of a list. An explanation of an empty list omits these parameters. */
const PAGING = ['cursor', 'pageSize', 'sortBy', 'sortOrder'];
/** The request header that causes each problem, by problem id. */
const HEADERS: Readonly<Record<string, string>> = {
  'http.unsupported-media-type': 'content-type',
  'http.malformed-body': 'content-encoding',
  'http.body-too-large': 'content-length',
  'http.unknown-host': 'host',
};

/** Returns the parameters, headers and members of a request that determined the response, with the values in the request. */
export function partsOf(sent: SentRequest, cause: Evidence['cause'] | undefined): Part[] {
  const { entry, operationId, errors, problemId = '', query, members, pathValues } = sent;
  const body = members ?? (entry.request?.body === undefined ? {} : { body: entry.request.body });
  if (entry.door === 'authorization') return authorizationParts(sent);
  if (errors.length > 0) {
    const pointers = new Set(errors.map(({ pointer }) => pointer));
    return [...pointers].map((pointer) => partAt(pointer, sent));
  }
  if (problemId === 'http.method-not-allowed') return [{ in: 'method', name: entry.method }];
  if (problemId === 'http.unknown-route' || problemId === 'http.malformed-path') return [part('path', 'path', entry.path.split('?', 1)[0])];
  const isTypeWrong = entry.step === 'body' && !sent.isJson;
  const name = HEADERS[problemId] ?? (isTypeWrong ? 'content-type' : cause === 'token' || cause === 'rate' ? 'authorization' : undefined);
  if (name !== undefined) return [part('header', name, entry.request?.headers[name])];
  if (operationId === undefined || cause === 'fault') return [];
  const filters = (operations[operationId].queryParameters as readonly string[]).filter((one) => query.has(one) && !PAGING.includes(one));
  const values = Object.fromEntries(filters.map((one) => [one, query.get(one)]));
  return [...partsIn('path', pathValues), ...partsIn('query', values), ...partsIn('body', body)];
}

/** @param pointer a JSON pointer into the body, or `?name` for a query parameter. */
function partAt(pointer: string, { query, members, entry }: SentRequest): Part {
  const name = pointer.slice(1);
  if (pointer === '?') return part('query', 'query', String(query));
  if (pointer === '') return part('body', 'body', entry.request?.body ?? '');
  if (!pointer.startsWith('?')) return part('body', name, members?.[name]);
  const all = query.getAll(name);
  return part('query', name, all.length > 1 ? all : all[0]);
}

const MAX_LENGTH = 300;

function part(where: Part['in'], name: string, sent: unknown): Part {
  const value = typeof sent === 'string' && sent.length > MAX_LENGTH ? `${sent.slice(0, MAX_LENGTH)}…` : sent;
  return { in: where, name, ...(value !== undefined && { value }) };
}

function partsIn(where: Part['in'], values: Values): Part[] {
  return Object.entries(values).map(([name, value]) => part(where, name, value));
}

/** The parameters that the description of an OAuth error mentions, or all parameters if the description mentions none. */
function authorizationParts({ query, entry: { request, problem } }: SentRequest): Part[] {
  const form = new URLSearchParams(typeof request?.body === 'string' ? request.body : '');
  const all = [...partsIn('query', Object.fromEntries(query)), ...partsIn('body', Object.fromEntries(form))];
  const mentioned = all.filter(({ name }) => problem?.detail?.includes(name));
  return mentioned.length > 0 ? mentioned : all;
}
