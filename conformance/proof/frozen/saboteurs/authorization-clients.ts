import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import type { Request } from '../exchange.ts';
import type { Behind, SaboteursOf } from '../saboteur.ts';
import { atExchange, claimsOf, exchanging, forgiving, formOf, oauthError, withRightSecret } from './authorization-requests.ts';

const hasSecret = (request: Request): boolean => formOf(request).client_secret !== undefined;
const hasAssertion = (request: Request): boolean => formOf(request).client_assertion !== undefined;
const hasOnly = (request: Request, what: 'secret' | 'assertion'): boolean =>
  hasSecret(request) === (what === 'secret') && hasAssertion(request) === (what === 'assertion');
const claims = (request: Request) => claimsOf(formOf(request).client_assertion);

/** Servers that believe a secret which is nearly right. */
const nearly = (does: string, isRight: (sent: string, right: string) => boolean) =>
  forgiving(does, async (request, behind) => {
    if (!hasOnly(request, 'secret')) return undefined;
    const right = await withRightSecret(request, behind);
    return isRight(String(formOf(request).client_secret), String(formOf(right).client_secret)) ? right : undefined;
  });

/** Servers that take an assertion for good which is not. */
const believing = (does: string, concerns: (request: Request) => boolean) =>
  forgiving(does, (request, behind: Behind) =>
    hasOnly(request, 'assertion') && concerns(request) ? withRightSecret(request, behind) : undefined,
  );

const isUnsigned = (request: Request): boolean => /\.$/.test(formOf(request).client_assertion ?? '');
const isInTime = (request: Request): boolean => Number(claims(request).exp) * 1000 > Date.now();
const isForUs = (request: Request): boolean => String(claims(request).aud).endsWith('/auth/oauth/token');

/** Servers that break one rule each. */
export const authorizationClients = {
  'oauth.clients.confidential-only': [
    forgiving('Serves public clients, too.', (request, behind) =>
      !hasSecret(request) && !hasAssertion(request) ? withRightSecret(request, behind) : undefined,
    ),
  ],
  'oauth.token.client-secret': [
    atExchange('Knows client_secret by HTTP Basic only.', async (request, service) =>
      hasOnly(request, 'secret') ? oauthError(401, 'invalid_client') : service(request),
    ),
    atExchange('Wants the secret in a header of its own.', async (request, service) =>
      service(hasOnly(request, 'secret') ? exchanging(request, { client_secret: undefined }) : request),
    ),
  ],
  'oauth.token.client-assertion': [
    atExchange('Knows no client assertions.', async (request, service) =>
      hasOnly(request, 'assertion') ? oauthError(401, 'invalid_client') : service(request),
    ),
    atExchange('Fails where an assertion comes.', async (request, service) =>
      hasOnly(request, 'assertion') ? oauthError(500, 'server_error') : service(request),
    ),
  ],
  'oauth.clients.both-methods': [
    forgiving('Prefers the secret where there are both.', (request) =>
      hasSecret(request) && hasAssertion(request)
        ? exchanging(request, { client_assertion: undefined, client_assertion_type: undefined })
        : undefined,
    ),
    forgiving('Prefers the assertion where there are both.', (request) =>
      hasSecret(request) && hasAssertion(request) ? exchanging(request, { client_secret: undefined }) : undefined,
    ),
  ],
  'oauth.clients.wrong-secret': [
    nearly('Does not look at the secret.', () => true),
    nearly('Compares only as much of the secret as it has.', (sent, right) => sent.startsWith(right)),
    nearly('Compares only as much of the secret as was sent.', (sent, right) => right.startsWith(sent)),
    nearly('Compares lengths.', (sent, right) => sent.length === right.length),
  ],
  'oauth.clients.assertion-signature': [
    believing('Does not verify signatures.', (request) => isInTime(request) && isForUs(request)),
    believing('Believes the algorithm none.', (request) => isUnsigned(request)),
    believing('Takes any key for that of the client.', (request) => !isUnsigned(request) && isInTime(request) && isForUs(request)),
  ],
  'oauth.clients.assertion-expired': [
    believing('Does not look at the time of an assertion.', (request) => !isInTime(request)),
    believing(
      'Allows an hour for clocks that go wrong.',
      (request) => !isInTime(request) && Number(claims(request).exp) * 1000 > Date.now() - 3_600_000,
    ),
  ],
  'oauth.clients.assertion-audience': [
    believing('Does not look at the audience.', (request) => !isForUs(request)),
    believing(
      'Takes every address of a token endpoint for its own.',
      (request) => String(claims(request).aud).endsWith('/oauth/token') && !isForUs(request),
    ),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['authorization']>>;
