import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { writeReports } from '../report/testing/report-folder.ts';
import { createSmallResults, passedFindings } from '../report/testing/small-results.ts';
import { closeBrowserAfterTests, openConsole } from '../testing/console.ts';
import { focusWithKey, getButton, getMain, pressWithFocus } from './testing/page.ts';

closeBrowserAfterTests();

async function selectByTyping(page: Page, label: string, value: string, text = value): Promise<void> {
  const list = page.getByRole('combobox', { name: label });
  await list.locator('option').filter({ hasText: text }).first().waitFor({ state: 'attached' });
  await focusWithKey(list);
  await page.keyboard.type(text);
  assert.equal(await list.inputValue(), value);
}

test('in a browser, a keyboard user can skip to the content, open every page and change the theme', async () => {
  await using opened = await openConsole('/', { browser: { colorScheme: 'light' } });
  const { page } = opened;
  const readFocus = () => page.evaluate('document.activeElement.id');
  await pressWithFocus(page.getByRole('link', { name: 'Skip to the content' }));
  assert.equal(await readFocus(), 'main');
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  assert.ok((await links.count()) > 1);
  for (const link of (await links.all()).toReversed()) {
    // Press Shift+Tab, because the links are before the focused content.
    await pressWithFocus(link, 'Shift+Tab');
    await page
      .getByRole('navigation', { name: 'Pages' })
      .locator('a[aria-current=page]', { hasText: await link.innerText() })
      .waitFor();
    await page.locator('#main:focus').getByRole('heading', { level: 1 }).waitFor();
  }
  await pressWithFocus(page.getByTitle('Change the theme'), 'Shift+Tab');
  await page.locator('html[data-theme=dark]').waitFor();
});

test('in a browser, a keyboard user can filter requests, open a request, make the suggested change and send the request again', async () => {
  await using opened = await openConsole('/requests');
  const { page, kit, control } = opened;
  const readId = async (path: string) => (await control<{ id: string }>('GET', `/state${path}`)).id;
  const body = { accountId: await readId('/accounts/northwind'), experienceId: await readId('/experiences/reception') };
  const headers = { authorization: `Bearer ${(await kit.tokens()).full}`, 'content-type': 'application/json' };
  await fetch(`${kit.url}/experience/connections`, { method: 'POST', headers, body: JSON.stringify(body) });
  await selectByTyping(page, 'Status', '4xx');
  await page.waitForURL(/\?status=4xx$/);
  await pressWithFocus(page.getByRole('link', { name: '/experience/connections' }));
  const detail = page.getByRole('article', { name: 'Request' });
  await detail.getByText('connections.create.exists', { exact: true }).waitFor();
  await detail.getByText('A second connection for the same account and Experience gets 409.').waitFor();
  const refused = page.url();
  await pressWithFocus(detail.getByRole('button', { name: 'Make this change and send again' }));
  await detail.getByRole('heading', { name: '201 POST /experience/connections' }).waitFor();
  assert.notEqual(page.url(), refused);
  await pressWithFocus(detail.getByRole('button', { name: 'Send again', exact: true }));
  await detail.getByRole('heading', { name: '409 POST /experience/connections' }).waitFor();
  await pressWithFocus(detail.getByRole('link', { name: 'Close the detail' }));
  await detail.waitFor({ state: 'detached' });
});

test('in a browser, a keyboard user can advance the clock, and add and remove a fault', async () => {
  await using opened = await openConsole('/clock');
  const { page, control } = opened;
  await pressWithFocus(getButton(page, '1d'));
  await getMain(page).getByText('1d ahead').waitFor();
  await focusWithKey(page.getByLabel('Another duration'));
  await page.keyboard.type('1d');
  await page.keyboard.press('Enter');
  await getMain(page).getByText('2d ahead').waitFor();
  await selectByTyping(page, 'Operation', 'getUser', 'getUser ');
  await selectByTyping(page, 'Rule', 'users.get.rate', '429 users.get.rate');
  await pressWithFocus(getButton(page, 'Add the fault'));
  const fault = page.getByRole('listitem').filter({ hasText: 'users.get.rate' });
  await pressWithFocus(fault.getByRole('button', { name: /^Remove/ }));
  await fault.waitFor({ state: 'detached' });
  await page.locator('section:focus').getByRole('heading', { name: 'Faults', exact: true }).waitFor();
  assert.deepEqual(await control('GET', '/faults'), []);
});

