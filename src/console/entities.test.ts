import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeBrowserAfterTests, openConsole } from '../testing/console.ts';
import { getButton, getMain, getToast } from './testing/page.ts';

closeBrowserAfterTests();

test('in a browser, the history names the request and the client that caused an event', async () => {
  await using opened = await openConsole('/world/connections');
  const { page, kit, goto, control } = opened;
  const { id, state } = await control<{ id: string; state: string }>('GET', '/state/connections/northwind-reception');
  const { tokens } = await control<{ tokens: Record<string, string> }>('GET', '/info');
  const response = await fetch(`${kit.url}/experience/connections/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${tokens.full}`, 'content-type': 'application/json' },
    body: JSON.stringify({ state: state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE' }),
  });
  assert.ok(response.ok, await response.text());
  await goto('/world/connections/northwind-reception');
  const caused = getMain(page).getByRole('listitem').filter({ hasText: 'experience.connection.' });
  await caused.getByRole('link', { name: /^PUT \/experience\/connections\// }).waitFor();
  await caused.getByText('for Maya Manager').waitFor();
  await caused.getByText(state === 'ACTIVE' ? 'State: ACTIVE → INACTIVE' : 'State: INACTIVE → ACTIVE').waitFor();
  await caused.locator('a[href*="/world/clients/"]').click();
  await getMain(page).getByRole('heading', { level: 2 }).first().waitFor();
  assert.match(page.url(), /\/world\/clients\//);
});

test('in a browser, the history shows what a change changed, and counts equal requests', async () => {
  await using opened = await openConsole('/');
  const { page, goto, control, sendRequest } = opened;
  const { id } = await control<{ id: string }>('POST', '/state/users', { alias: 'hopper', account: 'northwind', firstName: 'Grace' });
  await control('PATCH', '/state/users/hopper', { firstName: null, lastName: 'Hopper' });
  for (let sent = 0; sent < 3; sent++) await sendRequest(`/users/${id}`);
  await goto('/world/users/hopper');
  const items = getMain(page).getByRole('listitem');
  await items.filter({ hasText: /changed\s*by the platform\s*First name: Grace → –\s*Last name: – → Hopper$/ }).waitFor();
  await items.filter({ hasText: /GET \/users\/Hopper 200 .* for Maya Manager 3 times/ }).waitFor();
});

test('in a browser, a list shows a user that was created while the stream was not connected', async () => {
  await using opened = await openConsole('/');
  const { page, goto, control } = opened;
  const released = Promise.withResolvers<void>();
  await page.route('**/_control/stream*', (route) => released.promise.then(() => route.continue()));
  await goto('/world/users');
  await getMain(page).getByRole('link', { name: 'Ada Lovelace', exact: true }).waitFor();
  await control('POST', '/state/users', { alias: 'aaron', account: 'northwind' });
  released.resolve();
  await getMain(page).getByRole('link', { name: 'aaron', exact: true }).waitFor();
});

test('in a browser, a field with an invalid value shows the error and gets the focus', async () => {
  await using opened = await openConsole('/world/users/ada');
  const { page, control } = opened;
  await getButton(page, 'Edit').click();
  const form = page.getByRole('dialog', { name: 'Edit the user Ada Lovelace' });
  await form.getByLabel('First name').fill('Augusta');
  await form.getByRole('group', { name: 'Native IDs' }).getByRole('button', { name: 'Add' }).click();
  const added = form.getByRole('group', { name: /^Native IDs \d/ }).last();
  await added.getByLabel('style').selectOption('legacy-numeric');
  await added.getByLabel('id').fill('not-a-number');
  await form.getByRole('button', { name: 'Save' }).click();
  const invalid = form.locator('[aria-invalid=true]');
  // The field gets the focus only after its error is shown.
  await form.locator('[aria-invalid=true]:focus').waitFor();
  assert.equal(await invalid.inputValue(), 'not-a-number');
  assert.equal(await page.evaluate('document.activeElement.value'), 'not-a-number');
  const description = await page.evaluate("document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent");
  assert.match(String(description), /not-a-number/);
  await invalid.fill('4711');
  await page.keyboard.press('Enter');
  await getToast(page, 'The user Augusta Lovelace was changed by the platform.');
  const { firstName, nativeIds } = await control<{ firstName: string; nativeIds: unknown[] }>('GET', '/state/users/ada');
  assert.equal(firstName, 'Augusta');
  assert.ok(JSON.stringify(nativeIds).includes('"4711"'));
});

test('in a browser, the form reports a missing value and an unknown entity next to the fields', async () => {
  await using opened = await openConsole('/world/users');
  const { page } = opened;
  await getButton(page, 'New user').click();
  const form = page.getByRole('dialog', { name: 'New user' });
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByText('This value is missing.').waitFor();
  assert.equal(await form.getByLabel('Account').getAttribute('aria-invalid'), 'true');
  assert.equal(await form.getByLabel('Account').getAttribute('placeholder'), 'name, alias or ID');
  await form.getByLabel('Account').fill('nortwind');
  await form.getByText('This value is missing.').waitFor({ state: 'detached' });
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByText(/There is no account "nortwind".*northwind/).waitFor();
  await form.getByLabel('Account').fill('traders');
  await form.locator('datalist option[value="Northwind Traders"][label=northwind]').waitFor({ state: 'attached' });
  await form.getByLabel('Account').fill('Northwind Traders');
  await form.getByRole('button', { name: 'Create' }).click();
  await getToast(page, /^The user .* was created by the platform\.$/);
});

test('in a browser, links lead from an account to its users and their assignments, and back', async () => {
  await using opened = await openConsole('/world/accounts/northwind');
  const { page } = opened;
  for (const name of ['Ada Lovelace', 'Ada Lovelace – Acme Scheduler', 'Ada Lovelace', 'Northwind Traders']) {
    await getMain(page).getByRole('link', { name, exact: true }).click();
    await getMain(page).getByRole('heading', { name, exact: true }).waitFor();
  }
  await getMain(page).getByRole('heading', { name: 'Users' }).getByRole('link').click();
  await getMain(page)
    .getByRole('link', { name: /^Show all, not only account/ })
    .waitFor();
});

test('in a browser, changes by other clients appear without a reload', async () => {
  await using opened = await openConsole('/world/connections/northwind-reception');
  const { page, control } = opened;
  await page.getByRole('banner').getByText('Live').waitFor();
  await getButton(page, 'Delete').waitFor();
  await control('DELETE', '/state/connections/northwind-reception');
  await getMain(page).getByRole('alert').getByText('There is no connection "northwind-reception".').waitFor();
});

test('in a browser, a keyboard user can create and delete an account', async () => {
  await using opened = await openConsole('/world/accounts');
  const { page } = opened;
  const pressKeys = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await getButton(page, 'New account').focus();
  await pressKeys('Enter');
  const form = page.getByRole('dialog', { name: 'New account' });
  await form.waitFor();
  await page.keyboard.type('harbor');
  // The first Tab moves the focus to the ID, the second to the name.
  await pressKeys('Tab', 'Tab');
  await page.keyboard.type('Harbor');
  await pressKeys('Tab', 'ArrowLeft');
  assert.ok(await form.getByRole('radio', { name: 'Portal' }).isChecked());
  await pressKeys('Tab', 'Enter');
  await getToast(page, 'The account Harbor was created by the portal.');
  await getButton(page, 'Delete').focus();
  await pressKeys('Enter');
  const question = page.getByRole('dialog', { name: 'Delete the account Harbor?' });
  await question.waitFor();
  await pressKeys('Escape');
  await question.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Delete');
  await pressKeys('Enter');
  await question.waitFor();
  await pressKeys('Tab', 'Enter');
  await getToast(page, 'The account Harbor was deleted by the platform.');
  // The button that had the focus is on the page of the deleted account.
  await page.locator('main:focus').getByRole('button', { name: 'New account' }).waitFor();
});
