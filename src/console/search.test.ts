import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, closeBrowserAfterTests, openConsole } from '../testing/console.ts';
import { getMain, getToast } from './testing/page.ts';

closeBrowserAfterTests();

test('in a browser, Ctrl+K finds users by name, numbers, requests by a text in their bodies, rules, pages and commands', async () => {
  await using opened = await openConsole('/');
  const { page, control, sendRequest, messages } = opened;
  await control('POST', '/state/users', { alias: 'u-1', account: 'contoso', firstName: 'Hedwig', lastName: 'Kiesler' });
  const traceId = await sendRequest('/experience/connections', { method: 'POST', body: JSON.stringify({ accountId: 'needle-in-body' }) });
  const option = page.getByRole('option').first();
  const find = async (text: string, expected: RegExp) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(text);
    await page.getByRole('option', { selected: true }).filter({ hasText: expected }).waitFor();
  };
  await find('wig kies', /user.*Hedwig Kiesler.*u-1/s);
  await assertAccessible(page);
  await page.keyboard.press('Enter');
  await getMain(page).getByRole('heading', { name: 'Hedwig Kiesler' }).waitFor();
  await find('NEEDLE-IN', /request.*POST \/experience\/connections/s);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/requests/${traceId}$`));
  for (const [text, expected] of [
    ['+12065550100', /telephone number.*\+12065550100/s],
    ['clock & f', /page.*Clock & faults/s],
    ['experience.connection.activated', /events/],
  ] as const) {
    await find(text, expected);
    await page.keyboard.press('Escape');
    await option.waitFor({ state: 'detached' });
  }
  for (const [word, expected] of [
    ['slow', /page.*Clock & faults/s],
    ['reorder', /page.*Events: held/s],
    ['journal', /page.*Requests/s],
    ['history', /page.*World/s],
    ['answer differently', /page.*Requests/s],
    ['take back', /command.*Undo the last change/s],
  ] as const) {
    await find(word, expected);
    await page.keyboard.press('Escape');
    await option.waitFor({ state: 'detached' });
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Change the theme' }).waitFor();
  assert.equal(await page.getByRole('option', { name: 'Remove all faults' }).count(), 0);
  const { y: top } = (await page.getByRole('dialog').boundingBox())!;
  await page.keyboard.type('add slow');
  await page.getByRole('option', { selected: true }).filter({ hasText: 'Add the fault “Slow”' }).waitFor();
  assert.equal((await page.getByRole('dialog').boundingBox())!.y, top);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: '1 fault active' }).waitFor();
  await find('remove all', /command.*Remove all faults/s);
  await page.keyboard.press('Enter');
  await getToast(page, 'All faults were removed.');
  await find('advance 1h', /command.*Advance the clock by 1h/s);
  await page.keyboard.press('Enter');
  await getToast(page, 'Kit time moved by 1h.');
  await find('assignability limit', /rule.*limits\.assignability\.rate/s);
  await page.keyboard.press('Enter');
  const rule = page.getByRole('region', { name: 'Rule' });
  await rule.getByText('Checks beyond 100 per second with one credential get 429.').waitFor();
  await rule.getByText(/^documented$/).waitFor();
  await rule.getByText('429 from getExperienceAssignability').waitFor();
  assert.deepEqual(messages, []);
});
