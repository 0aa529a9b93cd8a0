import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeBrowserAfter, openConsole } from './testing/console.ts';

closeBrowserAfter();

const TOKEN = 'a-control-token-of-a-test';

test('in a browser, the console asks for the control token once, and keeps it in memory only', async () => {
  await using opened = await openConsole('/', { settings: { controlToken: TOKEN } });
  const { page, goto } = opened;
  const dialog = page.getByRole('dialog', { name: 'This kit needs its control token' });
  await dialog.getByLabel('Control token').fill('not-the-control-token');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Control token').fill(TOKEN);
  await dialog.getByRole('button', { name: 'Open the console' }).click();
  await page.getByRole('row', { name: /acme-web/ }).waitFor();
  await page.getByRole('banner').getByText('Live').waitFor();
  assert.equal(await dialog.count(), 0);
  assert.doesNotMatch(
    (await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])')) as string,
    /token-of-a-test/,
  );
  await goto('/');
  await dialog.waitFor();
});
