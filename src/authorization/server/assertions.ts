import { type Adapter, errors } from 'oidc-provider';
import { useAssertion } from '../../store/authorization.ts';
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
