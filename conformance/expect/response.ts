import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { Answer } from '../../src/expect/answer.ts';
import type { Members } from '../../src/expect/event.ts';
import { isSuccess, expectSuccess as requireSuccessBody, expectSuccessStatus as requireSuccessStatus } from '../../src/expect/response.ts';
import { must, RuleBroken } from '../../src/expect/rule-broken.ts';
import type { Capability, Need } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import { retryUntilPassed } from './rule-broken.ts';
import { requireValidRequest } from './sent.ts';

/** See src/expect/response.ts. @throws Error if the suite itself sent an invalid request */
export function expectSuccess<Body = Members>(answer: Answer, status?: number): Body {
  requireValidRequest(answer);
  return requireSuccessBody<Body>(answer.operationId as OperationId, answer, status);
}

/** See src/expect/response.ts. @throws Error if the suite itself sent an invalid request */
export function expectSuccessStatus(answer: Answer, status?: number): void {
  requireValidRequest(answer);
  requireSuccessStatus(answer, status);
}

/** @throws RuleBroken unless the response has one of the statuses, or Error if only success is expected of an invalid request */
export function expectStatus(answer: Answer, ...statuses: readonly number[]): void {
  if (statuses.every((status) => status < 300)) requireValidRequest(answer);
  if (!statuses.includes(answer.status)) throw new RuleBroken(`Expected the status ${statuses.join(' or ')}.`, answer);
}

/** Expects any 4xx except 429. @throws RuleBroken */
export function expectRefused(answer: Answer): void {
  must(answer.status >= 400 && answer.status < 500 && answer.status !== 429, 'the request is refused (4xx)', answer);
}

/** Ends the check as not testable unless the response has a 2xx status. @param what the needed result, such as "a deleted connection" */
export function requireSuccess(what: string, answer: Answer): Answer {
  requireValidRequest(answer);
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

/** Expects success with a valid body, and then the effect. @throws RuleBroken */
export async function expectSuccessAndEffect(answer: Answer, check: () => Promise<unknown>): Promise<void> {
  expectSuccess(answer);
  await expectEffect(answer, check);
}

/**
 * Runs `check`, which verifies a request's effect. After a 202, repeats the check until it passes.
 * @throws RuleBroken if the check does not pass in time
 */
export function expectEffect<T>(answer: Answer, check: () => Promise<T>): Promise<T> {
  return retryUntilPassed(getMaxRequestEffectDelayMs(answer), check);
}
