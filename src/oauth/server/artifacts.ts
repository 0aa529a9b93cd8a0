import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { artifact, consumeArtifact, deleteArtifact, forgetOld, revokeGrant, saveArtifact } from '../../store/authorization.ts';
import type { AuthorizationContext } from './context.ts';
import { GRANT_LIFETIME_S } from './lifetimes.ts';

type ArtifactContext = Pick<AuthorizationContext, 'store' | 'world' | 'clock' | 'decisions'>;

/** How long what has expired is still known: whoever uses it is then told that it expired, not that there is no such thing. Milliseconds. */
const KEPT_EXPIRED = 3_600_000;

/** What the library keeps of a kind (grants, codes, …), in the store: shared by all replicas, each use of a code or refresh token atomic. */
export function artifacts(kind: string, { store, world, clock, decisions }: ArtifactContext): Adapter {
  async function revoke(grantId: string): Promise<void> {
    await store.write(async (tx) => {
      await world.changed(tx);
      await revokeGrant(tx, { grantId, now: clock.now() });
    });
    await world.reload();
  }

  return {
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
      // PostgreSQL refuses a query with a NUL, and nothing that was issued has one.
      if (id.includes('\0')) return undefined;
      const row = await artifact.first(store.db, { kind, id });
      return row && { ...(JSON.parse(row.payload) as AdapterPayload), exp: wallExpiry(row.expires_at - clock.now()) };
    },

    /** The library is not told of an earlier use, which it would judge by what it read: only one statement can tell who was first. */
    async consume(id) {
      const row = await artifact.first(store.db, { kind, id });
      const consumed = await store.write((tx) => consumeArtifact.change(tx, { kind, id, now: clock.now() }));
      if (consumed === 1) return;
      const revoked = kind !== 'AuthorizationCode' || decisions['oauth.code-reuse'] === 'revoked';
      // A row that is gone was revoked while this request was on its way.
      if (revoked && row?.grant_id) await revoke(row.grant_id);
      throw new errors.InvalidGrant({ detail: usedBefore(kind, revoked) });
    },

    async destroy(id) {
      await store.write((tx) => deleteArtifact.change(tx, { kind, id }));
    },

    revokeByGrantId: revoke,
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  };
}

function usedBefore(kind: string, revoked: boolean): string {
  const what = kind === 'AuthorizationCode' ? 'The code' : 'The refresh token';
  return revoked ? `${what} was used before. Whatever came of it is revoked now.` : `${what} was used before.`;
}

/**
 * The library compares with wall time in whole seconds; whether something has expired is decided here, to the millisecond of kit time, and told so that
 * a second more or less changes nothing.
 */
function wallExpiry(remainingMs: number): number {
  return remainingMs <= 0 ? 1 : Math.floor(Date.now() / 1000) + Math.ceil(remainingMs / 1000) + 1;
}

/** Nobody stays logged in: login_hint says anew each time who is meant. */
export const noSessions: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};
