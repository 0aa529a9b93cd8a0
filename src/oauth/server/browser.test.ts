import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { callControl } from '../../control/testing/call.ts';
import { createKit, type Kit } from '../../kit.ts';
import { type Changes, createFlow, readUser } from '../../testing/oauth-flow.ts';
import { startCallbackServer } from './testing/callback.ts';
import { launchChromium } from './testing/chromium.ts';

let kit: Kit;
let chromium: Browser;
let client: ReturnType<typeof createFlow>;
let callback: Awaited<ReturnType<typeof startCallbackServer>>;
before(async () => {
  // Start the browser first, because if it fails to start, open servers would keep the process running.
  chromium = await launchChromium();
  [kit, callback] = await Promise.all([createKit({ port: 0, login: 'page' }), startCallbackServer()]);
  client = createFlow(kit.authUrl);
  const { status } = await callControl(kit.url, 'PATCH', '/state/clients/acme-web', { redirectUris: [callback.redirectUri] });
  assert.equal(status, 200);
});
after(async () => {
  await chromium?.close();
  await kit?.close();
  await callback?.close();
});

async function openLoginPage(changes: Changes = {}, options: BrowserContextOptions = {}) {
  const context = await chromium.newContext(options);
  const page = await context.newPage();
  const messages: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', ({ message }) => messages.push(message));
  page.on('request', (request) => {
    if (request.resourceType() !== 'document' && !request.url().startsWith('data:')) requests.push(request.url());
  });
  await page.goto(client.authorizeUrl({ redirect_uri: callback.redirectUri, ...changes }));
  return { page, messages, requests, close: () => context.close() };
}

async function waitForCallback(page: Page): Promise<URLSearchParams> {
  await page.waitForURL(`${callback.redirectUri}?*`);
  assert.equal(await page.title(), 'Back at the client');
  return new URL(page.url()).searchParams;
}

async function readSubject(query: URLSearchParams): Promise<unknown> {
  assert.equal(query.get('state'), 'state-1');
  const { status, body } = await client.exchange(query.get('code') ?? '', { redirect_uri: callback.redirectUri });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(await readUser(kit.url, body.access_token), 200);
  return JSON.parse(Buffer.from(String(body.access_token).split('.')[1]!, 'base64url').toString()).sub;
}

const findId = async (alias: string): Promise<unknown> =>
  (await callControl<{ id: unknown }>(kit.url, 'GET', `/state/principals/${alias}`)).body.id;

test("after an approval with the mouse, the selected principal is the token's subject", async () => {
  const { page, messages, requests, close } = await openLoginPage();
  assert.equal(await page.getByLabel('Phone number to use with the Experience').inputValue(), '+12065550100');
  assert.equal(await page.getByRole('radio', { name: 'Maya Manager' }).isChecked(), true);
  assert.match(
    await page.getByRole('main').innerText(),
    /Acme Web.*Acme Voice.*See the users of your accounts.*manages Northwind Traders/s,
  );
  await page.getByText('Rui Reader').click();
  await page.getByRole('button', { name: 'Approve' }).click();
  assert.equal(await readSubject(await waitForCallback(page)), await findId('reader'));
  assert.deepEqual([messages, requests.filter((url) => new URL(url).origin !== new URL(callback.redirectUri).origin)], [[], []]);
  await close();
});

test('with the keyboard, the focus is visible and moves in page order, and Enter approves', async () => {
  const { page, close } = await openLoginPage();
  const getFocused = () =>
    page.evaluate('document.activeElement.labels?.[0]?.innerText.split(/\\n|\\+/)[0].trim() ?? document.activeElement.innerText');
  const stops: unknown[] = [];
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key);
    stops.push(await getFocused());
    assert.notEqual(await page.evaluate(OUTLINE_EXPRESSION), 'none', `the focus is invisible at ${stops.at(-1)}`);
  }
  assert.deepEqual(stops, ['Phone number to use with the Experience', 'Maya Manager', 'Approve', 'Deny', 'Approve', 'Maya Manager']);
  for (const name of ['Olga Outsider', 'Rui Reader']) {
    await page.keyboard.press('ArrowDown');
    assert.equal(await getFocused(), name);
  }
  await page.keyboard.press('Enter');
  assert.equal(await readSubject(await waitForCallback(page)), await findId('reader'));
  await close();
});

const OUTLINE_EXPRESSION = `getComputedStyle(document.activeElement.closest('.choice') ?? document.activeElement).outlineStyle`;

test('if no principal has the phone number, approval requires a selected principal, and denial returns to the client without a code', async () => {
  const { page, close } = await openLoginPage({ login_hint: '+12065559999' });
  assert.equal(await page.locator(':checked').count(), 0);
  const login = page.url();
  await page.getByRole('button', { name: 'Approve' }).click();
  assert.equal(await page.evaluate('document.activeElement.type'), 'radio');
  assert.equal(page.url(), login);
  await page.getByRole('button', { name: 'Deny' }).click();
  const query = await waitForCallback(page);
  assert.deepEqual([query.get('error'), query.get('state'), query.get('code')], ['access_denied', 'state-1', null]);
  await close();
});

test("the Content-Security-Policy allows the page's style sheet, and the page adapts to small screens and to the color scheme", async () => {
  const grounds: unknown[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, messages, close } = await openLoginPage({}, { colorScheme, viewport: { width: 320, height: 640 } });
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
    assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.approve')).fontWeight"), '600');
    grounds.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
    assert.deepEqual(messages, []);
    await close();
  }
  assert.deepEqual(grounds, ['rgb(255, 255, 255)', 'rgb(26, 29, 39)']);
});
