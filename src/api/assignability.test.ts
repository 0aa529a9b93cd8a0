import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PathForm } from '../contract/generated/operations.ts';
import { inARow, ok, refused, tally } from './testing/expect.ts';
import { onBothEngines, type Token } from './testing/lab.ts';
import { rule } from './testing/rule.ts';
import { ASSIGNABILITY, account, assign, connect, type ExperienceAlias, experience, number, type Target, user } from './testing/steps.ts';
import { idOf, NOBODY } from './testing/world.ts';

onBothEngines('assignability', (lab) => {
  const check = (alias: ExperienceAlias, target: Target, token: Token = 'full', form?: PathForm) =>
    lab.api(token, form).GET(ASSIGNABILITY, { params: { path: { experienceId: experience(alias) }, query: target } });
  const raw = (search: string, token: Token = 'full') =>
    lab.send('GET', `${ASSIGNABILITY.replace('{experienceId}', experience('agent'))}?${search}`, { token });
  const isAssignable = async (alias: ExperienceAlias, target: Target, token?: Token) =>
    (await ok(check(alias, target, token), 200)).assignable;
  const free = number('+442079460105');

  test(rule('assignability.shape', 'assignability.echo', 'assignability.free-target-true'), async () => {
    const { numbers, users, accountId } = lab.room();
    for (const target of [number(numbers[0]), user(users[0]), account(accountId)]) {
      assert.deepEqual(await ok(check('agent', target)), { experienceId: experience('agent'), ...target, assignable: true });
      // What was said can be done.
      await assign(lab, 'agent', target);
    }
  });

  test(rule('assignability.unknown-target-false'), async () => {
    for (const target of [
      number('+12065559999'),
      user(NOBODY),
      account(NOBODY),
      user(idOf('accounts', 'stage')),
      account(idOf('users', 'ada')),
    ]) {
      assert.equal(await isAssignable('agent', target), false);
    }
  });

  test('What creating an assignment would be refused for is not assignable: taken, an AGENT conflict, out of reach, to be read only', async () => {
    const { numbers } = lab.room();
    await assign(lab, 'agent', number(numbers[0]));
    assert.equal(await isAssignable('agent', number(numbers[0])), false);
    assert.equal(await isAssignable('other-agent', number(numbers[0])), false);
    assert.equal(await isAssignable('general', number(numbers[0])), true);
    for (const unmanaged of [number('+442079460104'), number('+442079460102'), user(idOf('users', 'hidden'))])
      assert.equal(await isAssignable('agent', unmanaged), false);
    // Without a principal there is nobody to whom the account could be hidden.
    assert.equal(await isAssignable('agent', number('+442079460104'), 'no-principal'), true);
  });

  test('A check changes nothing, and needs no connection', async () => {
    const { accountId, numbers } = lab.room();
    assert.equal(await isAssignable('general', number(numbers[0])), true);
    await connect(lab, 'general', accountId);
    assert.equal(await isAssignable('general', number(numbers[0])), true);
    assert.deepEqual(await lab.published(accountId), ['experience.connection.created']);
  });

  test(rule('assignability.target-missing'), async () => {
    for (const search of ['', 'targetType=USER', `targetValue=${NOBODY}`]) await refused(raw(search), 400, 'assignability.target-missing');
  });

  test(rule('assignability.target-type-not-allowed'), async () => {
    for (const type of ['FAX', 'user', '', 'USER%00'])
      await refused(raw(`targetType=${type}&targetValue=${NOBODY}`), 400, 'assignability.target-type-not-allowed');
  });

  test(rule('assignability.target-value-format'), async () => {
    const wrong = [
      'PHONE_NUMBER&targetValue=12065550100',
      'PHONE_NUMBER&targetValue=+12065550100',
      'PHONE_NUMBER&targetValue=',
      'USER&targetValue=ada',
      `ACCOUNT&targetValue=urn:uuid:${NOBODY}`,
      `PHONE_NUMBER&targetValue=${NOBODY}`,
    ];
    for (const search of wrong) await refused(raw(`targetType=${search}`), 400, 'assignability.target-value-format');
  });

  test(rule('assignability.read-only', 'assignability.not-found'), async () => {
    await refused(check('readable', free), 403, 'assignability.read-only');
    await refused(check('hidden', free), 404, 'assignability.not-found');
    const elsewhere = (experienceId: string) => lab.api('full').GET(ASSIGNABILITY, { params: { path: { experienceId }, query: free } });
    for (const id of [NOBODY, idOf('accounts', 'stage')]) await refused(elsewhere(id), 404, 'assignability.not-found');
    assert.equal(await isAssignable('readable', free, 'globex'), true);
    assert.equal(await isAssignable('hidden', free, 'globex'), true);
  });

  test(rule('assignability.scope'), async () => {
    for (const token of ['no-assignability', 'no-scopes'] as const) await refused(check('agent', free, token), 403, 'auth.missing-scope');
  });

  const many = (count: number, token: Token, form?: PathForm) => inARow(count, () => check('agent', free, token, form));

  test(rule('limits.assignability.under-limit', 'limits.assignability.rate'), async () => {
    const token = await lab.loadToken();
    assert.deepEqual(await many(100, token), { 200: 100 });
    await refused(check('agent', free, token), 429, 'limits.assignability.rate');
    assert.equal((await check('agent', free, token)).response.headers.get('retry-after'), '1');
    await lab.advance(999);
    await refused(check('agent', free, token), 429, 'limits.assignability.rate');
    await lab.advance(1);
    // What was refused did not count.
    assert.deepEqual(await many(120, token), { 200: 100, 429: 20 });
  });

  test('The second slides: what was let through a second ago is free again, and no more', async () => {
    const token = await lab.loadToken();
    assert.deepEqual(await many(60, token), { 200: 60 });
    await lab.advance(600);
    assert.deepEqual(await many(41, token), { 200: 40, 429: 1 });
    await lab.advance(399);
    assert.deepEqual(await many(1, token), { 429: 1 });
    await lab.advance(1);
    assert.deepEqual(await many(61, token), { 200: 60, 429: 1 });
    await lab.advance(600);
    assert.deepEqual(await many(41, token), { 200: 40, 429: 1 });
  });

  test(rule('limits.assignability.per-credential'), async () => {
    const [busy, idle] = [await lab.loadToken(), await lab.loadToken()];
    assert.deepEqual(await many(101, busy), { 200: 100, 429: 1 });
    assert.deepEqual(await many(100, idle), { 200: 100 });
  });

  test(rule('limits.assignability.forms-share'), async () => {
    const token = await lab.loadToken();
    assert.deepEqual(await many(50, token, 'prefixed'), { 200: 50 });
    assert.deepEqual(await many(51, token, 'flat'), { 200: 50, 429: 1 });
    assert.deepEqual(await many(1, token, 'prefixed'), { 429: 1 });
  });

  test('Every check with a token that has the scope counts, and nothing else does', async () => {
    const client = 'load-12';
    const token = await lab.mint({ client, principal: 'manager' });
    const scopeless = await lab.mint({ client, principal: 'manager', scopes: ['users:manage'] });
    await inARow(120, () => check('agent', free, scopeless));
    const wrong = [raw('', token), check('hidden', free, token), check('readable', free, token)];
    assert.deepEqual(await tally(wrong), { 400: 1, 404: 1, 403: 1 });
    assert.deepEqual(await many(98, token), { 200: 97, 429: 1 });
    // Another token of the client is the same credential; being limited goes before being wrong.
    const again = await lab.mint({ client, principal: 'reader' });
    await refused(raw('', again), 429, 'limits.assignability.rate');
    await ok(lab.api(token).GET('/users', { params: { query: { accountId: NOBODY } } }));
  });
});
