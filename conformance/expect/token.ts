import type { Answer } from '../../src/expect/answer.ts';
import { isSuccess } from '../../src/expect/response.ts';
import { must } from '../../src/expect/rule-broken.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import { expectSuccessStatus } from './response.ts';

export function parseAccessToken(answer: Answer): string | undefined {
  const { access_token: token } = (answer.json ?? {}) as { access_token?: unknown };
  return isSuccess(answer) && typeof token === 'string' && token !== '' ? token : undefined;
}

/** @throws RuleBroken unless the response is successful and contains an access token */
export function expectToken(answer: Answer): void {
  expectSuccessStatus(answer);
  must(parseAccessToken(answer) !== undefined, 'the token response contains an access token', answer);
}

/** Expects the token request to be refused with a 4xx. @throws RuleBroken */
export function expectNoToken(answer: Answer): void {
  if (answer.status === 429) endAsNotTestable('the token endpoint limits the rate of requests (429)');
  must(answer.status >= 400 && answer.status < 500, 'the token request is refused (4xx)', answer);
  const { access_token: token } = Object(answer.json) as { access_token?: unknown };
  must(token === undefined || token === null, 'the response contains no access_token', answer);
}
