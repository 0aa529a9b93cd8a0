import { getValidator, type SchemaViolation } from '../../src/contract/validators.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import type { Answer } from '../target/exchange.ts';
import { expectSuccessStatus, isJson, isSuccess } from './response.ts';
import { must, RuleBroken } from './rule-broken.ts';

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

/**
 * @param isRelevant whether a mismatch breaks the rule under test
 * @throws RuleBroken
 */
export function expectTokenResponse(answer: Answer, isRelevant: (finding: SchemaViolation) => boolean): void {
  expectSuccessStatus(answer);
  must(isJson(answer), 'a token response is JSON', answer);
  const findings = getValidator('authorization#/$defs/TokenResponse')(answer.json).filter(isRelevant);
  if (findings.length === 0) return;
  const what = findings.map(({ pointer, message }) => `${pointer || 'the body'} ${message}`).join('; ');
  throw new RuleBroken(`Expected a token response that matches its schema: ${what}.`, answer);
}

export function isAboutExpiry({ pointer, message }: SchemaViolation): boolean {
  return pointer.startsWith('/expires_in') || /expires_in/.test(message);
}
