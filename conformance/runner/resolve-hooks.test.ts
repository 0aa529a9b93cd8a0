import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Profile } from '../../src/contract/generated/profile.ts';
import { resolveHooks } from './resolve-hooks.ts';

type WrittenHooks = NonNullable<Profile['hooks']>;
const folder = mkdtempSync(join(tmpdir(), 'xpk-resolve-hooks-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const profile = join(folder, 'p.yaml');

let written = 0;
function module(text: string): string {
  const name = `hooks-${written++}.mjs`;
  writeFileSync(join(folder, name), text);
  return `./${name}`;
}

const mistakes: [string, () => WrittenHooks, RegExp][] = [
  [
    'there is no such file',
    () => ({ module: './gone.mjs' }),
    /hooks\.module: There is no file \/.*\/gone\.mjs\. The path \.\/gone\.mjs is relative to the profile\.$/,
  ],
  [
    'a mistake in the syntax',
    () => ({ module: module('export function faultUsers( {}\n') }),
    /cannot be loaded: .*hooks-\d+\.mjs:\d[\s\S]*SyntaxError/,
  ],
  [
    'a module that throws',
    () => ({ module: module('throw new Error("no database");') }),
    /cannot be loaded: .*hooks-\d+\.mjs:1\n[\s\S]*Error: no database$/,
  ],
  ['a module that ends the process', () => ({ module: module('process.exit(3);') }), /cannot be loaded: it ended the process with 3$/],
  [
    'a name with a typing mistake',
    () => ({ module: module('export function faultUser() {}') }),
    /exports faultUser, which is not a hook\. Did you mean "faultUsers"\?$/,
  ],
  [
    'another function',
    () => ({ module: module('export default { reset() {} };') }),
    /exports reset, which is not a hook\. The hooks are, in camel case: faultUsers, /,
  ],
  ['no function', () => ({ module: module('export const faultUsers = true;') }), /exports no function that is a hook\. The hooks are/],
];
for (const [what, hooks, reason] of mistakes) {
  test(`hooks are refused with a reason: ${what}`, () =>
    assert.throws(() => resolveHooks(hooks(), profile), { name: 'TargetError', message: reason }));
}

test('a module that starts a timer does not keep the command from ending', () => {
  const { module: found } = resolveHooks({ module: module('setInterval(() => {}, 1000);\nexport function users() {}') }, profile);
  assert.deepEqual(found?.hooks, ['users']);
});

test('the example for a kit can be loaded', () => {
  const { module: found } = resolveHooks({ module: fileURLToPath(new URL('../profiles/kit-hooks.mjs', import.meta.url)) }, profile);
  assert.ok(found?.hooks.includes('fault.users') && found.hooks.includes('platform.users.create'));
});
