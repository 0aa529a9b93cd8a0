import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { startReceiver } from '../events/testing/receiver.ts';
import type { KitSettings } from '../kit.ts';
import { closeBrowserAfterTests, openConsole } from '../testing/console.ts';
import { focusWithKey, getToast, pressWithFocus } from './testing/page.ts';

closeBrowserAfterTests();

const SUBSCRIPTION_ALIAS = 'mine';
const MARKUP_ATTACK = '<img src=x onerror=alert(1)>';

async function openWithReceiver(settings: KitSettings = {}) {
  const receiver = await startReceiver();
  const opened = await openConsole('/', { settings });
  await opened.control('POST', '/subscriptions', {
    alias: SUBSCRIPTION_ALIAS,
    provider: 'acme',
    destinationUrl: receiver.url,
    types: ['experience.connection.created'],
  });
  return {
    ...opened,
    receiver,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await receiver.close();
    },
  };
}

const openEvent = async (page: Page, index = 0): Promise<Locator> => {
  await page.getByRole('link', { name: 'experience.connection.created' }).nth(index).click();
  return page.getByRole('article', { name: 'Event' });
};

test('in a browser, a failed delivery is repeated when the user advances the clock to the next attempt', async () => {
  await using opened = await openWithReceiver();
  const { page, goto, receiver, connect, messages } = opened;
  await goto('/events');
  await page.getByText('No events yet').waitFor();
  await connect('first');
  const detail = await openEvent(page);
  const recipient = detail.getByRole('region', { name: `Subscription ${SUBSCRIPTION_ALIAS}` });
  const attempts = recipient
    .getByRole('list', { name: 'Attempts' })
    .getByRole('listitem')
    .filter({ hasText: /Attempt \d/ });
  await recipient.getByText('acknowledged', { exact: true }).waitFor();
  await attempts.filter({ hasText: /Attempt 1 204/ }).waitFor();
  await detail.getByText('matches the contract').waitFor();
  receiver.answerWith(500);
  await recipient.getByRole('button', { name: 'Redeliver' }).click();
  await attempts.filter({ hasText: /Attempt 2 500/ }).waitFor();
  // A duplicate does not count as an attempt, so it does not replace the next attempt.
  await recipient.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('status').getByText('The duplicate was sent. The receiver responded with 500.').waitFor();
  await recipient
    .getByRole('listitem')
    .filter({ hasText: /Duplicate 500/ })
    .waitFor();
  assert.equal(new Set(receiver.received.map(({ headers, text }) => `${headers['webhook-id']} ${text}`)).size, 1);
  const received = receiver.received.length;
  receiver.answerWith(204);
  await recipient.getByRole('button', { name: 'Advance the clock to this attempt' }).click();
  await page.getByRole('status').getByText('The clock has moved. 1 attempt was made.').waitFor();
  await attempts.filter({ hasText: /Attempt 3 204/ }).waitFor();
  await recipient.getByText('acknowledged', { exact: true }).waitFor();
  assert.equal(receiver.received.length, received + 1);
  assert.deepEqual(messages, []);
});

test('in a browser, while the list has the focus, new events are not added, but the deliveries of listed events are updated', async () => {
  await using opened = await openWithReceiver();
  const { page, goto, control, connect } = opened;
  await control('PUT', `/subscriptions/${SUBSCRIPTION_ALIAS}/delivery-mode`, { hold: true });
  await connect('first');
  await goto('/events');
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await rows.filter({ hasText: 'Account first' }).filter({ hasText: 'held' }).waitFor();
  await page.getByRole('region', { name: 'Events, newest first' }).focus();
  await page.keyboard.press('Tab');
  await connect('second');
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await control('DELETE', `/subscriptions/${SUBSCRIPTION_ALIAS}/delivery-mode`);
  await rows.filter({ hasText: 'acknowledged' }).waitFor();
  assert.equal(await rows.count(), 1);
  await page.getByRole('button', { name: '1 new' }).click();
  await rows.nth(1).filter({ hasText: 'Account first' }).waitFor();
  await rows.nth(0).filter({ hasText: 'Account second' }).waitFor();
});

