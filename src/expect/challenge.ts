import type { Answer } from './answer.ts';
import { must } from './rule-broken.ts';

/** Expects a 401 to name the Bearer scheme (RFC 6750). @throws RuleBroken */
export function expectBearerChallenge(answer: Answer): void {
  // A quoted realm can contain the word Bearer.
  const challenge = (answer.headers['www-authenticate'] ?? '').replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  must(/(?:^|,)\s*bearer(?=\s|,|$)/i.test(challenge), 'WWW-Authenticate contains the scheme Bearer', answer);
}