test('in a browser, a keyboard user can redeliver and check a signature', async () => {
  await using opened = await openConsole('/events', { settings: { set: { 'events.delivery.signature': 'standard-webhooks' } } });
  const { page, control, connect } = opened;
  const types = ['experience.connection.created'];
  await control('POST', '/subscriptions', { alias: 'keys', provider: 'acme', types });
  await connect('one');
  await pressWithFocus(page.getByRole('link', { name: 'experience.connection.created' }));
  const recipient = page.getByRole('article', { name: 'Event' }).getByRole('region', { name: 'Subscription keys' });
  await recipient.getByText('acknowledged', { exact: true }).waitFor();
  await pressWithFocus(recipient.getByRole('button', { name: 'Redeliver' }));
  await recipient.getByText('Attempt 2').waitFor();

  await pressWithFocus(recipient.getByRole('link', { name: 'Check the signature' }));
  await page.getByText('The signature matches this secret.').waitFor();
  await focusWithKey(page.getByLabel('Body'));
  await page.keyboard.type(' ');
  await pressWithFocus(getButton(page, 'Check'));
  await page.getByText('The signature does not match this secret.').waitFor();
});

test('in a browser, a keyboard user can open a report and return to the list', async () => {
  await using reports = await writeReports({ report: createSmallResults(passedFindings) });
  await using opened = await openConsole('/reports', { settings: { reports: reports.folder } });
  const { page } = opened;
  const report = getMain(page).getByRole('link', { name: /^Conformance of/ });
  await pressWithFocus(report);
  await page.frameLocator('iframe.report').getByRole('heading', { level: 1 }).waitFor();
  await pressWithFocus(page.getByRole('link', { name: 'All reports' }));
  await report.waitFor();
});

test('in a browser, arrow keys select a row, Enter opens its detail, Escape returns to it, and a list is one tab stop', async () => {
  await using opened = await openConsole('/requests');
  const { page, sendRequest } = opened;
  const ROWS = 60;
  for (let number = 0; number < ROWS; number++) await sendRequest(`/users/unknown-${number}`);
  await page.reload();
  const link = (number: number) => page.getByRole('link', { name: `/users/unknown-${number}`, exact: true });
  await link(ROWS - 1).waitFor();
  assert.equal(await page.locator('.list tbody a[tabindex="0"]').count(), 1);
  await page.keyboard.press('/');
  assert.equal(await page.evaluate('document.activeElement.labels[0].textContent.trim()'), 'Text');
  // From outside of the list, the first such key selects the first row.
  await focusWithKey(getButton(page, 'Clear the journal'), 'Shift+Tab');
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  const detail = page.getByRole('article', { name: 'Request' });
  await detail.getByRole('heading', { name: `404 GET /users/unknown-${ROWS - 2}` }).waitFor();
  assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Request');
  await page.keyboard.press('Escape');
  await detail.waitFor({ state: 'detached' });
  await page
    .locator('.list a:focus')
    .filter({ hasText: `unknown-${ROWS - 2}` })
    .waitFor();
  await page.keyboard.press('End');
  await page.locator('.list a:focus').filter({ hasText: 'unknown-0' }).waitFor();
  await page.keyboard.press('Home');
  await page
    .locator('.list a:focus')
    .filter({ hasText: `unknown-${ROWS - 1}` })
    .waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.list a:focus').waitFor();

  // The same keys move between the rows of a table.
  await page.getByRole('link', { name: 'World', exact: true }).click();
  await page.getByRole('button', { name: 'New account' }).waitFor();
  await page.locator('td:first-child a').nth(1).waitFor();
  for (const key of ['j', 'j', 'ArrowDown', 'k']) await page.keyboard.press(key);
  // Not by its text, because a link shows the alias until the name is known.
  assert.equal(await page.evaluate("[...document.querySelectorAll('td:first-child a')].indexOf(document.activeElement)"), 1);
});
