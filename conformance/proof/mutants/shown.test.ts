import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createShown } from './shown.ts';

test('what was shown in one worker is known in another', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'shown-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [one, other] = [createShown(folder), createShown(folder)];
  one.caught('users-list › a title', 'users.list.some-rule#1');
  one.caught('users-list › another', 'users.list.some-rule#2');
  assert.equal(other.has('users-list › a title', 'users.list.some-rule#2'), true);
  assert.equal(other.has('users-list › a title', 'users.list.some-rule#3'), false, 'a saboteur that nobody caught');
  assert.equal(other.has('users-list › no teeth', 'users.list.some-rule#1'), false, 'a check that caught nobody');
});

test('without a folder nothing counts as shown', () => {
  const shown = createShown(undefined);
  shown.caught('a check', 'a saboteur');
  assert.equal(shown.has('a check', 'a saboteur'), false);
});
