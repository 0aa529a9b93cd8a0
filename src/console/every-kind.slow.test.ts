import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from '@playwright/test';
import { closeBrowserAfterTests, openConsole } from '../testing/console.ts';
import { COLLECTIONS } from '../world/entities.ts';
import type { Collection } from '../world/world.ts';
import { getButton, getMain } from './testing/page.ts';

closeBrowserAfterTests();

interface EntityKind {
  /** The form values that create an entity in the demo world, by label. */
  readonly create: Readonly<Record<string, string>>;
  /** Undefined if the entity cannot change. */
  readonly change?: Readonly<Record<string, string>>;
}

const ENTITY_KINDS: Readonly<Record<Collection, EntityKind>> = {
  providers: { create: { Alias: 'made', Name: 'Made' }, change: { Name: 'Changed' } },
  experiences: { create: { Alias: 'made', Provider: 'acme', Name: 'Made' }, change: { Name: 'Changed' } },
  accounts: { create: { Alias: 'made', Name: 'Made' }, change: { Name: 'Changed' } },
  telephoneNumbers: { create: { 'Telephone number': '+12065559999', Account: 'northwind' } },
  users: { create: { Alias: 'made', Account: 'northwind', 'First name': 'Made' }, change: { 'First name': 'Changed' } },
  principals: { create: { Alias: 'made', Name: 'Made' }, change: { Name: 'Changed' } },
  clients: { create: { Alias: 'made', Provider: 'acme', Name: 'Made' }, change: { Name: 'Changed' } },
  // A connection's state is changed with a button.
  connections: { create: { Alias: 'made', Account: 'tailspin', Experience: 'reception' }, change: {} },
  assignments: { create: { Alias: 'made', Experience: 'reception', 'Target type': 'USER', Target: 'ada' } },
  subscriptions: { create: { Alias: 'made', Provider: 'acme' }, change: { 'Destination URL': 'https://example.com/made' } },
};

async function fillForm(form: Locator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const input = form.getByLabel(new RegExp(`^${label}\\s*(required)?$`));
    if (label === 'Target type') await input.selectOption(value);
    else await input.fill(value);
  }
}

test('in a browser, the portal and the platform can create, change and delete every kind of entity, and the history shows the actor', {
  timeout: 120_000,
}, async () => {
  await using opened = await openConsole('/world');
  const { page, goto, control, messages } = opened;
  const countEntities = async () => (await control<{ entities: Record<string, number> }>('GET', '/world')).entities;
  const before = await countEntities();
  const dialog = page.getByRole('dialog');
  const selectActor = (within: Locator, actor: string) => within.getByRole('radio', { name: actor }).check();
  const expected: string[] = [];
  for (const collection of COLLECTIONS)
    for (const [first, second] of [
      ['Portal', 'Platform'],
      ['Platform', 'Portal'],
    ] as const) {
      const { create, change } = ENTITY_KINDS[collection];
      // Only the page of events has a link to the subscriptions.
      if (collection === 'subscriptions') await goto('/world/subscriptions');
      else await getMain(page).locator(`nav a[href$="/world/${collection}"]`).click();
      await getMain(page).getByRole('button', { name: /^New / }).click();
      await fillForm(dialog, create);
      if (collection === 'subscriptions') await dialog.getByLabel('provisioning.user.created').check();
      await selectActor(dialog, first);
      await dialog.getByRole('button', { name: 'Create' }).click();
      await getButton(page, 'Delete').waitFor();
      if (change) {
        await selectActor(getMain(page), second);
        if (collection === 'connections') await getButton(page, 'Activate').click();
        else {
          await getButton(page, 'Edit').click();
          await fillForm(dialog, change);
          await dialog.getByRole('button', { name: 'Save' }).click();
          await dialog.waitFor({ state: 'detached' });
        }
      }
      await selectActor(getMain(page), first);
      await getButton(page, 'Delete').click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await getMain(page).getByRole('button', { name: /^New / }).waitFor();
      const actions = ['created', ...(change ? [collection === 'connections' ? 'activated' : 'changed'] : []), 'deleted'];
      const actors = { created: first, changed: second, activated: second, deleted: first };
      for (const action of actions) expected.push(`${collection} ${action} ${actors[action as 'created'].toLowerCase()}`);
    }
  assert.deepEqual(await countEntities(), before);
  const changes = await control<{ collection: string; action: string; actor: string }[]>('GET', '/changes?limit=200');
  const events = await control<{ type: string; actor: string }[]>('GET', '/events?limit=200');
  const happened = [
    ...changes.map(({ collection, action, actor }) => `${collection} ${action} ${actor}`),
    ...events.flatMap(({ type, actor }) => {
      const [, entity, action] = type.split('.');
      return type.startsWith('experience.') ? [`${entity}s ${action} ${actor}`] : [];
    }),
  ];
  assert.deepEqual(happened.sort(), expected.sort());
  // A deleted entity's page shows its history.
  await page.goBack();
  const history = getMain(page).getByRole('listitem');
  for (const text of [/deleted\s*by the platform/, /changed\s*by the portal/, /created\s*by the platform/])
    await history.filter({ hasText: text }).first().waitFor();
  assert.deepEqual(messages, []);
});
