import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Profile } from '../../src/contract/generated/profile.ts';
import { listen } from '../../src/store/testing/listen.ts';
import { createArrangement } from './arrangement.ts';
import { createCleanup } from './cleanup.ts';
import { createHookCalls, type HookCalls } from './hook-calls.ts';
import { createHookCapabilities } from './hook-capabilities.ts';
import { HOOK_NAMES, HOOKS, type HookName, type HookSettings } from './hooks.ts';
import { createProfileCapabilities } from './profile-capabilities.ts';

const HOOK_RESPONSES: Readonly<Partial<Record<HookName, object>>> = {
  'platform.users.create': { userId: 'user-1' },
  numbers: { telephoneNumber: '+12065550100' },
  users: { userId: 'user-2' },
  'experiences.unconnected': { experienceId: 'experience-1' },
  'token.expired': { accessToken: 'token-1' },
};
const MODULE_SOURCE = `export const asked = globalThis.askedOfHooks = [];
const answers = ${JSON.stringify(HOOK_RESPONSES)};
const hook = (name) => (body) => { asked.push([name, body]); return answers[name]; };
export const faultUsers = hook('fault.users');
export const numbers = async (body) => hook('numbers')(body);
export default { ${HOOK_NAMES.filter((name) => name !== 'fault.users' && name !== 'numbers')
  .map((name) => `'${name}': hook('${name}')`)
  .join(', ')} };`;

