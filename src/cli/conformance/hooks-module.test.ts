import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { WrittenHooks } from '../../../conformance/runner/profile-target.ts';
import { packageFile } from '../../world/package-files.ts';
import { resolveHooks } from './hooks-module.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-hooks-module-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const profile = join(folder, 'p.yaml');

let written = 0;
function module(text: string): string {
  const name = `hooks-${written++}.mjs`;
  writeFileSync(join(folder, name), text);
  return `./${name}`;
}

const PLATFORM = 'export function platformUsersCreate() {}\nexport function platformUsersRename() {}';

const mistakes: [string, () => WrittenHooks, RegExp][] = [
  [
    'a file that is not there',
    () => ({ module: './gone.mjs' }),
    /hooks\.module: There is no file \/.*\/gone\.mjs\. The path \.\/gone\.mjs is seen from the profile\.$/,
  ],
  [
    'a mistake in the syntax',
    () => ({ module: module('export function faultUsers( {}\n') }),
    /cannot be loaded: .*hooks-\d+\.mjs:\d[\s\S]*SyntaxError/,
  ],
  ['a module that throws', () => ({ module: module('throw new Error("no database");') }), /cannot be loaded: Error: no database$/],
  ['a module that ends the process', () => ({ module: module('process.exit(3);') }), /cannot be loaded: it ended the process with 3$/],
  [
    'a name with a typing mistake',
    () => ({ module: module('export function faultUser() {}') }),
    /exports faultUser, which is no hook\. Did you mean "faultUsers"\?$/,
  ],
  [
    'another function',
    () => ({ module: module('export default { reset() {} };') }),
    /exports reset, which is no hook\. The hooks are, in camel case: faultUsers, /,
  ],
  ['no function', () => ({ module: module('export const faultUsers = true;') }), /exports no function that is a hook\. The hooks are/],
  [
    'a missing function',
    () => ({ module: module(PLATFORM) }),
    /hooks: platform\.users\.create needs platform\.users\.remove, which is missing: an address, or in the module a function platformUsersRemove\.$/,
  ],
  [
    'a release of what is not taken',
    () => ({ urls: { 'users.release': 'https://a.test' } }),
    /users\.release needs users, which is missing/,
  ],
  [
    'a hook in two places',
    () => ({ module: module('export function users() {}'), urls: { users: 'https://a.test' } }),
    /users is in the module and has an address, too\. Keep one\.$/,
  ],
];
for (const [what, hooks, reason] of mistakes) {
  test(`hooks with ${what} are refused with a reason`, () =>
    assert.rejects(resolveHooks(hooks(), profile), { name: 'UsageError', message: reason }));
}

test('hooks may be partly in a module and partly at addresses', async () => {
  const urls = { 'platform.users.remove': 'https://a.test' };
  const { module: found } = await resolveHooks({ module: module(PLATFORM), urls }, profile);
  assert.deepEqual(found?.hooks, ['platform.users.create', 'platform.users.rename']);
});

test('a module that goes on running does not keep a command from ending', async () => {
  const { module: found } = await resolveHooks({ module: module('setInterval(() => {}, 1000);\nexport function users() {}') }, profile);
  assert.deepEqual(found?.hooks, ['users']);
});

test('the example has hooks that are some', async () => {
  const { module: found } = await resolveHooks({ module: packageFile('conformance/profiles/kit-hooks.mjs') }, profile);
  assert.ok(found?.hooks.includes('fault.users') && found.hooks.includes('platform.users.create'));
});
