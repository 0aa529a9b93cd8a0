import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { COLLECTIONS } from '../world/entities.ts';
import type { Collection } from '../world/world.ts';
import { assertAccessible, NARROW, openConsole } from './testing/console.ts';

const main = (page: Page) => page.getByRole('main');
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true });
const toast = (page: Page, text: string | RegExp) => page.locator('.toast').getByText(text).first().waitFor();

async function get<Body>(url: string, path: string): Promise<Body> {
  return (await (await fetch(`${url}/_control${path}`)).json()) as Body;
}

async function write(url: string, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${url}/_control${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
}

test('in a browser, a connection is created and activated, and its history has the events', async () => {
  await using opened = await openConsole('/world/connections');
  const { page, kit, messages } = opened;
  await write(kit.url, 'POST', '/state/accounts', { alias: 'lakeside', name: 'Lakeside' });
  await button(page, 'New connection').click();
  const form = page.getByRole('dialog', { name: 'New connection' });
  await form.getByLabel('Account').fill('lakeside');
  await form.getByLabel('Experience').fill('reception');
  await form.getByRole('button', { name: 'Create' }).click();
  await button(page, 'Activate').click();
  await toast(page, 'The connection is ACTIVE, by the portal.');
  await button(page, 'Deactivate').waitFor();
  const history = main(page).getByRole('listitem');
  await history.filter({ hasText: 'experience.connection.created' }).waitFor();
  await history.filter({ hasText: 'experience.connection.activated' }).filter({ hasText: 'the portal or the platform' }).waitFor();
  assert.deepEqual(messages, []);
});

test('in a browser, the history names the request and the client that caused an event', async () => {
  await using opened = await openConsole('/world/connections');
  const { page, kit, goto } = opened;
  const { id } = await get<{ id: string }>(kit.url, '/state/connections/northwind-reception');
  const { state } = await get<{ state: string }>(kit.url, '/state/connections/northwind-reception');
  const { tokens } = await get<{ tokens: Record<string, string> }>(kit.url, '/info');
  const response = await fetch(`${kit.url}/experience/connections/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${tokens.full}`, 'content-type': 'application/json' },
    body: JSON.stringify({ state: state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE' }),
  });
  assert.ok(response.ok, await response.text());
  await goto('/world/connections/northwind-reception');
  const caused = main(page).getByRole('listitem').filter({ hasText: 'experience.connection.' });
  await caused.getByRole('link', { name: /^PUT \/experience\/connections\// }).waitFor();
  await caused.getByRole('link', { name: 'client' }).click();
  await main(page).getByRole('heading', { level: 2 }).first().waitFor();
  assert.match(page.url(), /\/world\/clients\//);
});

test('in a browser, an invalid value is reported at its field, which gets the focus, and the form can then be saved', async () => {
  await using opened = await openConsole('/world/users/ada');
  const { page, kit } = opened;
  await button(page, 'Edit').click();
  const form = page.getByRole('dialog', { name: 'Edit the user ada' });
  await form.getByLabel('First name').fill('Augusta');
  await form.getByRole('group', { name: 'Native IDs' }).getByRole('button', { name: 'Add' }).click();
  const added = form.getByRole('group', { name: /^Native IDs \d/ }).last();
  await added.getByLabel('style').selectOption('legacy-numeric');
  await added.getByLabel('id').fill('not-a-number');
  await form.getByRole('button', { name: 'Save' }).click();
  const invalid = form.locator('[aria-invalid=true]');
  await invalid.waitFor();
  assert.equal(await invalid.inputValue(), 'not-a-number');
  assert.equal(await page.evaluate('document.activeElement.value'), 'not-a-number');
  const description = await page.evaluate("document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent");
  assert.match(String(description), /not-a-number/);
  await invalid.fill('4711');
  await page.keyboard.press('Enter');
  await toast(page, 'The user ada was changed as the platform.');
  const { firstName, nativeIds } = await get<{ firstName: string; nativeIds: unknown[] }>(kit.url, '/state/users/ada');
  assert.equal(firstName, 'Augusta');
  assert.ok(JSON.stringify(nativeIds).includes('"4711"'));
});

test('in a browser, a missing value and an unknown entity are reported at their fields', async () => {
  await using opened = await openConsole('/world/users');
  const { page } = opened;
  await button(page, 'New user').click();
  const form = page.getByRole('dialog', { name: 'New user' });
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByText('This value is missing.').waitFor();
  assert.equal(await form.getByLabel('Account').getAttribute('aria-invalid'), 'true');
  await form.getByLabel('Account').fill('nortwind');
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByText(/There is no account "nortwind".*northwind/).waitFor();
  await form.getByLabel('Account').fill('northwind');
  await form.getByRole('button', { name: 'Create' }).click();
  await toast(page, /^The user .* was created as the platform\.$/);
});

/** What the form needs to create an entity of each collection of the demo world. */
const CREATED: Readonly<Record<Collection, Readonly<Record<string, string>>>> = {
  providers: { Alias: 'made', Name: 'Made' },
  experiences: { Alias: 'made', Provider: 'made', Name: 'Made' },
  accounts: { Alias: 'made', Name: 'Made' },
  telephoneNumbers: { 'Telephone number': '+12065559999', Account: 'made' },
  users: { Alias: 'made', Account: 'made', 'First name': 'Made' },
  principals: { Alias: 'made', Name: 'Made' },
  clients: { Alias: 'made', Provider: 'made', Name: 'Made' },
  connections: { Alias: 'made', Account: 'made', Experience: 'made' },
  assignments: { Alias: 'made', Experience: 'made', 'Target type': 'USER', Target: 'made' },
  subscriptions: { Alias: 'made', Provider: 'made' },
};

test('in a browser, every kind of entity is created as the portal and deleted as the platform', { timeout: 120_000 }, async () => {
  await using opened = await openConsole('/world');
  const { page, goto, kit } = opened;
  const count = async () => (await get<{ entities: Record<string, number> }>(kit.url, '/world')).entities;
  const before = await count();
  // An assignment may need the connection.
  const order = [...COLLECTIONS].sort((one, other) => Number(one === 'assignments') - Number(other === 'assignments'));
  for (const collection of order) {
    await main(page).locator(`nav a[href$="/world/${collection}"]`).click();
    await main(page).getByRole('button', { name: /^New / }).click();
    const form = page.getByRole('dialog');
    for (const [label, value] of Object.entries(CREATED[collection])) {
      const input = form.getByLabel(new RegExp(`^${label}\\s*(required)?$`));
      if (label === 'Target type') await input.selectOption(value);
      else await input.fill(value);
    }
    if (collection === 'subscriptions') await form.getByLabel('provisioning.user.created').check();
    await form.getByRole('radio', { name: 'Portal' }).check();
    await form.getByRole('button', { name: 'Create' }).click();
    await main(page).getByRole('heading', { name: 'Actions' }).waitFor();
  }
  assert.deepEqual(await count(), Object.fromEntries(Object.entries(before).map(([collection, entities]) => [collection, entities + 1])));
  for (const collection of order.toReversed()) {
    await goto(`/world/${collection}/${encodeURIComponent(CREATED[collection]['Telephone number'] ?? 'made')}`);
    await main(page).getByRole('radio', { name: 'Platform' }).check();
    await button(page, 'Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await toast(page, /^The .* was deleted as the platform\.$/);
  }
  assert.deepEqual(await count(), before);
});

test('in a browser, a connection is changed as the portal and as the platform', async () => {
  await using opened = await openConsole('/world/connections/northwind-reception');
  const { page, kit } = opened;
  for (const actor of ['Portal', 'Platform']) {
    const { state } = await get<{ state: string }>(kit.url, '/state/connections/northwind-reception');
    await main(page).getByRole('radio', { name: actor }).check();
    await button(page, state === 'ACTIVE' ? 'Deactivate' : 'Activate').click();
    await toast(page, new RegExp(`by the ${actor.toLowerCase()}\\.$`));
    assert.notEqual((await get<{ state: string }>(kit.url, '/state/connections/northwind-reception')).state, state);
  }
});

test('in a browser, links lead from an account to what belongs to it, and back', async () => {
  await using opened = await openConsole('/world/accounts/northwind');
  const { page } = opened;
  await main(page).getByRole('link', { name: 'ada', exact: true }).click();
  await main(page).getByRole('heading', { name: 'ada' }).waitFor();
  await main(page).getByRole('link', { name: 'scheduler-ada' }).click();
  await main(page).getByRole('heading', { name: 'scheduler-ada' }).waitFor();
  await main(page).getByRole('link', { name: 'ada', exact: true }).click();
  await main(page).getByRole('heading', { name: 'ada' }).waitFor();
  await main(page).getByRole('link', { name: 'northwind' }).click();
  await main(page).getByRole('heading', { name: 'northwind' }).waitFor();
  await main(page).getByRole('heading', { name: 'Users' }).getByRole('link').click();
  await main(page)
    .getByRole('link', { name: /^Show all, not only account/ })
    .waitFor();
});

test('in a browser, changes of other clients appear by themselves', async () => {
  await using opened = await openConsole('/world/connections/northwind-reception');
  const { page, kit } = opened;
  await page.getByRole('banner').getByText('Live').waitFor();
  await button(page, 'Delete').waitFor();
  await fetch(`${kit.url}/_control/state/connections/northwind-reception`, { method: 'DELETE' });
  await main(page).getByRole('alert').getByText('There is no connection "northwind-reception".').waitFor();
});

test('in a browser, a snapshot is saved, loaded and deleted, and the world is reset', async () => {
  await using opened = await openConsole('/world');
  const { page, kit } = opened;
  const isThere = async (user: string) => (await fetch(`${kit.url}/_control/state/users/${user}`)).ok;
  await main(page).getByLabel('Name of the snapshot').fill('Not Valid');
  await button(page, 'Save').click();
  await main(page)
    .getByText(/The name of a snapshot must be/)
    .waitFor();
  await main(page).getByLabel('Name of the snapshot').fill('before');
  await page.keyboard.press('Enter');
  await toast(page, 'The snapshot before was saved.');
  await fetch(`${kit.url}/_control/state/users/ada`, { method: 'DELETE' });
  await button(page, 'Load the snapshot before').click();
  await toast(page, /^The world is now demo/);
  assert.ok(await isThere('ada'));
  await button(page, 'Empty the world').click();
  await toast(page, 'The world is now empty, with 0 entities.');
  assert.ok(!(await isThere('ada')));
  await button(page, 'Reset to the start').click();
  await toast(page, /^The world is now demo, with [1-9]/);
  await button(page, 'Load the scenario slow').click();
  await page.getByRole('link', { name: '1 fault active' }).waitFor();
  await button(page, 'Load the scenario rate-limited-users').click();
  await toast(page, /needs the decision users\.rate-limit/);
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
  await main(page).getByText(`${name}:3:`).waitFor();
  assert.deepEqual(await get<object>(kit.url, '/state'), before);
  // The same file can be selected again.
  assert.equal(await input.inputValue(), '');
  await button(page, 'Empty the world').click();
  await toast(page, /is now empty/);
  await input.setInputFiles({ name: 'demo.yaml', mimeType: 'application/yaml', buffer: Buffer.from(yaml) });
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
