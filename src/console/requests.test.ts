import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeBrowserAfterTests, openConsole } from '../testing/console.ts';
import { confirmAction, getButton } from './testing/page.ts';

closeBrowserAfterTests();

interface ScrollableElement {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  scrollTo(left: number, top: number): void;
}
// Tests are compiled without the DOM types.
const getScrollTop = (element: unknown) => (element as ScrollableElement).scrollTop;
const scrollToEnd = (element: unknown) => (element as ScrollableElement).scrollTo(0, (element as ScrollableElement).scrollHeight);

test('in a browser, requests appear as they arrive, and the filters are in the URL', async () => {
  await using opened = await openConsole('/requests');
  const { page, kit, sendRequest, messages } = opened;
  await page.getByText('No requests yet').waitFor();
  await sendRequest('/users/2065550001');
  await sendRequest('/users/2065550009');
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await rows.nth(1).waitFor();
  assert.match(await rows.nth(0).innerText(), /404\s+GET \/users\/2065550009\s+users\.get\.not-found/);
  await page.getByRole('combobox', { name: 'Status' }).selectOption('4xx');
  await page.waitForURL(/\/requests\?status=4xx$/);
  await page.locator('table[aria-rowcount="2"]').waitFor();
  await sendRequest('/users/2065550001');
  await sendRequest('/users/none');
  await page.locator('table[aria-rowcount="3"]').waitFor();
  // Only matching suggestions are loaded, because a world may have many principals.
  const credential = page.getByLabel('Credential');
  await credential.fill('outsid');
  await page.locator('datalist option[value="Olga Outsider"]').waitFor({ state: 'attached' });
  await credential.fill('Olga Outsider');
  await page.getByText('No request matches these filters').waitFor();
  await page.getByRole('link', { name: 'Show all requests' }).focus();
  await page.keyboard.press('Enter');
  await rows.nth(3).waitFor();
  assert.equal(await page.evaluate("document.activeElement.getAttribute('aria-label')"), 'Requests, newest first');
  await page.goBack();
  await sendRequest('/users/2065550001', { token: 'outsider' });
  await rows.first().waitFor();
  await page.getByRole('link', { name: 'Clear' }).click();
  await page.waitForURL(/\/requests$/);
  await rows.nth(4).waitFor();
  // The list shows names, so the text filter finds them.
  const { id } = await kit.state.get('users', 'ada');
  await sendRequest(`/users/${id}`);
  await page.getByLabel('Text').fill('lovelace');
  await page.waitForURL(/\?text=lovelace$/);
  await page.getByRole('link', { name: '/users/Ada Lovelace' }).waitFor();
  await page.getByRole('link', { name: '/users/none' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Clear' }).click();
  await rows.nth(5).waitFor();
  assert.equal(await page.getByLabel('Text').inputValue(), '');
  await page.getByLabel('Rule').fill('users.get.not-found');
  await page.waitForURL(/\?rule=users\.get\.not-found$/);
  await rows.nth(2).waitFor();
  await getButton(page, 'Clear the journal').click();
  await confirmAction(page, 'Cancel');
  await rows.nth(2).waitFor();
  await getButton(page, 'Clear the journal').click();
  await confirmAction(page, 'Clear the journal');
  await page.getByText('No request matches these filters').waitFor();
  assert.deepEqual(messages, []);
});

test('in a browser, a request becomes a fault with which the next such request gets another response', async () => {
  await using opened = await openConsole('/requests');
  const { page, goto, sendRequest, messages, kit } = opened;
  await sendRequest('/users/2065550001');
  await page.getByRole('link', { name: '/users/2065550001' }).click();
  await getButton(page, 'Answer differently').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Status').fill('429');
  await confirmAction(page, 'Add the fault');
  await dialog.waitFor({ state: 'detached' });
  const { data } = await kit.control.GET('/_control/faults');
  assert.deepEqual(data, [
    { fault: 'problem', operation: 'getUser', match: { userId: '2065550001' }, status: 429, times: 1, id: 'fault-1', hits: 0 },
  ]);
  // The fault answers the request before the kit reads its token.
  await goto(`/requests/${await sendRequest('/users/2065550001')}`);
  await getButton(page, 'Send again').click();
  await page.getByRole('heading', { name: '200 GET /users/2065550001' }).waitFor();
  assert.deepEqual(messages, []);
});

test('in a browser, requests that could not be loaded are loaded when the kit responds again', async () => {
  await using opened = await openConsole('/');
  const { page, goto, sendRequest } = opened;
  await sendRequest('/users/2065550001');
  const released = Promise.withResolvers<void>();
  await page.route('**/_control/stream*', (route) => released.promise.then(() => route.continue()));
  await page.route('**/_control/requests?*', (route) => route.abort());
  await goto('/requests');
  await page.getByText('The kit does not respond').waitFor();
  await page.unroute('**/_control/requests?*');
  released.resolve();
  await page.getByRole('link', { name: '/users/2065550001' }).waitFor();
});

test('in a browser, lists are loaded again after another client resets the kit', async () => {
  await using opened = await openConsole('/');
  const { page, goto, control, sendRequest } = opened;
  for (const [path, link] of [
    ['/requests', '/users/2065550001'],
    ['/events', 'provisioning.user.created'],
    ['/world/users?search=hedy', 'hedy'],
  ] as const) {
    await control('POST', '/state/users', { alias: 'hedy', account: 'northwind' });
    await sendRequest('/users/2065550001');
    await goto(path);
    const old = page.getByRole('link', { name: link }).first();
    await old.waitFor();
    await control('POST', '/reset', { to: 'seed' });
    await old.waitFor({ state: 'detached' });
  }
});

test('in a browser, a request with a refused token can be sent with a new token, and copied as a curl command', async () => {
  await using opened = await openConsole('/requests');
  const { page, goto, sendRequest } = opened;
  const traceId = await sendRequest('/users/2065550001', { token: 'no-such-token' });
  await goto(`/requests/${traceId}`);
  const detail = page.getByRole('article', { name: 'Request' });
  await detail.getByRole('button', { name: 'Send the changed request' }).click();
  await detail.getByRole('heading', { name: '200 GET /users/2065550001' }).waitFor();
  await detail.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByRole('status').getByText('Copied: as curl').waitFor();
  const curl = (await page.evaluate('navigator.clipboard.readText()')) as string;
  const [, url = '', token = ''] = /^curl '([^']+)' .*authorization: Bearer ([^']+)'/s.exec(curl) ?? [];
  assert.equal((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status, 200);
});

