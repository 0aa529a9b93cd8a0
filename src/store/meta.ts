import type { components } from '../contract/generated/control.ts';
import type { Executor } from './engine.ts';
import { prepareQuery } from './prepared.ts';

/** The `meta` keys that every request needs. The value of `load` changes each time a world is loaded. */
export const LOAD_KEY = 'load';
export const WORLD_KEY = 'world';
export const VERSION_KEY = 'version';
export const CLOCK_OFFSET_KEY = 'clock-offset';

const allValues = prepareQuery((db, _: object) => db.selectFrom('meta').select(['key', 'value']));
const worldValues = prepareQuery((db, _: object) =>
  db.selectFrom('meta').select(['key', 'value']).where('key', 'in', [WORLD_KEY, VERSION_KEY, LOAD_KEY, CLOCK_OFFSET_KEY]),
);
const upsertValue = prepareQuery((db, p: { key: string; value: string }) =>
  db
    .insertInto('meta')
    .values({ key: p.key, value: p.value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: p.value })),
);

/** Requests use `readWorldMeta` instead, because some values are large. */
export async function readMeta(db: Executor): Promise<ReadonlyMap<string, string>> {
  return new Map((await allValues(db, {})).map(({ key, value }) => [key, value]));
}

export async function readWorldMeta(db: Executor): Promise<ReadonlyMap<string, string>> {
  return new Map((await worldValues(db, {})).map(({ key, value }) => [key, value]));
}

export async function writeMeta(tx: Executor, key: string, value: string): Promise<void> {
  await upsertValue.executeWrite(tx, { key, value });
}

export interface WorldToken {
  readonly clientId: string;
  readonly principalId?: string;
  readonly scopes: readonly components['schemas']['Scope'][];
}

export async function readWorldTokens(db: Executor, meta: ReadonlyMap<string, string>): Promise<Record<string, WorldToken>> {
  const kept = JSON.parse(meta.get('tokens') ?? '{}') as Record<string, WorldToken>;
  const clients = new Set((await db.selectFrom('clients').select('id').execute()).map(({ id }) => id));
  const principals = new Set((await db.selectFrom('principals').select('id').execute()).map(({ id }) => id));
  const hasClientAndPrincipal = ({ clientId, principalId }: WorldToken) =>
    clients.has(clientId) && (principalId === undefined || principals.has(principalId));
  return Object.fromEntries(Object.entries(kept).filter(([, token]) => hasClientAndPrincipal(token)));
}
