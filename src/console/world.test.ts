import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { closeBrowserAfterTests, openConsole } from '../testing/console.ts';
import { confirmAction, getButton, getMain, getToast } from './testing/page.ts';

closeBrowserAfterTests();

test('in a browser, snapshots can be saved, loaded and deleted, and the world can be reset', async () => {
  await using opened = await openConsole('/world/all');
  const { page, kit, control } = opened;
  const userExists = async (user: string) => (await fetch(`${kit.url}/_control/state/users/${user}`)).ok;
  const invalid = '<img src=x onerror=alert(1)>';
  await getMain(page).getByLabel('Snapshot name').fill(invalid);
  await getButton(page, 'Save').click();
  await getMain(page)
    .getByText(/is not a valid snapshot name/)
    .filter({ hasText: invalid })
    .waitFor();
  assert.equal(await page.locator('img').count(), 0);
  await getMain(page).getByLabel('Snapshot name').fill('with-ada');
  await page.keyboard.press('Enter');
  await getToast(page, 'The snapshot with-ada was saved.');
  await control('DELETE', '/state/users/ada');
  await getButton(page, 'Load the snapshot with-ada').click();
  // Escape closes the dialog without a change and returns the focus to the button.
  const question = page.getByRole('dialog', { name: 'Load the snapshot with-ada?' });
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Load the snapshot with-ada');
  assert.ok(!(await userExists('ada')));
  await page.keyboard.press('Enter');
  await confirmAction(page, 'Load');
  await getToast(page, /^The world is now demo/);
  assert.ok(await userExists('ada'));
  await getButton(page, 'Empty the world').click();
  await confirmAction(page, 'Empty');
  await getToast(page, 'The world is now empty, with 0 entities.');
  assert.ok(!(await userExists('ada')));
  await getButton(page, 'Reset to the initial state').click();
  await confirmAction(page, 'Reset');
  await getToast(page, /^The world is now demo, with [1-9]/);
  await getButton(page, 'Load the scenario slow').click();
  await confirmAction(page, 'Load');
  await page.getByRole('link', { name: '1 fault active' }).waitFor();
  await getButton(page, 'Load the scenario rate-limited-users').click();
  await confirmAction(page, 'Load');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('alert').filter({ hasText: 'requires the decision users.rate-limit' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await getButton(page, 'Delete the snapshot with-ada').click();
  await getMain(page).getByText('No snapshots yet').waitFor();
});

test('in a browser, a world can be downloaded and uploaded, and the errors in an invalid file have line numbers', async () => {
  await using opened = await openConsole('/world/all');
  const { page, control } = opened;
  const before = await control<object>('GET', '/state');
  const [download] = await Promise.all([page.waitForEvent('download'), getButton(page, 'Download the world').click()]);
  assert.equal(download.suggestedFilename(), 'demo.yaml');
  const yaml = await readFile(await download.path(), 'utf8');
  const input = getMain(page).getByLabel('Upload a world');
  const name = '<img src=x onerror=document.title=1>.yaml';
  await input.setInputFiles({
    name,
    mimeType: 'application/yaml',
    buffer: Buffer.from('world: mine\nusers:\n  ada: { account: nobody }\n'),
  });
  await page.getByRole('dialog', { name: `Replace the world with ${name}?` }).waitFor();
  await confirmAction(page, 'Replace');
  await page.getByRole('dialog').getByRole('alert').getByText(`${name}:3:`).waitFor();
  assert.deepEqual(await control<object>('GET', '/state'), before);
  await confirmAction(page, 'Cancel');
  // The same file can be selected again.
  assert.equal(await input.inputValue(), '');
  await getButton(page, 'Empty the world').click();
  await confirmAction(page, 'Empty');
  await getToast(page, /is now empty/);
  await input.setInputFiles({ name: 'demo.yaml', mimeType: 'application/yaml', buffer: Buffer.from(yaml) });
  await confirmAction(page, 'Replace');
  await getToast(page, /^The world is now demo/);
  assert.deepEqual(await control<object>('GET', '/state'), before);
});

test('in a browser, markup in names and aliases is shown as text', async () => {
  await using opened = await openConsole('/world/all');
  const { page, goto, control, messages } = opened;
  const attempts = [
    '<img src=x onerror=document.title="stolen">',
    '"><svg onload=document.title="stolen">',
    'javascript:document.title="stolen"',
  ];
  for (const [index, text] of attempts.entries()) {
    await control('POST', '/state/accounts', { alias: text, name: text });
    await control('POST', '/state/users', { alias: text, account: text, firstName: text, lastName: `${index}` });
  }
  for (const path of ['/world/accounts', '/world/users', `/world/users/${encodeURIComponent(attempts[0]!)}`]) {
    await goto(path);
    await getMain(page).getByText(attempts[0]!).first().waitFor();
    assert.equal(await page.locator('img, svg:not(.icon)').count(), 0);
    assert.equal(await page.title(), 'World · Console');
  }
  assert.deepEqual(messages, []);
});

test('in a browser, a long collection is divided into pages and can be searched by alias', async () => {
  await using opened = await openConsole('/world/all');
  const { page, goto, control } = opened;
  const world = {
    world: 'many',
    accounts: { one: { name: 'One' } },
    generate: { users: [{ alias: 'user', account: 'one', count: 1200 }] },
  };
  await control('PUT', '/state', world);
  const sizes: number[] = [];
  page.on('response', (response) => {
    if (/\/state\/users\?/.test(response.url())) void response.json().then((body: object) => sizes.push(Object.keys(body).length));
  });
  await goto('/world/users?account=one');
  await getMain(page).getByRole('link', { name: 'Next 50' }).click();
  await getMain(page).getByRole('link', { name: 'First page' }).waitFor();
  await getMain(page).getByLabel('Find by alias').fill('user-777');
  await getMain(page).getByText('user-777', { exact: true }).waitFor();
  assert.ok(sizes.length > 0 && sizes.every((size) => size <= 51), String(sizes));
});
