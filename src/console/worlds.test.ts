import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, closeBrowserAfterTests, openConsole } from '../testing/console.ts';
import { confirmAction, getButton, getToast } from './testing/page.ts';

closeBrowserAfterTests();

test('in a browser, the worlds of a kit are listed with their labels, opened and ended, and their last requests remain', async () => {
  await using opened = await openConsole('/');
  const { page, kit, messages } = opened;
  await page.getByTitle('All worlds of this kit').click();
  await page.getByText('Only the first world').waitFor();
  const world = await kit.createWorld({ name: 'checkout', label: 'a test of the checkout' });
  const headers = { authorization: `Bearer ${await world.mint()}` };
  await fetch(`${world.url}/users/${world.ids.users?.ada}`, { headers });

  await page.getByText('a test of the checkout').waitFor();
  await page.getByRole('link', { name: 'checkout', exact: true }).click();
  await page.waitForURL(`${kit.url}/w/checkout/_console/`);
  const current = page.getByTitle('All worlds of this kit');
  await current.filter({ hasText: 'checkout' }).click();
  await page.getByText('checkout (this page)').waitFor();
  await page.getByRole('link', { name: 'Open the first world' }).click();
  await page.waitForURL(`${kit.url}/_console/`);

  await page.goto(`${kit.url}/_console/worlds`);
  await getButton(page, 'End checkout').click();
  await confirmAction(page, 'End checkout');
  await getToast(page, 'checkout has ended.');
  assert.equal((await fetch(`${world.url}/_control/health`)).status, 404);
  await assertAccessible(page);
  await page.getByRole('link', { name: 'checkout', exact: true }).click();
  await page.getByRole('heading', { name: 'Requests to checkout' }).waitFor();
  await page.getByText('GET').first().click();
  await page.getByRole('region', { name: 'response body' }).waitFor();
  await assertAccessible(page);
  assert.deepEqual(messages, []);
});
