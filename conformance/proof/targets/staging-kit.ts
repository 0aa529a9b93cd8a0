import type { Decisions } from '../../../src/contract/generated/decisions.ts';
import type { Profile } from '../../../src/contract/generated/profile.ts';
import { createKit } from '../../../src/kit.ts';
import { deriveSigningKey } from '../../../src/oauth/keys.ts';
import { mintToken } from '../../../src/oauth/mint.ts';
import { freePort } from '../../../src/store/testing/free-port.ts';
import { DEFAULT_SCOPES } from '../../../src/world/world.ts';
import { resolveProfileTarget } from '../../runner/profile-target.ts';
import type { OpenServer } from '../server.ts';
import { LONG_CHECKS } from './long-checks.ts';
import { serveKitHooks } from './serve-hooks.ts';
import { SORT_FIELDS, stagingProfile, stagingTokens, stagingWorld } from './staging-world.ts';

interface Options {
  readonly set?: Partial<Decisions>;
  readonly patienceSeconds?: number;
  /** Whether the profile has hooks, which use a control API that is unknown to the suite. */
  readonly hasHooks?: boolean;
}

/** Starts a kit that the suite knows only from a profile. */
export async function openStagingKit(options: Options = {}): Promise<OpenServer> {
  // Long waits are not needed if no delivery is lost, because the kit delivers immediately.
  const { set = {}, patienceSeconds = 20, hasHooks = false } = options;
  const receiver = `127.0.0.1:${await freePort()}`;
  const connected = set['assignments.create.needs-connection'] === 409;
  const cleanup = new AsyncDisposableStack();
  const fixtures = stagingWorld({ connected, ...(!hasHooks && { destinationUrl: `http://${receiver}/events` }) });
  const kit = cleanup.use(await createKit({ port: 0, control: hasHooks, retries: 'fast', fixtures, set }));
  const tokens = await kit.tokens();
  const sortFields = kit.decisions['users.list.sort-fields'] === 'createdAt' ? { createdAt: 'createdAt' } : SORT_FIELDS;
  const hooks = hasHooks ? cleanup.use(await serveKitHooks(kit.url)) : undefined;
  const profile: Profile = {
    ...stagingProfile,
    allow: { write: true, rate: true },
    tokens: {
      ...stagingTokens((name) => tokens[name]!),
      expired: createExpiredToken(tokens.full!, kit.decisions['auth.principal-claim']),
    },
    listsBoundMs: 2 * kit.decisions['lists.read-model-lag'],
    users: {
      ...stagingProfile.users,
      readModelBoundMs: kit.decisions['users.list.read-model-lag'] + 1750,
      sort: { fields: sortFields, ascending: 'asc', descending: 'desc' },
    },
    notApplicable: LONG_CHECKS,
    events: {
      receiver: { publicUrl: `http://${receiver}`, listen: receiver },
      ...(!hooks && { subscription: { id: fixtures.subscriptions!.suite!.id!, path: '/events' } }),
      patienceSeconds,
      graceSeconds: 0.2,
      repeatsWithinSeconds: 10,
    },
    ...(hooks && { hooks: { urls: hooks.urls } }),
  };
  return { ...(await resolveProfileTarget(profile, { baseUrl: kit.url })), [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

/** Creates an expired copy of a token, because a kit issues expired tokens only through its control API, which is off here. */
function createExpiredToken(token: string, principalClaim: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, string>;
  const { iss: issuer = '', aud: audience = '', client_id: clientId = '' } = claims;
  const authority = { world: 'staging', issuer, audience, principalClaim, key: deriveSigningKey('staging') };
  const contents = { clientId, principalId: claims[principalClaim], scopes: DEFAULT_SCOPES, id: 'expired' };
  return mintToken(authority, { kind: 'expired', ...contents, issuedAt: Date.now(), expiresIn: 3600 });
}
