import type { Clock } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import { createCursors } from '../domain/cursors.ts';
import type { ServiceContext } from '../service/context.ts';
import type { WorldState } from '../service/world-state.ts';
import { keptTokens, readMeta } from '../store/meta.ts';
import type { Store } from '../store/store.ts';
import type { Authority } from './authority.ts';
import { createIdentity } from './identity.ts';
import { type MintRequest, mintToken } from './mint.ts';
import { readyTokens } from './ready-tokens.ts';
import { withRevocations } from './revocations.ts';
import type { Verifier } from './verify.ts';

interface PresentContext {
  readonly store: Store;
  readonly world: WorldState;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly decisions: Decisions;
}

/** What follows from the name of the world that is loaded: keys, tokens, cursors. Made anew when another world is loaded. */
export interface PresentWorld {
  verifier(): Verifier;
  /** Who issues its tokens. */
  authority(): Authority;
  service(): ServiceContext;
  /** Mints a token as of now. */
  mint(request: Omit<MintRequest, 'issuedAt'>): string;
  /** The ready-made tokens of the world by name, of clients and principals that exist; their text never changes. */
  readyTokens(): Promise<Readonly<Record<string, string>>>;
}

export function presentWorld({ store, world, clock, ids, decisions }: PresentContext): PresentWorld {
  const make = () => {
    const identity = createIdentity(world.name, { principalClaim: decisions['auth.principal-claim'], clock, ids });
    const service: ServiceContext = { store, clock, ids, decisions, cursors: createCursors(world.name) };
    return { identity, service, verifier: withRevocations(identity.verifier, { store, world }) };
  };
  let made: ReturnType<typeof make> | undefined;
  const present = () => {
    if (made?.identity.world !== world.name) made = make();
    return made as NonNullable<typeof made>;
  };
  return {
    verifier: () => present().verifier,
    authority: () => present().identity.authority,
    service: () => present().service,
    mint: (request) => mintToken(present().identity.authority, { ...request, issuedAt: clock.now() }),
    async readyTokens() {
      const meta = await readMeta(store.db);
      const kept = await keptTokens(store.db, meta);
      return Object.fromEntries(readyTokens(present().identity.authority, Date.parse(meta.get('epoch') ?? ''), kept));
    },
  };
}
