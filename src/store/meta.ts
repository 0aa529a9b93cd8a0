import type { Executor } from './engine.ts';
import { prepared } from './prepared.ts';

/** The key under which each load of a world has an id of its own. */
export const LOAD = 'load';

/** The keys of the values that every request depends on, besides LOAD. */
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

/** All values of the store that belong to no entity, by key. Some of them are large. */
export async function readMeta(db: Executor): Promise<ReadonlyMap<string, string>> {
  return new Map((await all(db, {})).map(({ key, value }) => [key, value]));
}

/** Only the values that every request depends on, by key: a few bytes each. */
export async function readWorldMeta(db: Executor): Promise<ReadonlyMap<string, string>> {
  return new Map((await ofWorld(db, {})).map(({ key, value }) => [key, value]));
}

export async function writeMeta(tx: Executor, key: string, value: string): Promise<void> {
  await put.change(tx, { key, value });
}
