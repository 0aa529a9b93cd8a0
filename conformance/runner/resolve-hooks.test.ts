import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Profile } from '../../src/contract/generated/profile.ts';
import { resolveHooks } from './resolve-hooks.ts';

type ProfileHooks = NonNullable<Profile['hooks']>;
const folder = mkdtempSync(join(tmpdir(), 'xpk-resolve-hooks-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const profile = join(folder, 'p.yaml');

let writtenModules = 0;
function writeModule(text: string): string {
  const name = `hooks-${writtenModules++}.mjs`;
  writeFileSync(join(folder, name), text);
  return `./${name}`;
}

const PLATFORM_HOOKS = 'export function platformUsersCreate() {}\nexport function platformUsersRename() {}';

const MODULE_MISTAKES: [what: string, source: string, reason: RegExp][] = [
  ['a syntax error', 'export function faultUsers( {}\n', /cannot be loaded: .*hooks-\d+\.mjs:\d[\s\S]*SyntaxError/],
  ['a `throw`', 'throw new Error("no database");', /cannot be loaded: .*hooks-\d+\.mjs:1\n[\s\S]*Error: no database$/],
  ['a call that ends the process', 'process.exit(3);', /cannot be loaded: the module ended the process with the status 3$/],
  ['a misspelled name', 'export function faultUser() {}', /exports faultUser, which is not a hook\. Did you mean "faultUsers"\?$/],
  [
    'a function that is not a hook',
    'export default { reset() {} };',
    /exports reset, which is not a hook\. The hooks are, in camel case: faultUsers, /,
  ],
  ['no functions', 'export const faultUsers = true;', /exports no function that is a hook\. The hooks are/],
  [
    'a hook that creates users without the hook that removes users',
    PLATFORM_HOOKS,
    /hooks: platform\.users\.create needs the hook platform\.users\.remove, which is missing\. Add its URL to hooks\.urls, or export platformUsersRemove from the module in hooks\.module\.$/,
  ],
];
const MISTAKES: [string, () => ProfileHooks, RegExp][] = [
  ...MODULE_MISTAKES.map(([what, source, reason]): (typeof MISTAKES)[number] => [
    `a module with ${what}`,
    () => ({ module: writeModule(source) }),
    reason,
  ]),
  [
    'a path without a file',
    () => ({ module: './gone.mjs' }),
    /hooks\.module: There is no file \/.*\/gone\.mjs\. The path \.\/gone\.mjs is relative to the profile\.$/,
  ],
  [
    'the hook `users.release` without the hook `users`',
    () => ({ urls: { 'users.release': 'https://a.test' } }),
    /users\.release needs the hook users, which is missing/,
  ],
  [
    'a hook with both a function and a URL',
    () => ({ module: writeModule('export function users() {}'), urls: { users: 'https://a.test' } }),
    /users has both a function in the module and a URL\. Remove one of them\.$/,
  ],
];
for (const [what, hooks, reason] of MISTAKES) {
  test(`resolveHooks refuses ${what} with a reason`, () =>
    assert.throws(() => resolveHooks(hooks(), profile), { name: 'TargetError', message: reason }));
}

test('a profile may have some hooks in a module and other hooks at URLs', () => {
  const urls = { 'platform.users.remove': 'https://a.test' };
  const { module: found } = resolveHooks({ module: writeModule(PLATFORM_HOOKS), urls }, profile);
  assert.deepEqual(found?.hooks, ['platform.users.create', 'platform.users.rename']);
});

test('a hooks module that starts a timer does not prevent the process from ending', () => {
  const { module: found } = resolveHooks({ module: writeModule('setInterval(() => {}, 1000);\nexport function users() {}') }, profile);
  assert.deepEqual(found?.hooks, ['users']);
});
