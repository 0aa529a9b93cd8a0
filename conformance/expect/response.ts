import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { schemaReferences } from '../../src/contract/generated/schema-references.ts';
import { getValidator } from '../../src/contract/validators.ts';
import type { Capability } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import type { Answer } from '../target/exchange.ts';
import type { Need } from '../target/need.ts';
import { must, RuleBroken, retryUntilPassed } from './rule-broken.ts';

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

/** @throws RuleBroken unless the response has one of the statuses */
export function expectStatus(answer: Answer, ...statuses: readonly number[]): void {
  if (!statuses.includes(answer.status)) throw new RuleBroken(`Expected the status ${statuses.join(' or ')}.`, answer);
}

/** Expects any 4xx except 429. @throws RuleBroken */
export function expectRefused(answer: Answer): void {
  must(answer.status >= 400 && answer.status < 500 && answer.status !== 429, 'the request is refused (4xx)', answer);
}

/** Ends the check as not testable unless the response has a 2xx status. @param what the needed result, such as "a deleted connection" */
export function requireSuccess(what: string, answer: Answer): Answer {
  return isSuccess(answer) ? answer : endAsNotTestable(`the check needs ${what}, but the target answered with ${answer.status}`);
}

/**
 * After a 403 or 404, ends the check as not testable if the target lacks one of `capabilities`, because the cause may be an invented id.
 * @param capabilities the capabilities that provide existing ids
 */
export async function requireExistingIds(need: Need, answer: Answer, ...capabilities: readonly Capability[]): Promise<Answer> {
  if (answer.status === 403 || answer.status === 404) for (const capability of capabilities) await need(capability);
  return answer;
}

export function getMaxRequestEffectDelayMs({ status }: Pick<Answer, 'status'>): number {
  return status === 202 ? 3000 : 0;
}

/**
 * Runs `check`, which verifies a request's effect. After a 202, repeats the check until it passes.
 * @throws RuleBroken if the check does not pass in time
 */
export function expectEffect<T>(answer: Answer, check: () => Promise<T>): Promise<T> {
  return retryUntilPassed(getMaxRequestEffectDelayMs(answer), check);
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

export function isJson(answer: Answer): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(answer.headers['content-type'] ?? '') && answer.json !== undefined;
}
