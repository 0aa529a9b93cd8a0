import { decisions } from '../../../src/contract/generated/decisions-table.ts';
import { gates } from '../../../src/contract/generated/gates.ts';
import { rules } from '../../../src/contract/generated/rules-table.ts';
import { schemaReferences } from '../../../src/contract/generated/schema-references.ts';
import { validator } from '../../../src/contract/validators.ts';
import type { FuzzResponse, WireRequest } from './client.ts';
import type { Operation } from './operations.ts';
import { INJECTED } from './values.ts';

const RESPONSES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...schemaReferences.responses,
  token: { 200: 'authorization#/$defs/TokenResponse' },
};

/** What the injected faults permit the API: `some`, a 503 or no response; `any`, every response. */
export type Faults = 'none' | 'some' | 'any';

/** What is wrong with a response, whatever was requested. */
export function violations(request: WireRequest, response: FuzzResponse, faults: Faults): string[] {
  const { operation, method } = request;
  const { status, headers, text } = response;
  const isApi = operation === undefined || operation.door === 'api';
  const isFaulty = isApi && faults !== 'none';
  if (isFaulty && (faults === 'any' || headers[INJECTED])) return [];
  if (status === 0) return isRefusedHead(request, text) || (isFaulty && /hang up|ECONNRESET/.test(text)) ? [] : [`no response: ${text}`];
  const type = headers['content-type'] ?? '';
  const found: string[] = [];
  if (status >= 500 && !(isFaulty && status === 503)) found.push(`status ${status}`);
  if (status === 408) found.push('status 408, though the request was sent completely');
  if (headers.location?.includes('error=server_error')) found.push('a redirect with server_error');
  if (status >= 400) found.push(...refusalViolations(request, response, type));
  else if (method === 'HEAD' || status === 204 || status === 304) found.push(...(text === '' ? [] : ['a body where none belongs']));
  else if (operation) found.push(...successViolations(operation, response, type));
  return found;
}

/** The parser refuses a malformed head before it knows the method, so that even HEAD gets a body, which clients do not expect. */
function isRefusedHead({ method }: WireRequest, why: string): boolean {
  return method === 'HEAD' && why === 'Parse Error: Data after `Connection: close`';
}

function refusalViolations({ operation, method, target }: WireRequest, { status, text }: FuzzResponse, type: string): string[] {
  if (method === 'HEAD') return text === '' ? [] : ['a body with HEAD'];
  const isAuth = operation?.door === 'auth' || (operation === undefined && target.includes('/auth'));
  if (isAuth && type.startsWith('text/html')) return /token|metadata/.test(operation?.operationId ?? '') ? ['a page for a program'] : [];
  const value = parsed(text);
  if (value === undefined) return [`a ${status} whose body is not JSON`];
  if (isAuth && type.startsWith('application/json')) return schemaViolations('authorization#/$defs/OAuthError', value);
  if (!/^application\/problem\+json(;|$)/.test(type)) return [`a ${status} with the content type ${type || '(none)'}`];
  const found = schemaViolations(schemaReferences.problem, value);
  const { status: reported, traceId, type: uri } = value as { status?: unknown; traceId?: unknown; type?: unknown };
  const id = String(uri).replace('/problems/', '');
  if (reported !== status) found.push(`status ${reported} in the body of a ${status}`);
  if (!/^[0-9a-f]{32}$/.test(String(traceId))) found.push(`traceId ${traceId}`);
  if (Object.hasOwn(gates, id) || Object.hasOwn(decisions, id)) return found;
  if (!Object.hasOwn(rules, id)) found.push(`type ${uri}, which is not in the contract`);
  if (operation && !isDocumented(operation, status)) found.push(`status ${status}, which is not documented`);
  return found;
}

function successViolations(operation: Operation, { status, text }: FuzzResponse, type: string): string[] {
  const found = isDocumented(operation, status) ? [] : [`status ${status}, which is not documented`];
  if (status >= 300 || /^text\/(html|event-stream)/.test(type)) return found;
  if (!/^application\/json(;|$)/.test(type)) found.push(`content type ${type || '(none)'} with ${status}`);
  const references = RESPONSES[operation.operationId] ?? {};
  const reference = references[status] ?? references['2XX'];
  const value = parsed(text);
  if (value === undefined) return [...found, 'a body that is not JSON'];
  return reference === undefined ? found : [...found, ...schemaViolations(reference, value)];
}

function isDocumented({ statuses }: Operation, status: number): boolean {
  return statuses.includes(String(status)) || statuses.includes(`${Math.floor(status / 100)}XX`);
}

function schemaViolations(reference: string, value: unknown): string[] {
  return validator(reference)(value).map(({ pointer, message }) => `the body's ${pointer} ${message}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
