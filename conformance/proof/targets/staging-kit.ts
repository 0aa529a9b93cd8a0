import type { Decisions } from '../../../src/contract/generated/decisions.ts';
import { createKit } from '../../../src/kit.ts';
import { createAuthority } from '../../../src/oauth/authority.ts';
import { mintToken } from '../../../src/oauth/mint.ts';
import { freePort } from '../../../src/store/testing/free-port.ts';
import { DEFAULT_SCOPES } from '../../../src/world/world.ts';
import { stagingWorld } from './staging-world.ts';
import type { OpenGoldenTarget } from './target.ts';

/**
 * A kit without a control API, of which the suite knows a profile and nothing else. Its tokens are put into the environment, as whoever has a
 * profile does: the token `without-claim` into XPK_TOKEN_WITHOUT_CLAIM, and `full` into XPK_TOKEN; and where the suite is to listen into XPK_RECEIVER.
 */
export async function openStagingKit(profile: string, set: Partial<Decisions> = {}): Promise<OpenGoldenTarget> {
  const receiver = `127.0.0.1:${await freePort()}`;
  process.env.XPK_RECEIVER = receiver;
  const connected = set['assignments.create.needs-connection'] === 409;
  const fixtures = stagingWorld({ connected, destinationUrl: `http://${receiver}/events` });
  // What is not acknowledged comes again soon, whatever the schedule that was decided.
  const kit = await createKit({ port: 0, control: false, retries: 'fast', fixtures, set });
  const tokens = await kit.tokens();
  const expired = expiredLike(tokens.full ?? '', kit.decisions['auth.principal-claim']);
  for (const [name, token] of Object.entries({ ...tokens, expired })) process.env[variableOf(name)] = token;
  return { baseUrl: kit.url, profile, close: () => kit.close() };
}

function variableOf(name: string): string {
  return name === 'full' ? 'XPK_TOKEN' : `XPK_TOKEN_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The same token as it would be an hour after it has ended: without a control API there is no other way to have one at once. */
function expiredLike(token: string, principalClaim: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, string>;
  const { iss: issuer = '', aud: audience = '', client_id: clientId = '' } = claims;
  const authority = createAuthority({ world: 'staging', issuer, audience, principalClaim });
  const request = {
    clientId,
    principalId: claims[principalClaim],
    scopes: DEFAULT_SCOPES,
    issuedAt: Date.now() - 7_200_000,
    expiresIn: 3600,
  };
  return mintToken(authority, { kind: 'good', ...request });
}
