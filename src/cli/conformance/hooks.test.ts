import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createArrangement } from '../../../conformance/target/arrangement.ts';
import { createCleanup } from '../../../conformance/target/cleanup.ts';
import { createControl } from '../../../conformance/target/control.ts';
import { kitCapabilities } from '../../../conformance/target/kit-capabilities.ts';
import { createKit, type Kit } from '../../kit.ts';
import { freePort } from '../../store/testing/free-port.ts';
import { packageFile } from '../../world/package-files.ts';
import { runXpk, verdictsOf } from './testing/run-xpk.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-hooks-'));
let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(async () => {
  await kit.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Creates entities in the kit, whose ids the test writes to a profile. */
const arrangementFor = async (name: string) =>
  createArrangement(
    await kitCapabilities({ control: createControl(kit.url), name, cleanup: createCleanup(), disposable: true, canReceive: true }),
  );

/** Rules that can be tested only with hooks. */
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

test('with hooks that use its control API, a kit with a profile can be tested for rules that need an operator', async () => {
  const { need } = await arrangementFor('hooks');
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
  const without = await runXpk(['--profile', path('without.yaml', {}), '--rule', ...RULES]);
  assert.deepEqual(new Set(Object.values(verdictsOf(without))), new Set(['not-testable']));
  assert.match(
    without.stdout,
    /\n {2}platform\.users +\d rules +the hooks platform\.users\.create, \.rename and \.remove of the profile\n/,
  );

  // Next to the profile, because the path of the module is relative to the profile.
  writeFileSync(
    join(folder, 'hooks.mjs'),
    `export * from ${JSON.stringify(pathToFileURL(packageFile('conformance/profiles/kit-hooks.mjs')).href)};`,
  );
  const hooks = { module: './hooks.mjs' };
  const before = await stateOf();
  const run = await runXpk(['--profile', path('with.yaml', { hooks }), '--rule', ...RULES], { XPK_URL: kit.url });
  assert.deepEqual(verdictsOf(run), Object.fromEntries(RULES.map((rule) => [rule, 'passed'])), run.stdout + run.stderr);
  assert.deepEqual(run.results.leftovers, []);
  assert.deepEqual(await stateOf(), before);
});

/** Rules about events: at least one for each kind of hook. */
const EVENT_RULES = [
  'events.subscription.only-its-experience',
  'events.connection.deactivated.on-portal-action',
  'events.connection.deleted.on-account-deletion',
  'events.assignment.deleted.on-portal-removal',
  'events.assignment.deleted.on-number-deletion',
  'events.provisioning.created.on-platform-create',
  'events.provisioning.deleted.on-portal-delete',
];

test('with hooks that subscribe and act as the portal and the platform, a kit with a profile can be tested for its events', async () => {
  const { need } = await arrangementFor('event-hooks');
  const numbers = await need('numbers');
  const port = await freePort();
  const profile = {
    baseUrl: kit.url,
    allow: { write: true },
    tokens: { full: await need('token') },
    accounts: { main: await need('account'), second: await need('account.second') },
    experiences: {
      main: await need('experience'),
      second: await need('experience.second'),
    },
    freeNumbers: await Promise.all(Array.from({ length: 12 }, numbers)),
    bodies: { connectionCreate: await need('bodies.connectionCreate'), connectionUpdate: await need('bodies.connectionUpdate') },
    events: { receiver: { publicUrl: `http://127.0.0.1:${port}`, listen: `127.0.0.1:${port}` }, patienceSeconds: 5, graceSeconds: 0.2 },
    hooks: { module: packageFile('conformance/profiles/kit-hooks.mjs') },
  };
  const file = join(folder, 'events.yaml');
  writeFileSync(file, JSON.stringify(profile));
  const [provider, principal] = [await aliasOf('providers', 'Suite'), await aliasOf('principals', 'Manager')];
  const before = await stateOf();
  const run = await runXpk(['--profile', file, '--rule', ...EVENT_RULES], {
    XPK_URL: kit.url,
    XPK_PROVIDER: provider,
    XPK_PRINCIPAL: principal,
  });
  assert.deepEqual(verdictsOf(run), Object.fromEntries(EVENT_RULES.map((rule) => [rule, 'passed'])), run.stdout + run.stderr);
  assert.deepEqual(run.results.leftovers, []);
  assert.deepEqual(await stateOf(), before);
});

/** The alias of the entity with the name that `arrangementFor` created last. */
async function aliasOf(collection: string, name: string): Promise<string> {
  const entities = (await (await fetch(`${kit.url}/_control/state/${collection}`)).json()) as Record<string, { name: string }>;
  return Object.keys(entities).findLast((alias) => alias.startsWith('event-hooks') && entities[alias]?.name === name) ?? '';
}

async function stateOf(): Promise<unknown> {
  return (await fetch(`${kit.url}/_control/state`)).json();
}