const folder = mkdtempSync(join(tmpdir(), 'xpk-hook-calls-'));
const postedBodies: [string, unknown][] = [];
let sent: Record<string, unknown> = {};
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const name = request.url?.slice(1).split('?')[0] as HookName;
  sent = { method: request.method, ...request.headers };
  if (name in HOOKS) postedBodies.push([name, JSON.parse(Buffer.concat(chunks).toString())]);
  if (request.url?.startsWith('/refuse')) return void response.writeHead(500).end('out of order');
  if (request.url?.startsWith('/wrong')) return void response.end('{"id":"user-1"}');
  const answer = HOOK_RESPONSES[name];
  response.writeHead(answer ? 201 : 204).end(answer && JSON.stringify(answer));
});
const { url: origin, close } = await listen(server);
after(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

function createModuleSettings(text: string, hooks: readonly HookName[] = HOOK_NAMES): HookSettings {
  const path = join(mkdtempSync(join(folder, 'module-')), 'hooks.mjs');
  writeFileSync(path, text);
  return { module: { url: pathToFileURL(path).href, shown: './hooks.mjs', hooks }, urls: {}, headers: {} };
}
const createModuleHooks = (...module: Parameters<typeof createModuleSettings>) => createHookCalls(createModuleSettings(...module), 5000);

function createUrlHooks(urls: HookSettings['urls'], headers: HookSettings['headers'] = {}): HookCalls {
  return createHookCalls({ urls, headers }, 5000);
}

function createTestArrangement(hooks: HookCalls, profile: Profile = {}, cleanup = createCleanup()) {
  const given = createProfileCapabilities({ accounts: { main: 'account-1' }, ...profile });
  return createArrangement({ ...given, ...createHookCapabilities(hooks, cleanup, given) });
}

async function callHooks(hooks: HookCalls): Promise<unknown[]> {
  const cleanup = createCleanup();
  const { need } = createTestArrangement(hooks, {}, cleanup);
  await (await need('fault.users'))('getUser', 500, { userId: 'user-0' });
  const platform = await need('platform.users');
  const userId = await platform.create('account-1', { firstName: 'Ann' });
  await platform.rename(userId, 'Beth');
  const got = [userId, await (await need('numbers'))(), await (await need('users'))(), await (await need('experiences.unconnected'))()];
  got.push(await need('token.expired'));
  await cleanup.run();
  return got;
}

const RETURNED_VALUES = ['user-1', '+12065550100', 'user-2', 'experience-1', 'token-1'];
const EXPECTED_CALLS = [
  ['fault.users', { operation: 'getUser', status: 500, userId: 'user-0' }],
  ['platform.users.create', { accountId: 'account-1', firstName: 'Ann' }],
  ['platform.users.rename', { userId: 'user-1', firstName: 'Beth' }],
  ['numbers', { accountId: 'account-1' }],
  ['users', { accountId: 'account-1' }],
  ['experiences.unconnected', {}],
  ['token.expired', {}],
  // The cleanup releases the values in reverse order.
  ['experiences.unconnected.release', { experienceId: 'experience-1' }],
  ['users.release', { userId: 'user-2' }],
  ['numbers.release', { telephoneNumber: '+12065550100' }],
];

test('a module exports hooks by their camel-case names or in its default export, and the cleanup calls the release hooks', async () => {
  assert.deepEqual(await callHooks(createModuleHooks(MODULE_SOURCE)), RETURNED_VALUES);
  assert.deepEqual(Reflect.get(globalThis, 'askedOfHooks'), EXPECTED_CALLS);
});

test('hooks at URLs get the same bodies as hooks in a module, and the cleanup calls the release hooks', async () => {
  const urls = Object.fromEntries(HOOK_NAMES.map((name) => [name, `${origin}/${name}`]));
  assert.deepEqual(await callHooks(createUrlHooks(urls, { 'x-operator': 'me' })), RETURNED_VALUES);
  assert.deepEqual(postedBodies, EXPECTED_CALLS);
  assert.deepEqual([sent.method, sent['content-type'], sent['x-operator']], ['POST', 'application/json', 'me']);
});

test('a capability needs a hook or a profile member, and the hook takes precedence', async () => {
  const { has, need } = createTestArrangement(createModuleHooks(MODULE_SOURCE, ['numbers']), { freeNumbers: ['+12065550199'] });
  assert.deepEqual([has('numbers'), has('users'), has('fault.users'), has('platform.users')], [true, false, false, false]);
  assert.equal(await (await need('numbers'))(), '+12065550100');
});

test('the facts about an Experience come from the hook that returned the Experience, or else from the profile', async () => {
  const hook = (members: string) =>
    createModuleHooks(`export const experiencesUnconnected = () => (${members});`, ['experiences.unconnected']);
  const known = { name: 'Concierge', providerId: 'acme' };
  const facts = { 'experience-2': { name: 'Other', providerId: 'acme' } };
  const { need } = createTestArrangement(hook(JSON.stringify({ experienceId: 'experience-1', ...known })), { experiences: { facts } });
  await (await need('experiences.unconnected'))();
  const factsOf = await need('experience.facts');
  assert.deepEqual([await factsOf('EXPERIENCE-1'), await factsOf('experience-2')], [known, facts['experience-2']]);
  await assert.rejects(hook('{ experienceId: "experience-1", name: "Concierge" }').call('experiences.unconnected'), {
    message:
      /failed: it must return \{"experienceId":"…","name":"…","providerId":"…"\}, not \{"experienceId":"experience-1","name":"Concierge"\}$/,
  });
});

const FAULTS: [what: string, call: () => Promise<unknown>, reason: RegExp][] = [
  [
    'responds with an error',
    () => createUrlHooks({ 'fault.users': `${origin}/refuse?key=secret` }).call('fault.users'),
    /^The hook fault\.users \(POST http:\/\/127\.0\.0\.1:\d+\/refuse\) failed: the response was 500: out of order$/,
  ],
  [
    'does not respond',
    () => createUrlHooks({ users: 'http://127.0.0.1:1/users' }).call('users'),
    /^The hook users \(POST http:\/\/127\.0\.0\.1:1\/users\) failed: fetch failed \(/,
  ],
  [
    'returns an object of a different shape',
    () => createUrlHooks({ users: `${origin}/wrong` }).call('users'),
    /^The hook users \(POST .*\/wrong\) failed: it must return \{"userId":"…"\}, not \{"id":"user-1"\}$/,
  ],
  [
    'throws',
    () => createModuleHooks('export function faultUsers() { throw new Error("no rights") }').call('fault.users'),
    /^The hook fault\.users \(in \.\/hooks\.mjs\) failed: no rights$/,
  ],
];
for (const [what, call, reason] of FAULTS)
  test(`the error names the hook and the module or URL if the hook ${what}`, () =>
    assert.rejects(call(), { name: 'HookError', message: reason }));

test("each call extends the check's timeout, and a function that never returns is an error", async () => {
  const allowed: number[] = [];
  const hooks = createHookCalls(
    { ...createModuleSettings('export const users = () => new Promise(() => {});', ['users']), urls: { numbers: `${origin}/numbers` } },
    5000,
    { moduleMs: 20, allow: (ms) => allowed.push(ms) },
  );
  await hooks.call('numbers', 'account-1');
  await assert.rejects(hooks.call('users', 'account-1'), {
    name: 'HookError',
    message: 'The hook users (in ./hooks.mjs) failed: the call took longer than 0.02 s',
  });
  assert.deepEqual(allowed, [5000, 20]);
});
