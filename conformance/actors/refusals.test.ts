import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Need } from '../target/capabilities.ts';
import { createAnswer } from '../target/testing/answer.ts';
import type { Client } from './api-client.ts';
import { createRefusalCheck } from './refusals.ts';
import { createSampleCalls } from './sample-calls.ts';

test('if a call without the scope gets 200 instead of 403, the check reports the status, even if the bodies are invalid, too', async () => {
  const answer = createAnswer({ url: 'http://127.0.0.1/users/1', headers: { 'content-type': 'application/json' }, json: {} });
  const api = { form: 'flat', call: async () => answer } as unknown as Client;
  const capabilities: Readonly<Record<string, unknown>> = {
    users: async () => 'u',
    token: 't',
    'token.without-scope': { 'users:manage': 'other' },
  };
  const need = (async (capability: string) => capabilities[capability]) as unknown as Need;
  const calls = createSampleCalls(api, {} as never, { need } as never, () => true);
  const check = createRefusalCheck('getUser', { as: 'without-scope' }, 403);
  await assert.rejects(check({ api, need, calls }), {
    message: 'Expected the status 403.\nGET http://127.0.0.1/users/1 was answered with 200: {}',
  });
});