test('in a browser, a keyboard user can reorder and release held deliveries', async () => {
  await using opened = await openWithReceiver();
  const { page, goto, receiver, connect } = opened;
  await goto('/events/subscriptions');
  const row = page.getByRole('listitem', { name: SUBSCRIPTION_ALIAS });
  await pressWithFocus(row.getByRole('button', { name: 'Pause' }));
  await row.getByText('paused', { exact: true }).waitFor();
  const ids = [await connect('a'), await connect('b'), await connect('c')];
  await pressWithFocus(row.getByRole('link', { name: 'Arrange held deliveries' }));
  const items = page.getByRole('list', { name: 'Held deliveries in release order' }).getByRole('listitem');
  await items.nth(2).waitFor();
  // The button keeps the focus while its delivery moves up.
  await focusWithKey(items.nth(2).getByRole('button', { name: /up$/ }));
  await page.keyboard.press('Enter');
  await items.nth(1).filter({ hasText: 'Account c' }).waitFor();
  await page.keyboard.press('Enter');
  await items.nth(0).filter({ hasText: 'Account c' }).waitFor();
  await pressWithFocus(page.getByRole('button', { name: 'Release the first' }));
  await getToast(page, '1 of 1 released.');
  await pressWithFocus(page.getByRole('button', { name: 'Release all in this order' }));
  await page.getByText('Nothing is held').waitFor();
  const arrived = receiver.received.map(({ event }) => (event.data as { connectionId: string }).connectionId);
  assert.deepEqual(arrived, [ids[2], ids[0], ids[1]]);
  await goto('/events/subscriptions');
  await row.getByRole('button', { name: 'Resume' }).click();
  await row.getByRole('button', { name: 'Pause' }).waitFor();
  await connect('d');
  await row.getByText('4 acknowledged').waitFor();
});

test('in a browser, a page shows a delivery that was made while the stream was not connected', async () => {
  await using opened = await openWithReceiver();
  const { page, goto, connect } = opened;
  const released = Promise.withResolvers<void>();
  await page.route('**/_control/stream*', (route) => released.promise.then(() => route.continue()));
  await goto('/events/subscriptions');
  const row = page.getByRole('listitem', { name: SUBSCRIPTION_ALIAS });
  await row.getByText('none yet').waitFor();
  await connect('a');
  await opened.receiver.atLeast(1);
  await opened.control('POST', '/clock/advance', { by: 0 });
  released.resolve();
  await row.getByText('1 acknowledged').waitFor();
});

