import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReceiver } from '../events/testing/receiver.ts';
import { closeBrowserAfterTests, openConsole } from '../testing/console.ts';
import { confirmAction, getToast } from './testing/page.ts';

closeBrowserAfterTests();

const DAY_MS = 86_400_000;

test('in a browser, the clock advances by a step, by a duration, and to the next delivery attempt', async () => {
  await using opened = await openConsole('/clock');
  const { page, kit, control, messages } = opened;
  const receiver = await startReceiver();
  try {
    receiver.answerWith(500);
    await page.getByText('Nothing is due').waitFor();
    await page.getByRole('button', { name: '1d' }).click();
    await page.getByRole('status').getByText('No delivery was due.').waitFor();
    assert.equal(kit.clock.offset, DAY_MS);
    // The button keeps the focus while its request runs.
    assert.equal(await page.evaluate('document.activeElement.textContent'), '1d');
    await page.getByLabel('Another duration').fill('a day');
    await page.getByLabel('Another duration').press('Enter');
    await page.getByText(/must be a duration such as 1h30m/).waitFor();
    assert.equal(kit.clock.offset, DAY_MS);
    await page.getByRole('main').getByText('1d ahead').waitFor();

    const types = ['provisioning.user.created'];
    await control('POST', '/subscriptions', { alias: 'mine', provider: 'acme', types, destinationUrl: receiver.url });
    await control('POST', '/state/users', { account: 'northwind' });
    await receiver.atLeast(1);
    await page.reload();
    const row = page.getByRole('listitem').filter({ hasText: '1 attempt to mine' });
    await row.first().waitFor();
    await page.getByRole('button', { name: 'To the next delivery' }).click();
    await receiver.atLeast(2);
    await row.filter({ hasText: /in \d+m/ }).waitFor();
    await getToast(page, /attempts? (was|were) made/);
    receiver.answerWith(204);
    await page.getByRole('button', { name: 'To the next delivery' }).click();
    await receiver.atLeast(3);
    await page.getByText('Nothing is due').waitFor();
    const left = await control<unknown[]>('GET', '/deliveries?state=pending');
    assert.deepEqual(left, []);
  } finally {
    await receiver.close();
  }
  assert.deepEqual(messages, []);
});

test('in a browser, a fault is added, counts the affected requests, and is removed', async () => {
  await using opened = await openConsole('/clock');
  const { page, kit, messages } = opened;
  const readUser = async () => {
    const headers = { authorization: `Bearer ${(await kit.tokens()).full}` };
    return (await fetch(`${kit.url}/users/2065550001`, { headers })).status;
  };
  await page.getByText('No faults', { exact: true }).first().waitFor();
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('getUser');
  await page.getByRole('combobox', { name: 'Rule' }).selectOption('users.get.rate');
  await page.getByText('Reading users beyond the rate limit gets 429.').waitFor();
  await page.getByLabel('Times').fill('none');
  await page.getByRole('button', { name: 'Add the fault' }).click();
  await page.getByText('must be a whole number').waitFor();
  await page.getByLabel('Times').fill('2');
  await page.getByRole('button', { name: 'Add the fault' }).click();
  const fault = page.getByRole('listitem').filter({ hasText: 'users.get.rate' });
  await fault.waitFor();
  assert.equal(await fault.getByText('undocumented').count(), 0);
  assert.deepEqual([await readUser(), await readUser(), await readUser()], [429, 429, 200]);
  await fault.getByText('2 of 2 hits').waitFor();
  await page.getByRole('combobox', { name: 'Rule' }).selectOption('');
  // A status that is not documented offers the field that permits it.
  assert.equal(await page.getByLabel('Undocumented').count(), 0);
  await page.getByLabel('Status').fill('502');
  await page.getByLabel('Times').fill('');
  await page.getByRole('button', { name: 'Add the fault' }).click();
  await page.getByText('502 is not documented for getUser. To inject it anyway, check “Undocumented”.').waitFor();
  await page.getByLabel('Undocumented').check();
  await page.getByRole('button', { name: 'Add the fault' }).click();
  const gateway = page.getByRole('listitem').filter({ hasText: /problem 502 undocumented/ });
  await gateway.waitFor();
  assert.equal(await readUser(), 502);
  await gateway.getByRole('button', { name: 'Remove' }).click();
  await gateway.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove all' }).click();
  await confirmAction(page, 'Remove all');
  await page.getByRole('heading', { name: 'No faults' }).waitFor();
  assert.equal(await readUser(), 200);
  assert.deepEqual(messages, []);
});

test('in a browser, faults are added by presets, and a saved set of faults can be added again after a reload', async () => {
  await using opened = await openConsole('/clock');
  const { page, control } = opened;
  await page.getByRole('combobox', { name: 'Affects' }).selectOption('getUser');
  await page.getByRole('button', { name: 'Rate limited' }).click();
  await page
    .getByRole('listitem')
    .filter({ hasText: /problem 429.*getUser/ })
    .waitFor();
  await page.getByRole('combobox', { name: 'Affects' }).selectOption('');
  // Not every operation documents 503.
  await page.getByRole('button', { name: 'Flaky' }).click();
  await page
    .getByRole('listitem')
    .filter({ hasText: /problem 503 undocumented.*every operation · 33 %/ })
    .waitFor();
  await page.getByLabel('Save the active faults as').fill('bad-day');
  await page.keyboard.press('Enter');
  await control('DELETE', '/faults');
  await page.reload();
  await page.getByRole('button', { name: 'Add the faults of bad-day' }).click();
  await page.getByRole('listitem').filter({ hasText: 'problem 503' }).waitFor();
  const added = await control<{ fault: string; status: number; operation?: string }[]>('GET', '/faults');
  assert.deepEqual(
    added.map(({ status, operation }) => [status, operation]),
    [
      [429, 'getUser'],
      [503, undefined],
    ],
  );
  await page.getByRole('button', { name: 'Delete the set bad-day' }).click();
  await page.getByRole('button', { name: 'Add the faults of bad-day' }).waitFor({ state: 'detached' });
});