test('in a browser, markup in requests is shown as text', async () => {
  await using opened = await openConsole('/requests');
  const { page, control, sendRequest, messages } = opened;
  const attack = '<img src=x onerror=alert(1)>';
  const problem = { title: attack, detail: attack };
  await control('POST', '/faults', { fault: 'response', operation: 'getUser', status: 500, body: problem, times: 1 });
  await sendRequest('/users/2065550001');
  await page.getByRole('link', { name: '/users/2065550001' }).click();
  await page.getByRole('region', { name: 'response body' }).getByText(`"detail": "${attack}"`).waitFor();
  const traceId = await sendRequest(`/users/${encodeURIComponent(attack)}`);
  await sendRequest('/experience/assignments', { method: 'POST', body: JSON.stringify({ [attack]: attack }) });
  await page.getByRole('link', { name: '/experience/assignments' }).click();
  await page.getByRole('article').getByText(`"${attack}"`).first().waitFor();
  await opened.goto(`/requests/${traceId}`);
  await page.getByRole('heading', { name: /404/ }).waitFor();
  assert.equal(await page.locator('img').count(), 0);
  assert.deepEqual(messages, []);
});

test('in a browser, the document contains only the visible rows, and scrolling loads older rows', async () => {
  await using opened = await openConsole('/', { hooks: { journalCapacity: 700 } });
  const { page, kit, goto, sendRequest } = opened;
  for (let sent = 0; sent < 680; sent += 85) await Promise.all(Array.from({ length: 85 }, () => fetch(`${kit.url}/users/none`)));
  await goto('/requests');
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await rows.first().waitFor();
  const list = page.getByRole('region', { name: 'Requests, newest first' });
  for (const rowCount of [501, 681]) {
    await list.evaluate(scrollToEnd);
    await page.locator(`table[aria-rowcount="${rowCount}"]`).waitFor();
  }
  assert.ok((await rows.count()) < 60, `${await rows.count()} rows`);
  const top = await list.evaluate(getScrollTop);
  await sendRequest('/users/2065550001');
  await page.getByRole('button', { name: '1 new' }).waitFor();
  assert.equal(await list.evaluate(getScrollTop), top);
  await page.getByRole('button', { name: '1 new' }).click();
  await page.getByRole('link', { name: '/users/2065550001' }).waitFor();
});

