import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createArrangement } from '../../../conformance/target/arrangement.ts';
import { createCleanup } from '../../../conformance/target/cleanup.ts';
import { createControl } from '../../../conformance/target/control.ts';
import { createKitCapabilities } from '../../../conformance/target/kit-capabilities.ts';
import { createKit } from '../../kit.ts';
import { freePort } from '../../store/testing/free-port.ts';
import { resolvePackageFile } from '../../world/package-files.ts';
import { listVerdicts, runXpk } from './testing/run-xpk.ts';

/** Each rule uses a hook, or waits until a token or a code expires. Together, the rules use every kind of hook. */
const RULES_WITH_HOOKS = [
  'users.list.rate',
  'users.list.internal',
  'users.list.fail-closed',
  'users.get.current',
  'users.list.eventually-current',
  'users.updated-at-null',
  'oauth.token.valid-to-its-end',
  'oauth.code.short-lived',
  'events.subscription.only-its-experience',
  'events.connection.data.names-experience',
  'events.connection.data.names-provider',
  'events.connection.deactivated.on-portal-action',
  'events.connection.deleted.on-account-deletion',
  'events.assignment.deleted.on-portal-removal',
  'events.assignment.deleted.on-number-deletion',
  'events.provisioning.created.on-platform-create',
  'events.provisioning.deleted.on-portal-delete',
];

test('with a profile and hooks, the suite tests rules that need an operator or a subscription', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'xpk-hooks-'));
  const kit = await createKit({ port: 0, set: { 'oauth.access-token-lifetime': 6, 'oauth.code-lifetime': 3 } });
  t.after(async () => {
    await kit.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const readControl = async (path: string) => (await fetch(`${kit.url}/_control/${path}`)).json();
  const findAlias = async (collection: string, name: string): Promise<string> => {
    const entities = (await readControl(`state/${collection}`)) as Record<string, { name: string }>;
    return Object.keys(entities).findLast((alias) => alias.startsWith('arranged') && entities[alias]?.name === name) ?? '';
  };
  const { need } = createArrangement(
    await createKitCapabilities({
      control: createControl(kit.url),
      name: 'arranged',
      cleanup: createCleanup(),
      disposable: true,
      canReceive: true,
    }),
  );
  const numbers = await need('numbers');
  const listen = `127.0.0.1:${await freePort()}`;
  const profile = {
    baseUrl: kit.url,
    allow: { write: true },
    tokens: { full: await need('token') },
    accounts: { main: await need('account'), second: await need('account.second') },
    experiences: { main: await need('experience'), second: await need('experience.second') },
    users: { readModelBoundMs: await need('users.read-model-bound') },
    freeNumbers: await Promise.all(Array.from({ length: 12 }, numbers)),
    bodies: { connectionCreate: await need('bodies.connectionCreate'), connectionUpdate: await need('bodies.connectionUpdate') },
    authorization: {
      url: `${kit.url}/auth`,
      secretClient: await need('oauth.secret-client'),
      loginHint: await need('oauth.login-hint'),
      codeLifetimeSeconds: 3,
      waitSeconds: 10,
      approve: 'automatic',
    },
    events: { receiver: { publicUrl: `http://${listen}`, listen }, patienceSeconds: 5, graceSeconds: 0.2 },
    hooks: { module: './hooks.mjs' },
  };
  const file = join(folder, 'profile.yaml');
  writeFileSync(file, JSON.stringify(profile));
  // The profile contains a relative path to the hooks module.
  const module = pathToFileURL(resolvePackageFile('conformance/profiles/kit-hooks.mjs')).href;
  writeFileSync(join(folder, 'hooks.mjs'), `export * from ${JSON.stringify(module)};`);
  const before = await readControl('state');
  const run = await runXpk(['--profile', file, '--rule', ...RULES_WITH_HOOKS], {
    XPK_URL: kit.url,
    XPK_PROVIDER: await findAlias('providers', 'Suite'),
    XPK_PRINCIPAL: await findAlias('principals', 'Manager'),
  });
  assert.deepEqual(listVerdicts(run), Object.fromEntries(RULES_WITH_HOOKS.map((rule) => [rule, 'passed'])), run.stdout + run.stderr);
  assert.deepEqual(run.results.leftovers, []);
  assert.deepEqual(await readControl('state'), before);
});
