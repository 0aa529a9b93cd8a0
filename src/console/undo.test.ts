import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, closeBrowserAfterTests, openConsole } from '../testing/console.ts';
import { confirmAction, getButton, getMain, getToast } from './testing/page.ts';

closeBrowserAfterTests();

test('in a browser, each change of the world can be undone by its message, by Ctrl+Z, in the history and in the list of changes', async () => {
  await using opened = await openConsole('/world/users/ada');
  const { page, goto, control, messages, sendRequest } = opened;
  const read = () => control<object>('GET', '/state');
  const before = await read();
  const undoByMessage = () => page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  const dialog = page.getByRole('dialog');
  const missing: string[] = [];
  page.on('response', (response) => void (response.status() === 404 && missing.push(response.url())));

  await getButton(page, 'Delete').click();
  await confirmAction(page, 'Delete');
  await getToast(page, 'The user Ada Lovelace was deleted by the platform.');
  await assertAccessible(page);
  await undoByMessage();
  await getToast(page, 'Undone: The user Ada Lovelace was deleted by the platform, with 1 more change.');
  assert.deepEqual(await read(), before);
  // A page that asks for a deleted entity would log an error.
  assert.deepEqual(missing, []);

  await goto('/world/users');
  await getButton(page, 'New user').click();
  await dialog.getByLabel('Account').fill('Northwind Traders');
  await dialog.getByLabel('First name').fill('Hedy');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await getToast(page, 'The user Hedy was created by the platform.');
  await dialog.waitFor({ state: 'detached' });
  await getMain(page).getByRole('heading', { name: 'Hedy' }).waitFor();
  await page.keyboard.press('Control+z');
  await getToast(page, 'Undone: The user Hedy was created by the platform.');
  // The page shows the list instead of the removed user.
  await page.waitForURL(/\/world\/users$/);
  await getButton(page, 'New user').waitFor();
  assert.deepEqual(missing, []);
  assert.deepEqual(await read(), before);

  await goto('/world/users/ada');
  await getButton(page, 'Edit').click();
  await dialog.getByLabel('First name').fill('Augusta');
  // In an input, the keys undo the typing.
  await page.keyboard.press('Control+z');
  await dialog.getByLabel('First name').fill('Augusta');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await getMain(page).getByRole('heading', { name: 'Augusta Lovelace', exact: true }).waitFor();
  await getButton(page, 'Undo the last change').click();
  await getMain(page).getByRole('heading', { name: 'Ada Lovelace', exact: true }).waitFor();
  assert.deepEqual(await read(), before);

  await goto('/world/all');
  await getButton(page, 'Empty the world').click();
  await dialog.getByText('You can undo this, but that brings back neither the faults nor the journal.').waitFor();
  await confirmAction(page, 'Empty');
  await getToast(page, /^The world is now empty/);
  await sendRequest('/users/since-the-reset');
  await getButton(page, 'Undo').click();
  await getToast(page, /^The world is demo again, with its events, deliveries and clock, but not with its faults and journal\.$/);
  assert.deepEqual(await read(), before);
  assert.equal((await control<object[]>('GET', '/requests')).length, 1);
  await getMain(page).getByText('There is no change to undo.').waitFor();
  await page.keyboard.press('Control+z');
  await getToast(page, /^This page has made no change that can be undone\./);
  assert.deepEqual(messages, []);
});

test('in a browser, a change on which another one depends is not undone, and the message says why', async () => {
  await using opened = await openConsole('/world/users/ada');
  const { page, control } = opened;
  await getButton(page, 'Edit').click();
  await page.getByRole('dialog').getByLabel('First name').fill('Augusta');
  await confirmAction(page, 'Save');
  await getToast(page, 'The user Augusta Lovelace was changed by the platform.');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await control('PATCH', '/state/users/ada', { lastName: 'King' });
  await page.keyboard.press('Control+z');
  await getToast(page, /cannot be undone: this would also undo a later change: the platform changed ada \(users\)/);
  assert.equal((await control<{ firstName: string }>('GET', '/state/users/ada')).firstName, 'Augusta');
});

test('in a browser, the list of changes says what each change changed, with names, also after a reload', async () => {
  await using opened = await openConsole('/world/users/ada');
  const { page, goto, messages } = opened;
  await getButton(page, 'Edit').click();
  await page.getByRole('dialog').getByLabel('First name').fill('Augusta');
  await confirmAction(page, 'Save');
  await getToast(page, 'The user Augusta Lovelace was changed by the platform.');
  await goto('/world/connections/northwind-reception');
  await getButton(page, 'Activate').click();
  await getToast(page, 'The connection Northwind Traders – Acme Reception was set to ACTIVE by the portal.');
  await getButton(page, 'Deactivate').click();
  await getToast(page, 'The connection Northwind Traders – Acme Reception was set to INACTIVE by the portal.');
  // Only the newest message can undo its change, and messages push nothing out of the window.
  await page.setViewportSize({ width: 1280, height: 640 });
  const theme = (await page.getByTitle('Change the theme').boundingBox())!;
  assert.ok(theme.y + theme.height <= 640, `${theme.y}`);
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await getToast(page, 'Undone: The connection Northwind Traders – Acme Reception was set to INACTIVE by the portal.');
  await goto('/world/all');
  await getButton(page, 'Empty the world').click();
  await confirmAction(page, 'Empty');
  await getToast(page, /^The world is now empty/);
  await page.reload();
  const changes = getMain(page)
    .getByRole('listitem')
    .filter({ hasText: / was (emptied|set|changed)/ });
  for (const [index, text] of [
    /^The world was emptied\./,
    /^The connection Northwind Traders – Acme Reception was set to ACTIVE by the portal\./,
    /^The user Augusta Lovelace was changed by the platform\./,
  ].entries())
    await changes.nth(index).filter({ hasText: text }).waitFor();
  await changes.nth(1).locator('summary').click();
  await changes.nth(1).getByText('State: INACTIVE → ACTIVE').waitFor();
  await changes.nth(2).locator('summary').click();
  await changes.nth(2).getByText('First name: Ada → Augusta').waitFor();
  await assertAccessible(page);
  assert.deepEqual(messages, []);
});
