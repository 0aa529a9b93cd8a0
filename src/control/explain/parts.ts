import type { Evidence } from '../../contract/evidence.ts';
import type { components } from '../../contract/generated/control.ts';
import { operations } from '../../contract/generated/operations.ts';
import type { SentRequest, Values } from './sent-request.ts';

type Part = components['schemas']['ExplainedPart'];

/** Parameters that select and sort a list page. Explanations for empty lists omit them. */
const PAGING_PARAMETERS = ['cursor', 'pageSize', 'sortBy', 'sortOrder'];
const HEADER_BY_PROBLEM: Readonly<Record<string, string>> = {
  'http.unsupported-media-type': 'content-type',
  'http.malformed-body': 'content-encoding',
  'http.body-too-large': 'content-length',
  'http.unknown-host': 'host',
  'http.preference-not-documented': 'prefer',
};

/** Returns the parameters, headers and members that determined the response. */
export function listParts(sent: SentRequest, cause: Evidence['cause'] | undefined): Part[] {
  const { entry, operationId, errors, problemId = '', query, members, pathValues } = sent;
  const body = members ?? (entry.request?.body === undefined ? {} : { body: entry.request.body });
  if (entry.door === 'authorization') return listAuthorizationParts(sent);
  if (errors.length > 0) {
    const pointers = new Set(errors.map(({ pointer }) => pointer));
    return [...pointers].map((pointer) => findPart(pointer, sent));
  }
  if (problemId === 'http.method-not-allowed') return [{ location: 'method', name: entry.method }];
  if (problemId === 'http.unknown-route' || problemId === 'http.malformed-path')
    return [createPart('path', 'path', entry.path.split('?', 1)[0])];
  if (cause === 'preference') return [createPart('header', 'prefer', entry.request?.headers.prefer)];
  const isTypeWrong = entry.step === 'body' && !sent.isJson;
  const name =
    HEADER_BY_PROBLEM[problemId] ?? (isTypeWrong ? 'content-type' : cause === 'token' || cause === 'rate' ? 'authorization' : undefined);
  if (name !== undefined) return [createPart('header', name, entry.request?.headers[name])];
  if (operationId === undefined || cause === 'fault') return [];
  const filters = (operations[operationId].queryParameters as readonly string[]).filter(
    (one) => query.has(one) && !PAGING_PARAMETERS.includes(one),
  );
  const values = Object.fromEntries(filters.map((one) => [one, query.get(one)]));
  return [...createParts('path', pathValues), ...createParts('query', values), ...createParts('body', body)];
}

/** @param pointer a JSON pointer, or `?name` for a query parameter */
function findPart(pointer: string, { query, members, entry }: SentRequest): Part {
  const name = pointer.slice(1);
  if (pointer === '?') return createPart('query', 'query', String(query));
  if (pointer === '') return createPart('body', 'body', entry.request?.body ?? '');
  if (!pointer.startsWith('?')) return createPart('body', name, members?.[name]);
  const all = query.getAll(name);
  return createPart('query', name, all.length > 1 ? all : all[0]);
}

const MAX_VALUE_LENGTH = 300;

function createPart(where: Part['location'], name: string, sent: unknown): Part {
  const value = typeof sent === 'string' && sent.length > MAX_VALUE_LENGTH ? `${sent.slice(0, MAX_VALUE_LENGTH)}…` : sent;
  return { location: where, name, ...(value !== undefined && { value }) };
}

function createParts(where: Part['location'], values: Values): Part[] {
  return Object.entries(values).map(([name, value]) => createPart(where, name, value));
}

/** The parameters in an OAuth error's description, or all parameters if it names none. */
function listAuthorizationParts({ query, entry: { request, problem } }: SentRequest): Part[] {
  const form = new URLSearchParams(typeof request?.body === 'string' ? request.body : '');
  const all = [...createParts('query', Object.fromEntries(query)), ...createParts('body', Object.fromEntries(form))];
  const mentioned = all.filter(({ name }) => problem?.detail?.includes(name));
  return mentioned.length > 0 ? mentioned : all;
}
