import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Arrangement } from '../target/arrangement.ts';
import type { Client } from './api-client.ts';
import { openSide } from './explorer.ts';

test('requests at the same moment are sent in their order, whatever their bodies need', async () => {
  const sent: string[] = [];
  const need = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { state: '{{state}}' };
  };
  const arrangement = { need, has: () => false } as unknown as Arrangement;
  const call = async (operation: string) => void sent.push(operation);
  const side = await openSide({ arrangement, api: { call } as unknown as Client, mailboxes: {} });
  const request = { path: { experienceConnectionId: 'a' }, as: 'manager', form: 'flat' } as const;
  await Promise.all([
    side.call('updateExperienceConnection', { ...request, body: { state: 'ACTIVE' } }),
    side.call('deleteExperienceConnection', request),
  ]);
  assert.deepEqual(sent, ['updateExperienceConnection', 'deleteExperienceConnection']);
});
