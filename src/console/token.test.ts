import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeReports } from '../report/testing/report-folder.ts';
import { createSmallResults, passedFindings } from '../report/testing/small-results.ts';
import { closeBrowserAfterTests, openConsole } from '../testing/console.ts';

closeBrowserAfterTests();

const CONTROL_TOKEN = 'a-control-token-of-a-test';

test('in a browser, the console asks for the control token, keeps it only in memory, and sends it when it loads reports', async () => {
  await using reports = await writeReports({ report: createSmallResults(passedFindings) });
  await using opened = await openConsole('/', { settings: { controlToken: CONTROL_TOKEN, reports: reports.folder } });
  const { page, goto } = opened;
  const dialog = page.getByRole('dialog', { name: 'This kit needs its control token' });
  await dialog.getByLabel('Control token').fill('not-the-control-token');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Control token').fill(CONTROL_TOKEN);
  await dialog.getByRole('button', { name: 'Open the console' }).click();
  await page.getByRole('row', { name: /acme-web/ }).waitFor();
  await page.getByRole('banner').getByText('Live').waitFor();
  assert.equal(await dialog.count(), 0);
  await page.getByRole('link', { name: 'Reports' }).click();
  await page.getByRole('link', { name: /^Conformance of/ }).click();
  await page.frameLocator('iframe.report').getByRole('heading', { level: 1 }).waitFor();
  assert.equal(await dialog.count(), 0);
  assert.doesNotMatch(
    (await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])')) as string,
    /token-of-a-test/,
  );
  await goto('/');
  await dialog.waitFor();
});