test('in a browser, a subscription can be created, given a delivery mode and deleted, and its form shows errors next to the fields', async () => {
  await using opened = await openWithReceiver();
  const { page, goto, control, receiver } = opened;
  await goto('/events/subscriptions');
  await page.getByRole('button', { name: 'New subscription' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Alias').fill('second');
  await dialog.getByLabel('Destination URL').fill('ftp://example.com');
  await dialog.getByLabel('Provider').fill('globex');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText(/must be an http or https URL/).waitFor();
  await dialog.getByLabel('Destination URL').fill('');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('listitem', { name: 'second' });
  await row.getByRole('button', { name: 'Delivery mode' }).click();
  await dialog.getByLabel('Duplicate').fill('2');
  await dialog.getByRole('button', { name: 'Use this mode' }).click();
  await row.getByText('3 copies').waitFor();
  assert.deepEqual((await control<{ mode: object }>('GET', '/subscriptions/second/delivery-mode')).mode, { duplicate: 2 });
  await row.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await row.waitFor({ state: 'detached' });
  await assert.rejects(control('GET', '/subscriptions/second'), /404/);
  // A subscription without an alias has the name of its URL.
  const nameless = { provider: 'acme', types: ['experience.connection.created'], destinationUrl: `${receiver.url}nameless` };
  await control('POST', '/subscriptions', nameless);
  await goto('/events/subscriptions');
  await page.getByRole('listitem', { name: nameless.destinationUrl }).getByRole('heading', { name: nameless.destinationUrl }).waitFor();
});

test('in a browser, the signature check accepts a correct signature and explains a wrong one', async () => {
  await using opened = await openWithReceiver({ set: { 'events.delivery.signature': 'standard-webhooks' } });
  const { page, goto, receiver, connect } = opened;
  await connect('first');
  await goto('/events');
  const detail = await openEvent(page);
  await detail
    .getByRole('region', { name: `Subscription ${SUBSCRIPTION_ALIAS}` })
    .getByRole('link', { name: 'Check the signature' })
    .click();
  const result = page.getByRole('status');
  await result.getByText('The signature matches this secret.').waitFor();
  const { headers, text } = receiver.received[0]!;
  await goto('/events/signature');
  await page
    .getByLabel('Headers')
    .fill(['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => `${name}: ${headers[name]}`).join('\n'));
  await page.getByLabel('Body').fill(JSON.stringify(JSON.parse(text), null, 2));
  await page.getByLabel('Subscription secret').selectOption(SUBSCRIPTION_ALIAS);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await result.getByText(/The body was formatted after it was received/).waitFor();
  await page.getByLabel('Body').fill(text);
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await result.getByText('The signature matches this secret.').waitFor();
  await page.getByLabel('or another secret').fill(`whsec_${Buffer.alloc(24).toString('base64')}`);
  await page.keyboard.press('Enter');
  await result.getByText(`The signature matches the subscription ${SUBSCRIPTION_ALIAS}'s secret.`).waitFor();
});

test('in a browser, markup in payloads and headers is shown as text, and the errors of an invalid payload are shown', async () => {
  await using opened = await openConsole('/events/inbox');
  const { page, goto, control, messages } = opened;
  await page.getByText('The inbox is empty').waitFor();
  const types = ['experience.connection.created'];
  await control('POST', '/subscriptions', { alias: 'inbox', provider: 'acme', types });
  const body = { type: MARKUP_ATTACK, data: { connectionId: MARKUP_ATTACK } };
  await control('POST', '/events/raw', {
    subscription: 'inbox',
    body,
    headers: { 'x-test': MARKUP_ATTACK },
    allowInvalid: true,
  });
  await page.getByText(MARKUP_ATTACK).first().click();
  await page.getByRole('region', { name: 'received body' }).getByText(`"${MARKUP_ATTACK}"`).first().waitFor();
  await goto('/events?type=raw');
  await page.getByRole('link', { name: 'raw' }).click();
  const detail = page.getByRole('article', { name: 'Event' });
  await detail.getByText('breaks the contract').waitFor();
  await detail.getByText('/type', { exact: true }).waitFor();
  await detail.getByText(MARKUP_ATTACK).first().waitFor();
  assert.equal(await page.locator('img').count(), 0);
  assert.deepEqual(messages, []);
});

test('in a browser, failing deliveries are shown first, can be filtered by state and subscription, and can all be sent again', async () => {
  await using opened = await openWithReceiver();
  const { page, goto, control, receiver, connect } = opened;
  await control('POST', '/subscriptions', { alias: 'other', provider: 'acme', types: ['experience.connection.created'] });
  await connect('good');
  await receiver.atLeast(1);
  receiver.answerWith(500);
  for (const alias of ['one', 'two', 'three']) await connect(alias);
  await receiver.atLeast(4);
  await goto('/events');
  const failing = page.getByRole('region', { name: `Failing deliveries to ${SUBSCRIPTION_ALIAS}` });
  await failing.getByText('3 failing').waitFor();
  await page.getByRole('link', { name: 'Subscriptions 3 failing' }).waitFor();
  await failing.getByText(/1 of 4 attempts acknowledged, failing since \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ, next attempt in/).waitFor();
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await rows
    .filter({ hasText: 'Account two' })
    .getByText(/^failing, attempt 2 at \d\d:\d\d$/)
    .waitFor();
  await page.getByLabel('Delivery state').selectOption({ label: 'failing (3)' });
  await rows.nth(3).waitFor({ state: 'detached' });
  assert.equal(await rows.count(), 3);
  await page.getByLabel('Subscription', { exact: true }).selectOption('other');
  await page.getByText('No event matches these filters').waitFor();
  receiver.answerWith(204);
  await failing.getByRole('button', { name: 'Retry all failed' }).click();
  await getToast(page, '3 deliveries are being sent to mine again.');
  await failing.waitFor({ state: 'detached' });
  const { health } = await control<{ health: { failing: number; acknowledged: number; failingSince?: string } }>(
    'GET',
    '/subscriptions/mine',
  );
  assert.deepEqual([health.failing, health.acknowledged, health.failingSince], [0, 4, undefined]);
});
