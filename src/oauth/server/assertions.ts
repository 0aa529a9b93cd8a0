import { type Adapter, errors } from 'oidc-provider';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { useAssertion } from '../../store/authorization.ts';
import { tokenEndpoint } from './addresses.ts';
import { noSessions } from './artifacts.ts';
import type { AuthorizationContext } from './context.ts';

/**
 * That a client assertion is used once, on wall time as its signer's clock is (decision oauth.assertion.replay). The library looks first and notes
 * later, between which another request fits: so looking finds nothing, and noting fails where it was noted before.
 */
export function usedAssertions({ store, decisions }: Pick<AuthorizationContext, 'store' | 'decisions'>): Adapter {
  return {
    ...noSessions,
    async upsert(id, _payload, expiresIn = 0) {
      if (decisions['oauth.assertion.replay'] === 'accepted') return;
      const now = Date.now();
      // A second more: the library has cut off a fraction.
      const fresh = await store.write((tx) => useAssertion(tx, { id, now, expiresAt: now + (expiresIn + 1) * 1000 }));
      if (!fresh)
        throw new errors.InvalidClientAuth({
          detail: 'The client_assertion was used before: make a new one, with another jti, for each request.',
        });
    },
  };
}

/**
 * Checks the audience and the expiry of a client assertion beyond what the library does: it accepts an array with any other audience, and any expiry
 * (decisions oauth.assertion.audience and oauth.assertion.lifetime).
 */
export function checkAssertion({ aud, exp }: { aud?: unknown; exp?: unknown }, issuer: string, decisions: Decisions): void {
  const endpoint = tokenEndpoint(issuer);
  const decision = decisions['oauth.assertion.audience'];
  const accepted: unknown[] = decision === 'token-endpoint' ? [endpoint] : [issuer, endpoint];
  if (decision !== 'also-others' && ![aud].flat().every((audience) => accepted.includes(audience))) {
    throw new errors.InvalidClientAuth({ detail: `The client_assertion may name no other audience (aud) than ${accepted.join(' or ')}.` });
  }
  const lifetime = decisions['oauth.assertion.lifetime'];
  if (Number(exp) - Date.now() / 1000 <= lifetime) return;
  throw new errors.InvalidClientAuth({
    detail: `The client_assertion expires (exp) more than ${lifetime} seconds from now, by wall time.`,
  });
}
