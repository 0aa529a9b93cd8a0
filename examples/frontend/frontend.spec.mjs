// Tests the page in a browser: npx playwright test
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test as base, expect } from '@playwright/test';
import { createKit } from 'experience-provider-kit';
import { createHandler } from './server.mjs';

const test = base.extend({
  /** Starts a kit and the application's server for each worker. */
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the pattern.
    async ({}, use) => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const pageUrl = `http://127.0.0.1:${server.address().port}`;
      const kit = await createKit({
        port: 0,
        login: 'auto', // Logs users in without a login page.
        allowOrigin: [pageUrl], // Allows the application's page to call the control API.
        extend: { clients: { 'acme-web': { redirectUris: [`${pageUrl}/callback`] } } },
      });
      server.on('request', createHandler({ apiUrl: kit.url, authUrl: kit.authUrl, pageUrl }));
      await use({ kit, pageUrl });
      server.close();
      await kit.close();
    },
    { scope: 'worker' },
  ],
});

/** Resets the world and logs in. Shows how code in the browser can call the control API. */
test.beforeEach(async ({ page, app: { kit, pageUrl } }) => {
  await page.clock.install();
  await page.goto(pageUrl);
  const reset = async (url) => {
    const body = JSON.stringify({ to: 'seed' });
    return (await fetch(`${url}/_control/reset`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status;
  };
  expect(await page.evaluate(reset, kit.url)).toBe(200);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(rows(page)).toHaveCount(5);
});

const rows = (page) => page.locator('tbody tr');
const message = (page) => page.getByRole('alert');
const click = (page, name) => page.getByRole('button', { name }).click();

/** Assigns a number to Acme Concierge. */
async function assign(page, number) {
  await page.getByLabel('Number to assign').fill(number);
  await click(page, 'Assign');
}

test("200: the page shows the account's assignments, page by page", async ({ page }) => {
  await expect(page.getByText('Northwind Traders, +12065550100')).toBeVisible();
  await click(page, 'Show more');
  await expect(rows(page)).toHaveCount(7);
  await expect(rows(page).filter({ hasText: 'Acme Concierge+12065550100' })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden();
});

test('201 and 204: a number is assigned and unassigned', async ({ page }) => {
  await click(page, 'Check');
  await expect(message(page)).toHaveText('This number can be assigned.');
  await assign(page, '+12065550103');
  await expect(message(page)).toHaveText('Assigned.');
  await expect(rows(page).first()).toContainText('+12065550103');
  await rows(page).first().getByRole('button', { name: 'Remove' }).click();
  await expect(message(page)).toHaveText('Removed.');
  await expect(rows(page)).toHaveCount(5);
});

for (const turn of ['first', 'second']) {
  // Runs twice, because the reset must remove the first run's assignment.
  test(`409: a number is not assigned twice (${turn} run)`, async ({ page }) => {
    await assign(page, '+12065550104');
    await expect(message(page)).toHaveText('Assigned.');
    await assign(page, '+12065550104');
    await expect(message(page)).toHaveText(/^409 Conflict.* is already assigned to this Experience\.trace id \w+$/);
    await expect(rows(page)).toHaveCount(6);
  });
}

test('401: the page replaces an expired access token and repeats the call', async ({ page, app: { kit } }) => {
  await kit.clock.advance('2h');
  const answers = [];
  page.on('response', (response) => answers.push(`${response.request().method()} ${response.status()}`));
  await assign(page, '+12065550105');
  await expect(message(page)).toHaveText('Assigned.');
  expect(answers.filter((answer) => !answer.startsWith('OPTIONS'))).toEqual(['POST 401', 'POST 200', 'POST 201']);
});

test('401: without a login, the page asks the user to log in', async ({ page, app: { kit } }) => {
  await kit.reset(); // The reset invalidates all tokens.
  await kit.fault({ fault: 'problem', operation: 'createExperienceAssignment', status: 401 });
  await assign(page, '+12065550105');
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
});

test('429: the page shows Retry-After, and lets the user try again when the time has passed', async ({ page, app: { kit } }) => {
  const headers = { 'retry-after': '30', 'content-type': 'application/problem+json' };
  const body = { title: 'Too many requests', status: 429, traceId: 'a'.repeat(32) };
  await kit.fault({ fault: 'response', operation: 'getExperienceAssignability', status: 429, headers, body, times: 1 });
  await click(page, 'Check');
  await expect(message(page)).toContainText('429 Too many requests');
  await expect(message(page)).toContainText('Try again in 30 s.');
  await expect(page.getByRole('button', { name: 'Check' })).toBeDisabled();
  await page.clock.runFor(30_000);
  await click(page, 'Check');
  await expect(message(page)).toHaveText('This number can be assigned.');
});

test('a slow response: the page disables its buttons while it waits, and gives up after 10 seconds', async ({ page, app: { kit } }) => {
  const fault = await kit.fault({ fault: 'latency', operation: 'createExperienceAssignment', latencyMs: 60_000 });
  await assign(page, '+12065550106');
  await expect(page.getByText('Waiting for the service…')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Assign' })).toBeDisabled();
  await expect.poll(() => fault.hits()).toBe(1);
  await page.clock.runFor(10_000);
  await expect(message(page)).toHaveText('The service did not answer within 10 seconds');
});

test('a lost connection: the page shows an error, and the user can try again', async ({ page, app: { kit } }) => {
  const fault = await kit.fault({ fault: 'connection-reset', operation: 'getExperienceAssignments' });
  await page.reload();
  await expect(message(page)).toHaveText('The service cannot be reached');
  await fault.remove();
  await click(page, 'Try again');
  await expect(rows(page)).toHaveCount(5);
});

test('a denied login: the page shows the reason', async ({ page }) => {
  await click(page, 'Log out');
  await page.getByLabel('Your telephone number').fill('+12065550159');
  await click(page, 'Log in');
  await expect(message(page)).toContainText('The login was refused');
});
