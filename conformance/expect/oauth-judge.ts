import { type Finding, validator } from '../../src/contract/validators.ts';
import { type Asked, accessTokenOf, type Flow, type Granted, hasCode, whatCame } from '../actors/oauth-flow.ts';
import type { Changes } from '../actors/oauth-parts.ts';
import type { Answer } from '../target/exchange.ts';
import { notTestable } from '../target/not-testable.ts';
import { must, RuleBroken } from './broken.ts';
import { isJson } from './verify.ts';

/** The token request is refused. Whether by an error of RFC 6749 or by a problem is open. */
export function noToken(answer: Answer): void {
  if (answer.status === 429) notTestable('a token endpoint that answers: it says 429');
  const { access_token: token } = Object(answer.json) as { access_token?: unknown };
  must(token === undefined || token === null, 'there is no access_token', answer);
  must(answer.status >= 400 && answer.status < 500, 'the token request is refused (4xx)', answer);
}

/** The request is refused at authorize or, with these changes, at the exchange. */
export async function refusedAtEither(flow: Flow, asked: Asked, changes: Changes = {}): Promise<void> {
  if (hasCode(asked)) return noToken(await flow.exchange(asked, changes));
  must(asked.answer.status < 500, 'the authorization request is refused, and does not fail (5xx)', asked.answer);
}

/** @throws RuleBroken where no code came. */
export function mustHaveCode(asked: Asked, what = 'the redirect to redirect_uri carries a code'): asserts asked is Granted {
  if (!hasCode(asked) && /a page for a person/.test(whatCame(asked))) notTestable(`oauth.approve: ${whatCame(asked)}`);
  must(hasCode(asked), what, asked.answer);
}

/** @throws RuleBroken where no token came. */
export function mustHaveToken(answer: Answer, what = 'the exchange gives an access token'): void {
  must(accessTokenOf(answer) !== undefined, what, answer);
}

/** A token response against the contract. @param concerns which of what does not fit is the matter of the rule. */
export function tokenResponse(answer: Answer, concerns: (finding: Finding) => boolean): void {
  must(isJson(answer), 'a token response is JSON', answer);
  const findings = validator('authorization#/$defs/TokenResponse')(answer.json).filter(concerns);
  if (findings.length === 0) return;
  const what = findings.map(({ pointer, message }) => `${pointer || 'the body'} ${message}`).join('; ');
  throw new RuleBroken(`Expected a token response that fits the contract: ${what}.`, answer);
}

export const isAboutExpiry = ({ pointer, message }: Finding): boolean => pointer.startsWith('/expires_in') || /expires_in/.test(message);
