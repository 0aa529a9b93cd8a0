import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReceiver } from '../events/testing/receiver.ts';
import { closeBrowserAfterTests, openConsole } from '../testing/console.ts';
import { getButton, getMain } from './testing/page.ts';

closeBrowserAfterTests();

const LONG = 'x'.repeat(100);

/** The texts of the controls that the window cuts off. Tables and code have their own horizontal scroll bars. */
const FIND_CUT_OFF = `[...document.querySelectorAll('main :is(a, button, input, select, h1, h2, h3, p)')]
  .filter((element) => !element.closest('.table-frame, pre, .list, .visually-hidden, .skip'))
  .filter((element) => { const { left, right, width } = element.getBoundingClientRect(); return width > 0 && (left < 0 || right > innerWidth) })
  .map((element) => element.outerHTML.slice(0, 200))`;

test('in a browser, no page scrolls horizontally or cuts off a control, even with a busy world with long names', {
  timeout: 180_000,
}, async () => {
  const receiver = await startReceiver();
  await using _ = { [Symbol.asyncDispose]: receiver.close };
  receiver.answerWith(500);
  await using opened = await openConsole('/');
  const { page, goto, control, sendRequest, connect } = opened;
  await control('POST', '/subscriptions', { alias: LONG, provider: 'acme', destinationUrl: `${receiver.url}?${LONG}` });
  await control('POST', '/state/accounts', { alias: `a${LONG.slice(1)}`, name: 'y'.repeat(300) });
  const connection = { alias: `c${LONG.slice(1)}`, account: `a${LONG.slice(1)}`, experience: 'concierge' };
  await control('POST', '/state/connections', connection);
  for (const alias of ['one', 'two']) await connect(alias);
  await receiver.atLeast(3);
  await control('POST', '/faults', {
    fault: 'latency',
    latencyMs: 1,
    operation: 'getExperienceAssignability',
    match: { experienceId: LONG },
    times: 3,
    after: 2,
  });
  const traceId = await sendRequest(`/experience/connections/${LONG}?accountId=${LONG}`);
  await control('POST', '/clock/advance', { by: '2d' });
  const [event] = await control<{ id: string }[]>('GET', '/events');
  const paths = [
    ...[
      '/',
      '/requests',
      `/requests/${traceId}`,
      '/world',
      '/world/all',
      `/world/connections/c${LONG.slice(1)}`,
      `/world/accounts/a${LONG.slice(1)}`,
    ],
    ...['/events', `/events/event/${event?.id}`, '/events/held', '/events/subscriptions', '/events/inbox', '/events/signature', '/clock'],
    ...['/reports', '/reports/client', '/operations/addFault'],
  ];
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of paths) {
      await goto(path);
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      const measured = await page.evaluate(
        `({ hidden: Math.max(0, document.documentElement.scrollWidth - innerWidth), cutOff: ${FIND_CUT_OFF} })`,
      );
      assert.deepEqual(measured, { hidden: 0, cutOff: [] }, `${path} at ${width} px`);
    }
  }
});

test('in a browser, an empty world offers the demo world, a new client and an upload', async () => {
  await using opened = await openConsole('/');
  const { page, goto, control } = opened;
  await control('POST', '/reset', { to: 'empty' });
  await goto('/');
  await getMain(page).getByRole('link', { name: 'New client' }).waitFor();
  await getMain(page).getByRole('link', { name: 'Upload a world' }).waitFor();
  await getButton(page, 'Load the demo world').click();
  await page.getByRole('row', { name: /acme-web/ }).waitFor();
});

test('in a browser, an error at an input moves no other input and covers nothing', async () => {
  await using opened = await openConsole('/world/all');
  const { page } = opened;
  const readTops = () =>
    page.evaluate("[...document.querySelectorAll('main :is(button, input)')].map((each) => each.getBoundingClientRect().top)");
  await getMain(page).getByText('No snapshots yet').waitFor();
  await getMain(page).getByText('slow', { exact: true }).waitFor();
  const before = await readTops();
  await page.getByLabel('Snapshot name').fill('Not Valid');
  await page.keyboard.press('Enter');
  await page.locator('[aria-invalid=true]').waitFor();
  assert.deepEqual(await readTops(), before);
  const error = (await page.locator('.field-error').boundingBox())!;
  const below = (await getMain(page).getByRole('heading', { name: 'No snapshots yet' }).boundingBox())!;
  assert.ok(error.y + error.height <= below.y);
});
