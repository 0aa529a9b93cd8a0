import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DecisionId, Decisions } from '../contract/generated/decisions.ts';
import { decisions as table } from '../contract/generated/decisions-table.ts';
import { ok, refused, tally } from './testing/expect.ts';
import { onBothEngines } from './testing/lab.ts';
import { ofAssignability } from './testing/variants/assignability.ts';
import { ofAssignments } from './testing/variants/assignments.ts';
import { ofAuthorization } from './testing/variants/authorization.ts';
import { ofConnections } from './testing/variants/connections.ts';
import { ofDeliveries } from './testing/variants/deliveries.ts';
import { ofLists } from './testing/variants/lists.ts';
import { ofPlatform } from './testing/variants/platform.ts';
import { ofRequests } from './testing/variants/requests.ts';
import type { Check, Variants } from './testing/variants/variant.ts';
import { idOf } from './testing/world.ts';

const variants: Variants = {
  ...ofRequests,
  ...ofLists,
  ...ofAssignability,
  ...ofAssignments,
  ...ofConnections,
  ...ofPlatform,
  ...ofDeliveries,
  ...ofAuthorization,
};

/** The values of each decision that is served, the default first. */
const values = Object.entries(table)
  .filter(([, { alternatives = [] }]) => alternatives.length > 0)
  .map(([id, { default: first, alternatives = [] }]) => ({ id: id as DecisionId, values: [first, ...alternatives] }));

test('Every decision that is served has a check for each of its values', () => {
  assert.deepEqual(Object.keys(variants).toSorted(), values.map(({ id }) => id).toSorted());
  for (const { id, values: all } of values) assert.deepEqual(Object.keys(variants[id]!).toSorted(), all.map(String).toSorted());
});

// Kit k takes the k-th value of every decision that has as many, so that a few kits show all.
const most = Math.max(...values.map(({ values: all }) => all.length));
for (let k = 0; k < most; k++) {
  const taken = values.filter(({ values: all }) => k < all.length).map(({ id, values: all }) => ({ id, value: all[k]! }));
  const set = Object.fromEntries(taken.map(({ id, value }) => [id, value])) as Partial<Decisions>;
  onBothEngines(
    k === 0 ? 'the defaults' : `alternatives no. ${k}`,
    (lab) => {
      for (const { id, value } of taken) {
        const check = (variants[id] as Readonly<Record<string, Check>> | undefined)?.[String(value)];
        test(`${id}=${value}: ${table[id].means[String(value)] ?? table[id].question}`, () =>
          (check ?? assert.fail('it has no check'))(lab));
      }
    },
    { set },
  );
}

onBothEngines(
  'decisions that have a value',
  (lab) => {
    const stage = { params: { query: { accountId: idOf('accounts', 'stage') } } };
    const get = () => lab.api('full').GET('/users/{userId}', { params: { path: { userId: idOf('users', 'ada') } } });
    const list = () => lab.api('full').GET('/users', stage);

    test('users.rate-limit: a credential may make so many users requests a second, of both operations together', async () => {
      assert.deepEqual(await tally([get(), list(), get()]), { 200: 3 });
      await refused(list(), 429, 'users.list.rate');
      await refused(get(), 429, 'users.get.rate');
      assert.equal((await get()).response.headers.get('retry-after'), '1');
      await ok(lab.api('globex').GET('/users', stage));
      await lab.advance(1000);
      assert.deepEqual(await tally([get(), list(), get(), list()]), { 200: 3, 429: 1 });
    });

    test('users.list.read-model-lag: the list follows so many milliseconds after a change', async () => {
      const before = (await ok(list())).count!;
      const { error } = await lab.control.POST('/_control/state/{collection}', {
        params: { path: { collection: 'users' } },
        body: { account: 'stage' } as never,
      });
      assert.equal(error, undefined);
      await lab.advance(59_999);
      assert.equal((await ok(list())).count, before);
      await lab.advance(1);
      assert.equal((await ok(list())).count, before + 1);
    });

    test('auth.principal-claim: the principal stands in the claim of this name', async () => {
      const { full } = await lab.kit.tokens();
      const [, claims] = full!.split('.');
      assert.ok('urn:acme:claims:principal_id' in JSON.parse(Buffer.from(claims!, 'base64url').toString()));
      await ok(get());
    });
  },
  { set: { 'users.rate-limit': 3, 'users.list.read-model-lag': 60_000, 'auth.principal-claim': 'urn:acme:claims:principal_id' } },
);
