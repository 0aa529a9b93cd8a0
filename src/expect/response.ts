import { type OperationId, operations } from '../contract/generated/operations.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { getValidator } from '../contract/validators.ts';
import type { Answer } from './answer.ts';
import { must, RuleBroken } from './rule-broken.ts';

type Json = Readonly<Record<string, unknown>>;
const bodySchemas: Readonly<Record<string, Readonly<Record<string, string>>>> = schemaReferences.responses;

/**
 * Expects success with a body that matches the operation's schema, if the specification shows the response.
 * @param status default: any 2xx status
 * @throws RuleBroken
 */
export function expectSuccess<Body = Json>(operationId: OperationId, answer: Answer, status?: number): Body {
  expectSuccessStatus(answer, status);
  const { successStatus } = operations[operationId];
  // If the specification has no schema for the received status, use the schema of the operation's documented success status. Another rule
  // reports the undocumented status.
  const documented = bodySchemas[operationId]?.[answer.status] ?? bodySchemas[operationId]?.[successStatus];
  if (documented === undefined || (successStatus === '2XX' && answer.text === '')) return answer.json as Body;
  must(answer.text !== '', 'the response has a body', answer);
  must(isJson(answer), 'the body of the response is JSON', answer);
  if (successStatus !== '2XX') expectSchema(documented, answer);
  return answer.json as Body;
}

/** @param status default: any 2xx status @throws RuleBroken */
export function expectSuccessStatus(answer: Answer, status?: number): void {
  const isExpected = status === undefined ? isSuccess(answer) : answer.status === status;
  if (!isExpected) throw new RuleBroken(`Expected the status ${status ?? '2xx'}.`, answer);
}

function expectSchema(reference: string, answer: Answer): void {
  const findings = getValidator(reference)(answer.json);
  if (findings.length === 0) return;
  const first = findings.slice(0, 3).map(({ pointer, message }) => `${pointer || 'the body'} ${message}`);
  throw new RuleBroken(`Expected a body that matches its schema: ${first.join('; ')}.`, answer);
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

export function isJson(answer: Answer): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(answer.headers['content-type'] ?? '') && answer.json !== undefined;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