test('in a browser, new requests are not added while the list has the focus or the page is hidden', async () => {
  await using opened = await openConsole('/');
  const { page, kit, goto, sendRequest } = opened;
  for (let sent = 0; sent < 30; sent++) await sendRequest('/users/none');
  await goto('/requests');
  const waitForRowCount = (count: number) => page.locator(`table[aria-rowcount="${count + 1}"]`).waitFor();
  await waitForRowCount(30);
  await page.evaluate(`window.shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (shift += value))).observe({ type: 'layout-shift' })`);
  for (let sent = 0; sent < 3; sent++) await sendRequest('/users/none');
  await waitForRowCount(33);
  await page.evaluate('new Promise(requestAnimationFrame)');
  assert.ok(((await page.evaluate('shift')) as number) < 0.01);

  await page.getByRole('region', { name: 'Requests, newest first' }).focus();
  await page.keyboard.press('Tab');
  await sendRequest('/users/2065550001');
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await waitForRowCount(33);
  // The button with the number of new rows is between the row and the part of the page before the list.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await waitForRowCount(34);

  const reads: string[] = [];
  page.on('request', (request) => void (request.url().includes('/_control/requests?') && reads.push(request.url())));
  const setHidden = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
  await setHidden(true);
  await sendRequest('/users/none');
  const other = await page.context().newPage();
  await other.goto(`${kit.url}/_console/requests`);
  await other.locator('table[aria-rowcount="36"]').waitFor();
  await sendRequest('/users/none');
  await other.locator('table[aria-rowcount="37"]').waitFor();
  assert.deepEqual(reads, []);
  await setHidden(false);
  await waitForRowCount(36);

  // Only the newest of many requests are loaded at first. Scrolling loads the rest.
  await setHidden(true);
  await Promise.all(Array.from({ length: 130 }, () => fetch(`${kit.url}/users/none`)));
  await setHidden(false);
  await waitForRowCount(120);
  await page.getByRole('region', { name: 'Requests, newest first' }).evaluate(scrollToEnd);
  await waitForRowCount(166);
});

test('in a browser, the newest request is first even if a slower one was answered later, and the page fits into the window', async () => {
  await using opened = await openConsole('/requests');
  const { page, kit, goto, control } = opened;
  const authorization = `Bearer ${(await kit.tokens()).full}`;
  await control('POST', '/faults', { fault: 'latency', operation: 'getUser', latencyMs: 300, times: 1 });
  const slow = fetch(`${kit.url}/users/slow`, { headers: { authorization } });
  await page.waitForFunction("fetch('../_control/faults').then((faults) => faults.json()).then(([fault]) => fault.hits === 1)");
  await fetch(`${kit.url}/users/fast`, { headers: { authorization } });
  await slow;
  for (let number = 0; number < 40; number++) await fetch(`${kit.url}/users/${number}`, { headers: { authorization } });
  const traceId = await opened.sendRequest('/users/last');
  for (const path of ['/requests', `/requests/${traceId}`]) {
    await goto(`${path}?status=4xx`);
    await page.getByRole('link', { name: '/users/last', exact: true }).waitFor();
    assert.deepEqual(await page.evaluate('[document.documentElement.scrollHeight - innerHeight, scrollY]'), [0, 0]);
  }
  await page.locator('.list-scroll').evaluate(scrollToEnd);
  const links = page.locator('.list tbody a');
  await links.filter({ hasText: '/users/slow' }).waitFor();
  assert.deepEqual((await links.allInnerTexts()).slice(-2), ['/users/fast', '/users/slow']);
});
