import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { artifact, consumeArtifact, deleteArtifact, forgetOld, revokeGrant, saveArtifact } from '../../store/authorization.ts';
import type { AuthorizationContext } from './context.ts';

const DAY_S = 86_400;
/** However often its tokens are refreshed, a grant ends after a year. */
const GRANT_LIFETIME_S = 365 * DAY_S;
/** Milliseconds. During this time the server can say that a code or token has expired, instead of that there is none. */
const KEPT_EXPIRED = 3_600_000;

/** Lifetimes in seconds of kit time. Where neither the specification nor a decision sets one, a usual value. */
export const lifetimes = (decisions: Decisions) => ({
  AccessToken: decisions['oauth.access-token-lifetime'],
  ClientCredentials: decisions['oauth.access-token-lifetime'],
  AuthorizationCode: decisions['oauth.code-lifetime'],
  RefreshToken: 30 * DAY_S,
  Grant: GRANT_LIFETIME_S,
  Interaction: 3600,
});

/** Stores nothing. Sessions use it: users do not stay logged in, and login_hint names the user each time. */
export const noStorage: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/** Stores the library's artifacts of one kind (grants, codes, …) for all replicas. Each use of a code or refresh token is atomic. */
export function artifacts(
  kind: string,
  { store, world, clock, decisions }: Pick<AuthorizationContext, 'store' | 'world' | 'clock' | 'decisions'>,
): Adapter {
  return {
    ...noStorage,

    async upsert(id, payload, expiresIn = 0) {
      const now = clock.now();
      const grantId = kind === 'Grant' ? id : (payload.grantId ?? null);
      const row = { kind, id, grantId, payload: JSON.stringify(payload), expiresAt: now + expiresIn * 1000 };
      await store.write(async (tx) => {
        if (kind === 'Grant') await forgetOld(tx, { expired: now - KEPT_EXPIRED, revoked: now - GRANT_LIFETIME_S * 1000 });
        await saveArtifact.change(tx, row);
      });
    },

    async find(id) {
      // PostgreSQL refuses a query with a NUL, and no issued id has one.
      if (id.includes('\0')) return undefined;
      const row = await artifact.first(store.db, { kind, id });
      return row && { ...(JSON.parse(row.payload) as AdapterPayload), exp: wallExpiry(row.expires_at - clock.now()) };
    },

    /** Reuse is detected here and hidden from the library, whose earlier read cannot tell which request was first. Only one statement can. */
    async consume(id) {
      const row = await artifact.first(store.db, { kind, id });
      const consumed = await store.write((tx) => consumeArtifact.change(tx, { kind, id, now: clock.now() }));
      if (consumed === 1) return;
      const revoked = kind !== 'AuthorizationCode' || decisions['oauth.code-reuse'] === 'revoked';
      // Without a row, the grant was revoked during this request.
      if (revoked && row?.grant_id) {
        const grantId = row.grant_id;
        await store.write(async (tx) => {
          await world.changed(tx);
          await revokeGrant(tx, { grantId, now: clock.now() });
        });
        await world.reload();
      }
      const what = kind === 'AuthorizationCode' ? 'The code' : 'The refresh token';
      throw new errors.InvalidGrant({ detail: `${what} was used before.${revoked ? ' All tokens of its grant are revoked now.' : ''}` });
    },

    async destroy(id) {
      await store.write((tx) => deleteArtifact.change(tx, { kind, id }));
    },
  };
}

/**
 * The library compares expiry times with wall time in whole seconds. Whether an artifact has expired is decided here, to the millisecond of kit time,
 * and returned with a margin of a second.
 */
function wallExpiry(remainingMs: number): number {
  return remainingMs <= 0 ? 1 : Math.floor(Date.now() / 1000) + Math.ceil(remainingMs / 1000) + 1;
}
