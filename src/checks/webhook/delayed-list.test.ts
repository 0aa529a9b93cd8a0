import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createControlClient } from '../../control-client/client.ts';
import { createKit } from '../../kit.ts';
import { createCheckWorld } from './check-world.ts';
import { delayList } from './delayed-list.ts';

test('the time limit for the list request starts when the hook has ended', async (t) => {
  await using kit = await createKit({ port: 0 });
  const control = createControlClient(kit.url);
  const world = await createCheckWorld({ url: kit.url, control });
  const list = await delayList('connections', control, world);
  const hook = Promise.withResolvers<void>();
  let polls = 0;
  const now = t.mock.method(performance, 'now', () => polls * 6000);
  t.mock.method(control, 'GET', async () => {
    polls++;
    if (polls === 3) hook.resolve();
    return { data: [] };
  });
  await assert.rejects(list.waitForRequest(hook.promise), /the consumer did not request the account .* connections by accountId/);
  now.mock.restore();
  assert.ok(polls > 3, `${polls} polls`);
});

test("if the hook fails, the wait for the list request ends with the hook's error", async () => {
  await using kit = await createKit({ port: 0 });
  const control = createControlClient(kit.url);
  const list = await delayList('connections', control, await createCheckWorld({ url: kit.url, control }));
  await assert.rejects(list.waitForRequest(Promise.reject(new Error('The hook failed.'))), /^Error: The hook failed\.$/);
});
