import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { assertAccessible, closeBrowserAfter, NARROW, openConsole } from './testing/console.ts';
import { button, confirm, get, main, toast, write } from './testing/world.ts';

closeBrowserAfter();

test('in a browser, a snapshot is saved, loaded and deleted, and the world is reset', async () => {
  await using opened = await openConsole('/world');
  const { page, kit } = opened;
  const isThere = async (user: string) => (await fetch(`${kit.url}/_control/state/users/${user}`)).ok;
  const invalid = '<img src=x onerror=alert(1)>';
  await main(page).getByLabel('Name of the snapshot').fill(invalid);
  await button(page, 'Save').click();
  await main(page)
    .getByText(/The name of a snapshot must be/)
    .filter({ hasText: invalid })
    .waitFor();
  assert.equal(await page.locator('img').count(), 0);
  await main(page).getByLabel('Name of the snapshot').fill('before');
  await page.keyboard.press('Enter');
  await toast(page, 'The snapshot before was saved.');
  await fetch(`${kit.url}/_control/state/users/ada`, { method: 'DELETE' });
  await button(page, 'Load the snapshot before').click();
  // The keyboard leaves everything as it is with Escape, and gets back to the button.
  await page.getByRole('dialog', { name: 'Load the snapshot before?' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Load the snapshot before');
  assert.ok(!(await isThere('ada')));
  await page.keyboard.press('Enter');
  await confirm(page, 'Load');
  await toast(page, /^The world is now demo/);
  assert.ok(await isThere('ada'));
  await button(page, 'Empty the world').click();
  await confirm(page, 'Empty');
  await toast(page, 'The world is now empty, with 0 entities.');
  assert.ok(!(await isThere('ada')));
  await button(page, 'Reset to the start').click();
  await confirm(page, 'Reset');
  await toast(page, /^The world is now demo, with [1-9]/);
  await button(page, 'Load the scenario slow').click();
  await confirm(page, 'Load');
  await page.getByRole('link', { name: '1 fault active' }).waitFor();
  await button(page, 'Load the scenario rate-limited-users').click();
  await confirm(page, 'Load');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('alert').filter({ hasText: 'needs the decision users.rate-limit' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await button(page, 'Delete the snapshot before').click();
  await main(page).getByText('No snapshot yet').waitFor();
});

test('in a browser, a world is downloaded and uploaded, and a wrong file is refused with its lines', async () => {
  await using opened = await openConsole('/world');
  const { page, kit } = opened;
  const before = await get<object>(kit.url, '/state');
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download the world').click()]);
  assert.equal(download.suggestedFilename(), 'demo.yaml');
  const yaml = await readFile(await download.path(), 'utf8');
  const input = main(page).getByLabel('Upload a world');
  const name = '<img src=x onerror=document.title=1>.yaml';
  await input.setInputFiles({
    name,
    mimeType: 'application/yaml',
    buffer: Buffer.from('world: mine\nusers:\n  ada: { account: nobody }\n'),
  });
  await page.getByRole('dialog', { name: `Replace the world by ${name}?` }).waitFor();
  await confirm(page, 'Replace');
  await main(page).getByText(`${name}:3:`).waitFor();
  assert.deepEqual(await get<object>(kit.url, '/state'), before);
  // The same file can be selected again.
  assert.equal(await input.inputValue(), '');
  await button(page, 'Empty the world').click();
  await confirm(page, 'Empty');
  await toast(page, /is now empty/);
  await input.setInputFiles({ name: 'demo.yaml', mimeType: 'application/yaml', buffer: Buffer.from(yaml) });
  await confirm(page, 'Replace');
  await toast(page, /^The world is now demo/);
  assert.deepEqual(await get<object>(kit.url, '/state'), before);
});

test('in a browser, markup in names and aliases is shown as text', async () => {
  await using opened = await openConsole('/world');
  const { page, kit, goto, messages } = opened;
  const attempts = [
    '<img src=x onerror=document.title="stolen">',
    '"><svg onload=document.title="stolen">',
    'javascript:document.title="stolen"',
  ];
  for (const [index, text] of attempts.entries()) {
    await write(kit.url, 'POST', '/state/accounts', { alias: text, name: text });
    await write(kit.url, 'POST', '/state/users', { alias: text, account: text, firstName: text, lastName: `${index}` });
  }
  for (const path of ['/world/accounts', '/world/users', `/world/users/${encodeURIComponent(attempts[0]!)}`]) {
    await goto(path);
    await main(page).getByText(attempts[0]!).first().waitFor();
    assert.equal(await page.locator('img, svg:not(.icon)').count(), 0);
    assert.equal(await page.title(), 'World · Console');
  }
  assert.deepEqual(messages, []);
});

test('in a browser, a collection of any size is shown in pages, and searched by alias', async () => {
  await using opened = await openConsole('/world');
  const { page, kit, goto } = opened;
  const world = {
    world: 'many',
    accounts: { one: { name: 'One' } },
    generate: { users: [{ alias: 'user', account: 'one', count: 1200 }] },
  };
  await write(kit.url, 'PUT', '/state', world);
  const sizes: number[] = [];
  page.on('response', (response) => {
    if (/\/state\/users\?/.test(response.url())) void response.json().then((body: object) => sizes.push(Object.keys(body).length));
  });
  await goto('/world/users?account=one');
  await main(page).getByRole('link', { name: 'Next 50' }).click();
  await main(page).getByRole('link', { name: 'First page' }).waitFor();
  await main(page).getByLabel('Find by alias').fill('user-777');
  await main(page).getByRole('link', { name: 'user-777', exact: true }).waitFor();
  assert.ok(sizes.length > 0 && sizes.every((size) => size <= 51), String(sizes));
});

test('in a browser, the pages of the world are accessible', { timeout: 120_000 }, async () => {
  await using opened = await openConsole('/world');
  const { page, goto } = opened;
  await main(page).getByText('slow', { exact: true }).waitFor();
  await assertAccessible(page);
  await goto('/world/experiences');
  await main(page).getByRole('link', { name: 'reception' }).first().waitFor();
  await button(page, 'New experience').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await assertAccessible(page);
  await page.setViewportSize(NARROW);
  await goto('/world/accounts/northwind');
  await main(page).getByRole('heading', { name: 'History' }).waitFor();
  await assertAccessible(page);
});
