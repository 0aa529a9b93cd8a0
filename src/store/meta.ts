import type { Executor } from './engine.ts';
import { prepared } from './prepared.ts';

/** The key under which each load of a world has an id of its own. */
export const LOAD = 'load';

const all = prepared((db, _: object) => db.selectFrom('meta').select(['key', 'value']));
const put = prepared((db, p: { key: string; value: string }) =>
  db
    .insertInto('meta')
    .values({ key: p.key, value: p.value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: p.value })),
);

/** The small values of the whole store, by key. */
export async function readMeta(db: Executor): Promise<ReadonlyMap<string, string>> {
  return new Map((await all(db, {})).map(({ key, value }) => [key, value]));
}

export async function writeMeta(tx: Executor, key: string, value: string): Promise<void> {
  await put.change(tx, { key, value });
}
