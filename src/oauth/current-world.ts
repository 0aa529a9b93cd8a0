import type { Clock } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import { createCursors } from '../domain/cursors.ts';
import type { ServiceContext } from '../service/context.ts';
import type { WorldState } from '../service/world-state.ts';
import { keptTokens, readMeta } from '../store/meta.ts';
import { worldSigningKey } from './keys.ts';
import { type Authority, type MintRequest, mintToken, readyTokens } from './mint.ts';
import { createVerifier } from './verify.ts';

interface Context extends Pick<ServiceContext, 'store' | 'listed'> {
  readonly world: WorldState;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly decisions: Decisions;
}

/** The claim `aud` of every access token. */
const AUDIENCE = 'urn:experience-provider-kit:api';

/**
 * Creates the keys, the token verifier and the cursors. They depend on the name of the world, so they are created again when a world with another name
 * is loaded.
 */
export function currentWorld({ store, listed, world, clock, ids, decisions }: Context) {
  function load(name: string) {
    // The issuer is not the address of the kit, so that tokens in an `.env` stay valid when the kit starts on another port.
    const issuer = `urn:experience-provider-kit:${name}`;
    const principalClaim = decisions['auth.principal-claim'];
    const authority: Authority = { world: name, issuer, audience: AUDIENCE, principalClaim, key: worldSigningKey(name) };
    const service: ServiceContext = { store, listed, clock, ids, decisions, cursors: createCursors(name) };
    return { name, authority, service, verifier: createVerifier(authority, clock) };
  }
  let loaded: ReturnType<typeof load> | undefined;
  const current = () => {
    if (loaded?.name !== world.name) loaded = load(world.name);
    return loaded;
  };
  return {
    verifier: () => current().verifier,
    authority: () => current().authority,
    service: () => current().service,

    /** Mints a token with the current kit time as its time of issue. */
    mint: (request: Omit<MintRequest, 'issuedAt' | 'id'>): string =>
      mintToken(current().authority, { ...request, issuedAt: clock.now(), id: ids.uuid() }),

    /** The ready-made tokens by name, without those whose client or principal no longer exists. A token of the same name is always the same string. */
    async readyTokens(): Promise<Readonly<Record<string, string>>> {
      const meta = await readMeta(store.db);
      const kept = await keptTokens(store.db, meta);
      return readyTokens(current().authority, Date.parse(meta.get('epoch') ?? ''), kept);
    },
  };
}
