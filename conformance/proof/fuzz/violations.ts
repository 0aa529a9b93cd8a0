import { decisions } from '../../../src/contract/generated/decisions-table.ts';
import { gates } from '../../../src/contract/generated/gates.ts';
import { rules } from '../../../src/contract/generated/rules-table.ts';
import { schemaReferences } from '../../../src/contract/generated/schema-references.ts';
import { getValidator } from '../../../src/contract/validators.ts';
import type { FuzzResponse, WireRequest } from './client.ts';
import type { Operation } from './operations.ts';

const RESPONSES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...schemaReferences.responses,
  token: { 200: 'authorization#/$defs/TokenResponse' },
};

/** Describes errors that no response may contain, even if the request is invalid. */
export function findViolations({ operation, method, target }: WireRequest, { status, headers, text }: FuzzResponse): string[] {
  const isHead = method === 'HEAD';
  // The kit may answer a malformed HEAD request with a body, which Node's HTTP parser reports as an error.
  if (status === 0) return isHead && text.includes('Data after `Connection: close`') ? [] : [`no response: ${text}`];
  const type = headers['content-type']?.split(';')[0] ?? '';
  const found: string[] = [];
  if (status >= 500) found.push(`status ${status}`);
  if (status === 408) found.push('status 408, though the request was sent completely');
  if (headers.location?.includes('error=server_error')) found.push('a redirect with server_error');
  if (isHead || status === 204 || status === 304)
    return text === '' ? found : [...found, 'a body, which the method or status does not allow'];
  const isAuth = operation?.interfaceName === 'auth' || (operation === undefined && target.includes('/auth'));
  if (isAuth && status >= 400 && type === 'text/html')
    return /token|metadata/.test(operation?.operationId ?? '') ? [...found, 'an HTML page instead of JSON'] : found;
  if (isAuth && status >= 400 && type === 'application/json')
    return [...found, ...findBodyViolations('authorization#/$defs/OAuthError', text)];
  if (status >= 400) return [...found, ...findProblemViolations(operation, status, type, text)];
  if (operation === undefined) return found;
  if (!isDocumented(operation, status)) found.push(`status ${status}, which is not documented`);
  if (status >= 300 || /^(text\/(html|event-stream)|application\/yaml)$/.test(type)) return found;
  if (type === 'text/plain' && operation.operationId === 'readMetrics') return found;
  if (type !== 'application/json') found.push(`a ${status} with the content type ${type || '(none)'}`);
  const references = RESPONSES[operation.operationId] ?? {};
  return [...found, ...findBodyViolations(references[status] ?? references['2XX'], text)];
}

function findProblemViolations(operation: Operation | undefined, status: number, type: string, text: string): string[] {
  const found = findBodyViolations(schemaReferences.problem, text);
  if (type !== 'application/problem+json') found.push(`a ${status} with the content type ${type || '(none)'}`);
  if (found.length > 0) return found;
  const { status: reported, traceId, type: uri } = JSON.parse(text) as Record<string, unknown>;
  if (reported !== status) found.push(`the body has the status ${reported}, but the response has ${status}`);
  if (!/^[0-9a-f]{32}$/.test(String(traceId))) found.push(`the traceId ${traceId} is not 32 hexadecimal digits`);
  const id = String(uri).replace('/problems/', '');
  if (Object.hasOwn(gates, id) || Object.hasOwn(decisions, id)) return found;
  if (!Object.hasOwn(rules, id)) found.push(`type ${uri}, which is not in the contract`);
  if (operation && !isDocumented(operation, status)) found.push(`status ${status}, which is not documented`);
  return found;
}

function isDocumented({ statuses }: Operation, status: number): boolean {
  return statuses.includes(String(status)) || (statuses.includes('default') && status >= 400 && status < 500);
}

/** @param reference the body's schema; undefined: any JSON is valid */
function findBodyViolations(reference: string | undefined, text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return reference ? getValidator(reference)(value).map(({ pointer, message }) => `the body's ${pointer} ${message}`) : [];
  } catch {
    return ['the body is not JSON'];
  }
}
