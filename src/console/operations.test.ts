import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlTable } from '../contract/generated/control-table.ts';
import { assertAccessible, closeBrowserAfterTests, openConsole } from '../testing/console.ts';

closeBrowserAfterTests();

/** The operations without a form, which show the reason instead. */
const WITHOUT_FORM = ['streamEverything', 'listen'];

test('in a browser, every operation of the control API has a form with all of its fields, or a reason why it has none', async () => {
  await using opened = await openConsole('/operations');
  const { page, messages } = opened;
  const choice = page.getByRole('combobox', { name: 'Operation' }).first();
  for (const [id, { fields }] of Object.entries(controlTable)) {
    await choice.selectOption(id);
    await page.waitForURL(`**/operations/${id}`);
    const form = page.locator('main form');
    if (WITHOUT_FORM.includes(id)) {
      await page.getByText('This response does not end.').waitFor();
      assert.equal(await form.count(), 0, id);
    } else {
      await form.getByRole('button', { name: 'Send' }).waitFor();
      const labels = await form.locator(':scope > .field > label, :scope > fieldset > legend').allInnerTexts();
      const names = labels.map((label) =>
        label
          .replace(/ required$/, '')
          .replaceAll(/\W/g, '')
          .toLowerCase(),
      );
      assert.deepEqual(
        names,
        Object.keys(fields).map((name) => name.toLowerCase()),
        id,
      );
    }
  }
  assert.deepEqual(messages, []);
});

test('in a browser, the page of an operation sends the fields, and shows the response or the errors next to the fields', async () => {
  await using opened = await openConsole('/operations/mintToken');
  const { page, goto } = opened;
  await page.getByLabel('Client').fill('acme-web');
  await page.getByLabel('Expires in').fill('soon');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('must be a whole number').waitFor();
  await assertAccessible(page);
  await page.getByLabel('Expires in').fill('60');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('region', { name: 'response' }).getByText('"accessToken"').waitFor();
  await goto('/operations/downloadWorld');
  await page.getByRole('button', { name: 'Send' }).click();
  await page
    .getByRole('region', { name: 'response' })
    .getByText(/^world: demo/)
    .waitFor();
  await goto('/operations/emptyInbox');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Done. The response has no body.').waitFor();
});
