import { getValidator, type SchemaViolation } from '../contract/validators.ts';
import type { Answer } from './answer.ts';
import { expectSuccessStatus, isJson } from './response.ts';
import { must, RuleBroken } from './rule-broken.ts';

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
