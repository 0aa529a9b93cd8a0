import { decisions } from '../../src/contract/generated/decisions-table.ts';
import { gates } from '../../src/contract/generated/gates.ts';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { rules } from '../../src/contract/generated/rules-table.ts';
import { schemaReferences } from '../../src/contract/generated/schema-references.ts';
import { validator } from '../../src/contract/validators.ts';
import type { FuzzRequest } from './request.ts';
import type { FuzzResponse } from './send.ts';

const responses: Readonly<Record<string, Readonly<Record<string, string>>>> = schemaReferences.responses;

/** What no answer may be, whatever was asked. Empty when all is well. */
export function faultsOf(request: FuzzRequest, response: FuzzResponse, operationId: OperationId | undefined): string[] {
  const { status, headers, text } = response;
  if (status === 0) return isUnreadHead(request, text) ? [] : [`no answer: ${text}`];
  const type = headers['content-type'] ?? '';
  const faults: string[] = [];
  if (status >= 500) faults.push(`status ${status}`);
  if (status === 408) faults.push('status 408, though the request was sent whole');
  // The home page: it has a body without being an operation, and may be HTML.
  if (status === 200 && /^\/?(?:\?|$)/.test(request.target)) return faults;
  if (/html/i.test(type)) faults.push(`content type ${type}`);
  if (status < 200 || (status >= 300 && status < 400)) faults.push(`status ${status}, which nothing here means`);
  if (status >= 400) faults.push(...problemFaults(request, response, type));
  else if (operationId !== undefined && request.method !== 'OPTIONS') faults.push(...successFaults(operationId, request, response, type));
  else if (text !== '') faults.push(`a body with ${status}, where no operation was asked for`);
  return faults;
}

/**
 * A head that the parser refuses has no method yet, so its problem has a body even where the method was HEAD. A client does not expect one there;
 * only refusals of the parser close the connection behind a body.
 */
function isUnreadHead({ method }: FuzzRequest, why: string): boolean {
  return method === 'HEAD' && why === 'Parse Error: Data after `Connection: close`';
}

function problemFaults({ method }: FuzzRequest, { status, text }: FuzzResponse, type: string): string[] {
  if (!/^application\/problem\+json(;|$)/.test(type)) return [`content type ${type || 'missing'} with ${status}`];
  if (method === 'HEAD') return text === '' ? [] : ['a body with HEAD'];
  const problem = parsed(text);
  if (problem === undefined) return ['a problem that is no JSON'];
  const faults = validator(schemaReferences.problem)(problem).map(({ pointer, message }) => `the problem's ${pointer} ${message}`);
  const { status: said, traceId, type: id } = problem as { status?: unknown; traceId?: unknown; type?: unknown };
  if (said !== status) faults.push(`status ${said} in the body of a ${status}`);
  if (!/^[0-9a-f]{32}$/.test(String(traceId))) faults.push(`the traceId ${traceId}`);
  if (!isKnownType(String(id))) faults.push(`the type ${id}, which the contract has not`);
  return faults;
}

function successFaults(operationId: OperationId, { method }: FuzzRequest, { status, text }: FuzzResponse, type: string): string[] {
  const { successStatus } = operations[operationId];
  const documented = successStatus === '2XX' || status === successStatus;
  const faults = documented ? [] : [`status ${status}, not ${successStatus}, of ${operationId}`];
  if (status === 204 || method === 'HEAD') return text === '' ? faults : [...faults, 'a body where none belongs'];
  if (!/^application\/json(;|$)/.test(type)) faults.push(`content type ${type || 'missing'} with ${status}`);
  const reference = responses[operationId]?.[status] ?? responses[operationId]?.['2XX'];
  if (reference === undefined) return faults;
  const value = parsed(text);
  if (value === undefined) return [...faults, 'a body that is no JSON'];
  return [...faults, ...validator(reference)(value).map(({ pointer, message }) => `${operationId} ${status}: ${pointer} ${message}`)];
}

/** The problem type of an answer, for comparing; undefined where it is no problem. */
export function problemType({ status, text }: FuzzResponse): string | undefined {
  return status < 400 ? undefined : (parsed(text) as { type?: string } | undefined)?.type;
}

function isKnownType(type: string): boolean {
  const id = type.slice('/problems/'.length);
  return type.startsWith('/problems/') && [rules, decisions, gates].some((table) => Object.hasOwn(table, id));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
