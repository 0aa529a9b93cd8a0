import type { components } from '../contract/generated/control.ts';
import type { Executor } from './engine.ts';

/** A ready-made token of the world. The value of `tokens` in the table meta is a map of these by name, as JSON. */
export interface KeptToken {
  readonly clientId: string;
  readonly principalId?: string;
  readonly scopes: readonly components['schemas']['Scope'][];
}

/** The ready-made tokens by name, without those whose client or principal was deleted. @param meta as `readMeta` gives it. */
export async function keptTokens(db: Executor, meta: ReadonlyMap<string, string>): Promise<Record<string, KeptToken>> {
  const kept = Object.entries(JSON.parse(meta.get('tokens') ?? '{}') as Record<string, KeptToken>);
  const clients = new Set((await db.selectFrom('clients').select('id').execute()).map(({ id }) => id));
  const principals = new Set((await db.selectFrom('principals').select('id').execute()).map(({ id }) => id));
  const alive = kept.filter(
    ([, { clientId, principalId }]) => clients.has(clientId) && (principalId === undefined || principals.has(principalId)),
  );
  return Object.fromEntries(alive);
}
