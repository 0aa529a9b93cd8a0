import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ok, refused } from './testing/expect.ts';
import { onBothEngines, type Token } from './testing/lab.ts';
import { operator } from './testing/platform.ts';
import { rule } from './testing/rule.ts';
import { usersList } from './testing/suites/users-list.ts';
import { idOf, NOBODY } from './testing/world.ts';

const ADA = idOf('users', 'ada');
/** What the kit does unless told otherwise (decision `users.list.read-model-lag`). */
const LAG = 250;

onBothEngines('users', (lab) => {
  const get = (userId: string, token: Token = 'full') => lab.api(token).GET('/users/{userId}', { params: { path: { userId } } });
  const list = (accountId: string, token: Token = 'full') => lab.api(token).GET('/users', { params: { query: { accountId } } });
  const shown = async (accountId: string) => {
    const { entities, count } = await ok(list(accountId));
    assert.equal(count, entities.length);
    return entities;
  };

  test(rule('users.get.shape', 'users.get.by-unified-id', 'users.updated-at-null'), async () => {
    const stage = idOf('accounts', 'stage');
    const ada = { id: ADA, accountId: stage, firstName: 'Ada', lastName: 'Lovelace' };
    assert.deepEqual(await ok(get(ADA), 200), { ...ada, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' });
    const nameless = { id: idOf('users', 'elsewhere'), accountId: stage, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null };
    assert.deepEqual(await ok(get(nameless.id)), nameless);
    assert.deepEqual(await ok(get(ADA, 'reader')), await ok(get(ADA)));
  });

  test(rule('users.get.by-base62-id', 'users.get.by-legacy-numeric-id', 'users.get.unified-id'), async () => {
    const byUnifiedId = await ok(get(ADA));
    for (const native of ['7Xk2_mQ9-bLw4ZtR', '2065550001']) assert.deepEqual(await ok(get(native)), byUnifiedId);
    // Base62 ids have letter case. An id that fits both styles is the legacy numeric one's, by the decision on it.
    await refused(get('7xk2_mq9-blw4ztr'), 404, 'users.get.not-found');
    assert.equal((await ok(get('4815162342'))).firstName, 'Castor');
  });

  const NOT_FOUND = [
    NOBODY,
    'nobody',
    '1234567890',
    idOf('users', 'hidden'),
    'aLoNe_19-05',
    '9900000001',
    'ext:0042@pbx.example',
    'a~b',
    idOf('accounts', 'stage'),
  ];

  test(rule('users.get.not-found', 'users.get.causes-indistinguishable'), async () => {
    const told = new Set<string>();
    for (const id of NOT_FOUND) {
      const { traceId, instance, ...rest } = await refused(get(id), 404, 'users.get.not-found');
      assert.ok(traceId && instance);
      told.add(JSON.stringify(rest));
    }
    const { traceId, instance, ...rest } = await refused(get(ADA, 'outsider'), 404, 'users.get.not-found');
    assert.deepEqual([...told], [JSON.stringify(rest)]);
  });

  test(rule('users.list.scope', 'users.get.scope', 'users.forbidden-only-by-scope'), async () => {
    for (const token of ['no-users', 'no-scopes'] as const) {
      await refused(list(idOf('accounts', 'stage'), token), 403, 'users.list.scope');
      for (const id of [ADA, ...NOT_FOUND]) await refused(get(id, token), 403, 'users.get.scope');
    }
    // Whom the account is hidden from gets no 403, nor who may only read it.
    await ok(list(idOf('accounts', 'hidden')), 200);
    await ok(get(idOf('users', 'readable')), 200);
  });

  test(rule('auth.claim.principal'), async () => {
    await refused(list(idOf('accounts', 'stage'), 'no-principal'), 401, 'auth.claim.principal');
    for (const id of [ADA, NOBODY]) await refused(get(id, 'no-principal'), 401, 'auth.claim.principal');
    // Which of the two is told of a token that lacks the scope as well is open.
    await refused(get(ADA, 'no-principal-no-users'), 401, 'users.token-without-claim-and-scope');
  });

  test(rule('users.list.rate', 'users.get.rate'), async () => {
    for (const operation of ['getUsers', 'getUser']) await lab.fault({ operation, fault: 'problem', status: 429, times: 1 });
    await refused(list(NOBODY), 429, 'http.injected-fault');
    await refused(get(ADA), 429, 'http.injected-fault');
    await ok(get(ADA));
  });

  test(rule('users.list.internal', 'users.get.internal'), async () => {
    for (const operation of ['getUsers', 'getUser']) await lab.fault({ operation, fault: 'problem', status: 500, times: 1 });
    const { detail } = await refused(list(NOBODY), 500, 'http.injected-fault');
    assert.ok(detail);
    assert.equal((await refused(get(ADA), 500, 'http.injected-fault')).detail, detail);
  });

  test(rule('users.list.fail-closed', 'users.get.fail-closed'), async () => {
    await lab.fault({ fault: 'authorization-service-down', times: 4 });
    // Who has no token is refused before anyone asks the authorization service, and uses nothing up.
    await refused(list(idOf('accounts', 'hidden'), 'none'), 401, 'auth.token.missing');
    for (const token of ['full', 'outsider'] as const) {
      await refused(list(idOf('accounts', 'hidden'), token), 503, 'users.list.fail-closed');
      await refused(get(NOBODY, token), 503, 'users.get.fail-closed');
    }
    // The other operations have no 503, and go on.
    await ok(list(NOBODY));
  });

  test(rule('users.list.eventually-current', 'users.get.current'), async () => {
    const { accountId, alias } = lab.room();
    const before = await shown(accountId);
    const { id } = await operator(lab).create('users', { account: alias, firstName: 'New' });
    const created = await ok(get(id));
    assert.deepEqual([created.firstName, created.updatedAt, Date.parse(created.createdAt)], ['New', null, lab.kit.clock.now()]);
    await settles(accountId, before, [...before, created]);

    await operator(lab).change('users', id, { firstName: 'Changed', lastName: 'Too' });
    const changed = await ok(get(id));
    assert.deepEqual([changed.firstName, changed.lastName, changed.createdAt], ['Changed', 'Too', created.createdAt]);
    assert.ok(changed.updatedAt! > created.createdAt);
    await settles(accountId, [...before, created], [...before, changed]);

    await operator(lab).remove('users', id);
    await refused(get(id), 404, 'users.get.not-found');
    await settles(accountId, [...before, changed], before);
  });

  /** The list is the old one until the lag has passed, and the new one from then on. */
  async function settles(accountId: string, old: readonly object[], settled: readonly object[]): Promise<void> {
    assert.deepEqual(await shown(accountId), old);
    await lab.advance(LAG - 1);
    assert.deepEqual(await shown(accountId), old);
    await lab.advance(1);
    assert.deepEqual(await shown(accountId), settled);
  }

  test('Two changes within the lag, the later of which takes the first back, settle on what is', async () => {
    const { accountId, alias } = lab.room();
    const before = await shown(accountId);
    const { id } = await operator(lab).create('users', { account: alias });
    await lab.advance(LAG / 2);
    await operator(lab).remove('users', id);
    for (const by of [0, LAG / 2, LAG]) {
      await lab.advance(by);
      assert.ok((await shown(accountId)).length <= before.length + 1);
    }
    assert.deepEqual(await shown(accountId), before);
  });

  test('Every update within one millisecond has a later updatedAt', async () => {
    const [id] = lab.room().users;
    let last = '';
    for (const firstName of ['A', 'B', 'C']) {
      await operator(lab).change('users', id, { firstName });
      const { updatedAt } = await ok(get(id));
      assert.ok(updatedAt! > last);
      last = updatedAt!;
    }
  });
});

onBothEngines('users list', usersList);
