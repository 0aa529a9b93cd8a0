import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKit, type KitSettings } from '../kit.ts';
import { controlClient } from './control-client.ts';

async function saidBy(settings: KitSettings, controlToken?: string): Promise<string> {
  const kit = await createKit({ port: 0, ...settings });
  try {
    return await controlClient(kit.url, controlToken)
      .get('/info')
      .then(
        () => assert.fail('it should have been refused'),
        (error: Error) => error.message,
      );
  } finally {
    await kit.close();
  }
}

test('a kit without control API is said to be one', async () => {
  assert.match(await saidBy({ control: false }), /^The control API is off at http:.* --no-control\.$/);
});

test('a control token that is missing and one that is wrong get words of their own', async () => {
  const settings = { controlToken: 'canary-canary-canary' };
  assert.match(await saidBy(settings), /none was sent\. Give it with --control-token/);
  const wrong = await saidBy(settings, 'another-canary-word');
  assert.match(wrong, /is not the one this kit was started with\./);
  assert.doesNotMatch(wrong, /canary/);
});
