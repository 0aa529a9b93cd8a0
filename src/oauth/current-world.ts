import type { Clock } from '../clock/clock.ts';
import type { Fingerprint } from '../clock/fingerprint.ts';
import type { Ids } from '../clock/ids.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import { createCursors } from '../domain/cursors.ts';
import type { ServiceContext } from '../service/context.ts';
import type { WorldState } from '../service/world-state.ts';
import { readMeta, readWorldTokens } from '../store/meta.ts';
import { deriveSigningKey } from './keys.ts';
import { type Authority, type MintRequest, mintReadyMadeTokens, mintToken } from './mint.ts';
import { createVerifier } from './verify.ts';

interface Context extends Pick<ServiceContext, 'store' | 'getListDatabase'> {
  readonly world: WorldState;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly decisions: Decisions;
  readonly fingerprint: Fingerprint;
  /** The path of the world below the kit's address. Worlds with the same content have different keys. */
  readonly prefix: string;
}

/** Without encoding, a query turns `+` into a space and `%2B` into `+`, and ends the value at `&`. */
const RESERVED_CHARACTERS = '+/=%2B&';
const AUDIENCE = 'urn:experience-provider-kit:api';

export function createCurrentWorld({ prefix, fingerprint, store, getListDatabase, world, clock, ids, decisions }: Context) {
  function load(name: string) {
    // The issuer does not contain the kit's address, so that tokens in an `.env` file stay valid on another port.
    const issuer = `urn:experience-provider-kit:${name}${prefix}`;
    const principalClaim = decisions['auth.principal-claim'];
    const authority: Authority = { world: name, issuer, audience: AUDIENCE, principalClaim, key: deriveSigningKey(name + prefix) };
    // Pages from before and after a load would not be pages of one list.
    const cursors = createCursors(() => world.load, decisions['lists.cursor.format'] === 'signed' ? '' : RESERVED_CHARACTERS);
    const service: ServiceContext = { store, getListDatabase, clock, ids, decisions, cursors };
    return { name, authority, service, verifier: createVerifier(authority, clock, fingerprint) };
  }
  let loaded: ReturnType<typeof load> | undefined;
  const getCurrent = () => {
    if (loaded?.name !== world.name) loaded = load(world.name);
    return loaded;
  };
  return {
    verifier: () => getCurrent().verifier,
    authority: () => getCurrent().authority,
    service: () => getCurrent().service,

    mint: (request: Omit<MintRequest, 'issuedAt' | 'id'>): string =>
      mintToken(getCurrent().authority, { ...request, issuedAt: clock.now(), id: ids.uuid() }),

    /** Returns the ready-made tokens by name, except those of deleted clients and principals. */
    async createReadyMadeTokens(): Promise<Readonly<Record<string, string>>> {
      const meta = await readMeta(store.db);
      const kept = await readWorldTokens(store.db, meta);
      return mintReadyMadeTokens(getCurrent().authority, Date.parse(meta.get('epoch') ?? ''), kept);
    },
  };
}
