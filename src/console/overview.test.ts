import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeBrowserAfterTests, openConsole } from '../testing/console.ts';

closeBrowserAfterTests();

test('in a browser, the overview shows URLs, clients and a first call, and logs no errors', async () => {
  await using opened = await openConsole('/');
  const { page, kit, messages } = opened;
  const main = page.getByRole('main');
  await main.getByText(kit.authUrl, { exact: true }).waitFor();
  assert.equal(await page.title(), 'Overview · Console');
  await main
    .getByRole('row', { name: /acme-web/ })
    .getByText('demo-secret-acme-web')
    .waitFor();
  await main.getByRole('combobox', { name: 'Token' }).selectOption('reader');
  await main.getByRole('button', { name: 'Copy curl command' }).click();
  const curl = (await page.evaluate('navigator.clipboard.readText()')) as string;
  const [, url = '', token = ''] = /^curl '([^']+)' \\\n {2}-H 'authorization: Bearer ([^']+)'$/.exec(curl) ?? [];
  assert.equal(token, (await kit.tokens()).reader);
  assert.equal((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status, 200);
  assert.deepEqual(messages, []);
});

test('in a browser, each decision shows its current value and a command for each alternative', async () => {
  await using opened = await openConsole('/', { settings: { set: { 'connections.create.status': 200 } } });
  const { page, kit } = opened;
  const decisions = page.getByRole('listitem').filter({ has: page.locator('summary') });
  await decisions.first().getByText('connections.create.status', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Show all \d+ decisions$/ }).click();
  assert.equal(await decisions.count(), Object.keys(kit.decisions).length);
  await page.getByRole('searchbox', { name: 'Search' }).fill('lists.order');
  await decisions.first().getByText('lists.order', { exact: true }).click();
  assert.equal(await decisions.count(), 1);
  await decisions.getByRole('button', { name: 'Copy command for lists.order newest-first' }).click();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), "xpk start --set 'lists.order=newest-first'");
});

test('in a browser, the console of a proxy names the target, and has no pages for what only a kit has', async () => {
  await using opened = await openConsole('/', { settings: { upstream: { api: 'https://staging.example.com/api' } } });
  await opened.page.getByText('proxy of staging.example.com', { exact: true }).waitFor();
  // The title changes after the page does.
  await opened.page.waitForFunction("document.title === 'Overview · Proxy of staging.example.com'");
  const names = await opened.page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents();
  assert.deepEqual(names, ['Overview', 'Requests', 'Clock & faults', 'Reports']);
});
