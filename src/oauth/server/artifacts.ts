import { type Adapter, type AdapterPayload, type Client, errors } from 'oidc-provider';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { artifactById, consumeArtifact, deleteArtifact, deleteOldArtifacts, revokeGrant, saveArtifact } from '../../store/authorization.ts';
import type { AuthorizationContext } from './context.ts';
import { getCurrentWrites, WriteConflict } from './writes.ts';

const SECONDS_PER_DAY = 86_400;
/** The lifetime of a grant: one year, in seconds. Refreshing the grant's tokens does not extend it. */
const GRANT_LIFETIME_S = 365 * SECONDS_PER_DAY;
/** How long expired codes and tokens are kept for error messages, in milliseconds. */
const EXPIRED_RETENTION_MS = 3_600_000;

/** The lifetimes of codes and tokens, in seconds of kit time. A client's own lifetimes take precedence over the decisions. */
export const getLifetimes = (decisions: Decisions) => ({
  AccessToken: (_ctx: unknown, _token: unknown, client: Client) => getAccessTokenLifetime(client, decisions),
  ClientCredentials: (_ctx: unknown, _token: unknown, client: Client) => getAccessTokenLifetime(client, decisions),
  AuthorizationCode: (_ctx: unknown, _code: unknown, { codeLifetime }: Client) =>
    (codeLifetime as number | undefined) ?? decisions['oauth.code-lifetime'],
  RefreshToken: 30 * SECONDS_PER_DAY,
  Grant: GRANT_LIFETIME_S,
  Interaction: 3600,
});

export const getAccessTokenLifetime = ({ accessTokenLifetime }: Client, decisions: Decisions): number =>
  (accessTokenLifetime as number | undefined) ?? decisions['oauth.access-token-lifetime'];

export const LOGIN_ENDED_MESSAGE = 'This login has ended, has expired, or was started in another browser. Start again in the application.';

export const emptyAdapter: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/** Stores the library's artifacts of one kind, such as grants, for all replicas. Concurrent requests cannot consume an artifact twice. */
export function createArtifactAdapter(
  kind: string,
  { store, world, clock, decisions }: Pick<AuthorizationContext, 'store' | 'world' | 'clock' | 'decisions'>,
): Adapter {
  return {
    ...emptyAdapter,

    async upsert(id, payload, expiresIn = 0) {
      const now = clock.now();
      const expiresAt = now + expiresIn * 1000;
      const grantId = kind === 'Grant' ? id : (payload.grantId ?? null);
      const row = { kind, id, grantId, payload: JSON.stringify(payload), expiresAt };
      const writes = getCurrentWrites();
      writes.artifacts.set(`${kind} ${id}`, { ...payload, exp: toWallExpiry(expiresAt - now) });
      writes.list.push(async (tx) => {
        // A code is stored together with its grant.
        if (kind !== 'AuthorizationCode')
          await deleteOldArtifacts(tx, { expiredBefore: now - EXPIRED_RETENTION_MS, revokedBefore: now - GRANT_LIFETIME_S * 1000 });
        await saveArtifact.executeWrite(tx, row);
      });
    },

    async find(id) {
      const { artifacts: written } = getCurrentWrites();
      if (written.has(`${kind} ${id}`)) return written.get(`${kind} ${id}`);
      // PostgreSQL refuses strings with a NUL character, and no issued id contains one.
      if (id.includes('\0')) return undefined;
      const row = await artifactById.first(store.db, { kind, id });
      return row && { ...(JSON.parse(row.payload) as AdapterPayload), exp: toWallExpiry(row.expires_at - clock.now()) };
    },

    /** Detects reuse in one statement, because the library's own check misses concurrent requests. */
    async consume(id) {
      const row = await artifactById.first(store.db, { kind, id });
      getCurrentWrites().list.push(async (tx) => {
        if ((await consumeArtifact.executeWrite(tx, { kind, id, now: clock.now() })) === 0) throw new WriteConflict(() => refuseReuse(row));
      });
    },

    async destroy(id) {
      const writes = getCurrentWrites();
      writes.artifacts.set(`${kind} ${id}`, undefined);
      writes.list.push(async (tx) => {
        const deleted = await deleteArtifact.executeWrite(tx, { kind, id });
        // The library destroys a login when it issues the code, and two concurrent requests may have found the login.
        if (deleted === 0 && kind === 'Interaction') throw new WriteConflict(refuseEndedLogin);
      });
    },
  };

  async function refuseReuse(row: { readonly grant_id: string | null } | undefined): Promise<never> {
    const revoked = kind !== 'AuthorizationCode' || decisions['oauth.code-reuse'] === 'revoked';
    // If the row is missing, another request has already revoked the grant.
    if (revoked && row?.grant_id) {
      const grantId = row.grant_id;
      await store.write(async (tx) => {
        await world.markChanged(tx);
        await revokeGrant(tx, { grantId, now: clock.now() });
      });
      await world.reload();
    }
    const what = kind === 'AuthorizationCode' ? 'The code' : 'The refresh token';
    throw new errors.InvalidGrant({ detail: `${what} was already used.${revoked ? " All of the grant's tokens are now revoked." : ''}` });
  }
}

async function refuseEndedLogin(): Promise<never> {
  throw new errors.SessionNotFound(LOGIN_ENDED_MESSAGE);
}

/** Returns the expiry that the library checks, in seconds of wall time. Rounds up, so that the library does not refuse a valid artifact. */
function toWallExpiry(remainingMs: number): number {
  return remainingMs <= 0 ? 1 : Math.floor(Date.now() / 1000) + Math.ceil(remainingMs / 1000) + 1;
}
