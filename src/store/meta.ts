import type { components } from '../contract/generated/control.ts';
import type { Executor } from './engine.ts';
import { prepared } from './prepared.ts';

/** The keys of the values that every request depends on. Each load of a world has a new id under `load`. */
export const LOAD = 'load';
export const WORLD = 'world';
export const VERSION = 'version';
export const CLOCK_OFFSET = 'clock-offset';

const all = prepared((db, _: object) => db.selectFrom('meta').select(['key', 'value']));
const ofWorld = prepared((db, _: object) =>
  db.selectFrom('meta').select(['key', 'value']).where('key', 'in', [WORLD, VERSION, LOAD, CLOCK_OFFSET]),
);
const put = prepared((db, p: { key: string; value: string }) =>
  db
    .insertInto('meta')
    .values({ key: p.key, value: p.value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: p.value })),
);

/** All values by key. Some of them are large. */
export async function readMeta(db: Executor): Promise<ReadonlyMap<string, string>> {
  return new Map((await all(db, {})).map(({ key, value }) => [key, value]));
}

/** The values that every request depends on, by key. They have a few bytes each. */
export async function readWorldMeta(db: Executor): Promise<ReadonlyMap<string, string>> {
  return new Map((await ofWorld(db, {})).map(({ key, value }) => [key, value]));
}

export async function writeMeta(tx: Executor, key: string, value: string): Promise<void> {
  await put.change(tx, { key, value });
}

/** A ready-made token of the world. The value of `tokens` is a JSON object of these by name. */
export interface KeptToken {
  readonly clientId: string;
  readonly principalId?: string;
  readonly scopes: readonly components['schemas']['Scope'][];
}

/** The ready-made tokens by name, without those whose client or principal was deleted. @param meta from `readMeta` */
export async function keptTokens(db: Executor, meta: ReadonlyMap<string, string>): Promise<Record<string, KeptToken>> {
  const kept = JSON.parse(meta.get('tokens') ?? '{}') as Record<string, KeptToken>;
  const clients = new Set((await db.selectFrom('clients').select('id').execute()).map(({ id }) => id));
  const principals = new Set((await db.selectFrom('principals').select('id').execute()).map(({ id }) => id));
  const exists = ({ clientId, principalId }: KeptToken) =>
    clients.has(clientId) && (principalId === undefined || principals.has(principalId));
  return Object.fromEntries(Object.entries(kept).filter(([, token]) => exists(token)));
}
