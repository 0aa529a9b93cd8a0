import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createControl } from '../../../conformance/support/control.ts';
import { kitArrangement } from '../../../conformance/support/kit-arrangement.ts';
import { packageFile } from '../../fixtures/package-files.ts';
import { createKit, type Kit } from '../../kit.ts';
import { judge, verdictsOf } from './testing/run-xpk.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-hooks-'));
let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(async () => {
  await kit.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What an operator's hooks alone make testable. */
const RULES = [
  'users.list.rate',
  'users.list.internal',
  'users.list.fail-closed',
  'users.get.rate',
  'users.get.internal',
  'users.get.fail-closed',
  'users.get.current',
  'users.list.eventually-current',
  'users.updated-at-null',
];

test('with hooks that drive its control API, a kit that a profile describes is judged by what only an operator can do', async () => {
  const { need } = kitArrangement(createControl(kit.url), 'hooks', true);
  const profile = {
    baseUrl: kit.url,
    allow: { write: true },
    tokens: { full: await need('token') },
    accounts: { main: await need('account'), second: await need('account.second') },
    users: { readModelBoundMs: await need('users.read-model-bound') },
  };
  const path = (name: string, members: object) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify({ ...profile, ...members }));
    return file;
  };
  const without = await judge(['--profile', path('without.yaml', {}), '--rule', ...RULES]);
  assert.deepEqual(new Set(Object.values(verdictsOf(without))), new Set(['not-testable']));
  assert.match(
    without.stdout,
    /\n {2}platform\.users +\d rules +the hooks platform\.users\.create, \.rename and \.remove of the profile\n/,
  );

  // As a relative path, from the folder of the profile.
  writeFileSync(
    join(folder, 'hooks.mjs'),
    `export * from ${JSON.stringify(pathToFileURL(packageFile('conformance/profiles/kit-hooks.mjs')).href)};`,
  );
  const hooks = { module: './hooks.mjs' };
  const before = await stateOf();
  const judged = await judge(['--profile', path('with.yaml', { hooks }), '--rule', ...RULES], { XPK_URL: kit.url });
  assert.deepEqual(verdictsOf(judged), Object.fromEntries(RULES.map((rule) => [rule, 'passed'])), judged.stdout + judged.stderr);
  assert.deepEqual(judged.results.leftovers, []);
  assert.deepEqual(await stateOf(), before);
});

async function stateOf(): Promise<unknown> {
  return (await fetch(`${kit.url}/_control/state`)).json();
}
