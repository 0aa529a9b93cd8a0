import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Need } from '../target/capabilities.ts';
import { createCleanup } from '../target/cleanup.ts';
import { createOperatorActions } from './operator.ts';

for (const isRemoved of [false, true]) {
  const when = isRemoved ? 'that the check has removed' : 'that the check created';
  test(`the cleanup does not delete users in an account ${when}, because the account's removal deletes them`, async () => {
    const removed: string[] = [];
    const createEntityActions = (capability: string) => {
      let count = 0;
      return { create: async () => `${capability} ${++count}`, remove: async (id: string) => void removed.push(id) };
    };
    const actionsByCapability = new Map(
      ['platform.accounts', 'platform.users'].map((capability) => [capability, createEntityActions(capability)]),
    );
    const cleanup = createCleanup();
    const ledger = { addAssignment: () => {}, addConnection: () => {}, markDeleted: () => {} };
    const operator = createOperatorActions(
      (async (capability: string) => actionsByCapability.get(capability)) as unknown as Need,
      ledger,
      cleanup,
    );
    const [accounts, users] = [await operator('platform.accounts'), await operator('platform.users')];
    const accountId = await accounts.create();
    await users.create(accountId);
    await users.create('an account of the profile');
    if (isRemoved) await accounts.remove(accountId);
    await cleanup.run();
    assert.deepEqual(removed.toSorted(), ['platform.accounts 1', 'platform.users 2']);
  });
}
