import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CompiledQuery, type Kysely, type RootOperationNode } from 'kysely';
import { claim, dueOwners, type Lane } from './claims.ts';
import type { Executor } from './engine.ts';
import type { Tables } from './schema.ts';
import { openStore, type Store } from './store.ts';

const MOMENT = { now: 0, wall: 0 };

let store: Store;
before(async () => {
  store = await openStore();
});
after(() => store.close());

/** What SQLite reads of deliveries for the queries that this makes, in its own words. */
async function readsOf(make: (db: Executor) => Promise<unknown>): Promise<string[]> {
  const asked: RootOperationNode[] = [];
  const noting: Kysely<Tables> = store.db.withPlugin({
    transformQuery({ node }) {
      asked.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await make(noting);
  const compiled = asked.map((node) => store.db.getExecutor().compileQuery(node, { queryId: 'any' }));
  const plans = await Promise.all(
    compiled.map((query) =>
      store.db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters])),
    ),
  );
  return plans.flatMap(({ rows }) => rows.map(({ detail }) => detail)).filter((detail) => detail.includes(' deliveries'));
}

/** One row by its id, or rows of the lane by its index. */
function mustKeepTo(lane: Lane, reads: readonly string[]): void {
  const chosen = reads.filter((read) => !read.endsWith('(id=?)'));
  assert.ok(chosen.length > 0);
  for (const read of chosen) assert.match(read, new RegExp(`INDEX deliveries:subscription_id,due_at,id:${lane}\\b`));
}

// Most of an outbox is over, and most of what waits may be repeats for an endpoint that is dead.
for (const [lane, other] of [
  ['first', 'repeat'],
  ['repeat', 'first'],
] as const satisfies readonly (readonly [Lane, Lane])[]) {
  test(`whose ${lane} attempts are due is looked for among nothing else`, async () => {
    const reads = await readsOf((db) => dueOwners(db, lane, MOMENT));
    mustKeepTo(lane, reads);
  });

  test(`${lane} attempts are claimed without a look at what is over, or at ${other} attempts`, async () => {
    const owner = { subscriptionId: 'subscription', lane };
    const reads = await readsOf((db) => claim(db, owner, { ...MOMENT, limit: 10, claim: 'mine', until: 1 }));
    mustKeepTo(lane, reads);
  });
}
