import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeBrowserAfterTests, openConsole } from '../testing/console.ts';
import { getButton, getMain, getToast } from './testing/page.ts';

closeBrowserAfterTests();

test('in a browser, a page whose code cannot be loaded says so, and is shown when the kit responds again', async () => {
  await using opened = await openConsole('/');
  const { page } = opened;
  await page.route('**', (route) => route.abort());
  await page.getByRole('link', { name: 'Requests' }).click();
  const heading = page.getByRole('heading', { level: 1 });
  await heading.filter({ hasText: 'Requests' }).waitFor();
  await getMain(page).getByRole('alert').getByText('could not be loaded').waitFor();
  await getButton(page, 'Try again').click();
  await getToast(page, /does not respond/);
  await page.unroute('**');
  await getButton(page, 'Try again').click();
  await page.getByText('No requests yet').waitFor();
});

test('in a browser, pages say that the kit does not respond, and do not show an old state as the current one', async () => {
  await using opened = await openConsole('/');
  const { page } = opened;
  const database = getMain(page).locator('dt:has-text("Database") + dd');
  await database.getByText('up', { exact: true }).waitFor();
  await opened.kit.close();
  await getMain(page).getByRole('alert').getByText('The kit does not respond').waitFor();
  await database.getByText('unknown').waitFor();
  assert.equal(await database.getByText('up', { exact: true }).count(), 0);
});

test('in a browser, an error is shown at its input without the name of the member, and a failure of the kit with its trace id', async () => {
  await using opened = await openConsole('/clock');
  const { page, goto } = opened;
  const input = page.getByLabel('Another duration');
  await input.fill('soon');
  await input.press('Enter');
  const describedBy = async () => page.locator(`[id="${await input.getAttribute('aria-describedby')}"]`).innerText();
  await page.locator('[aria-invalid=true]').waitFor();
  assert.match(await describedBy(), /^This must be a duration such as 1h30m/);
  await goto('/world/all');
  const name = page.getByLabel('Snapshot name');
  await name.fill('Not Valid');
  await name.press('Enter');
  await page.locator('[aria-invalid=true]').waitFor();
  const traceId = 'ab'.repeat(16);
  const problem = { title: 'Unexpected error', status: 500, detail: 'Search the log for the trace id.', traceId };
  await page.route('**/_control/snapshots/*', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  );
  await name.fill('valid');
  await name.press('Enter');
  await page.getByRole('alert').getByText(`Trace id: ${traceId}`).waitFor();
});
