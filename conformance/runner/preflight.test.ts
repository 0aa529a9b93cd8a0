import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import type { Profile } from '../../src/contract/generated/profile.ts';
import { listen } from '../../src/store/testing/listen.ts';
import { SCOPES } from '../target/capabilities.ts';
import { preflight } from './preflight.ts';
import { resolveProfileTarget } from './profile-target.ts';

type ServerReply = readonly [status: number, body?: object];

const EMPTY_PAGE: ServerReply = [200, { entities: [] }];
let currentReply: (path: string, token: string) => ServerReply;
const server = createServer((request, response) => {
  const [status, body] = currentReply(`${request.method} ${request.url}`, String(request.headers.authorization).replace('Bearer ', ''));
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
const { url: baseUrl, close } = await listen(server);
after(close);

async function runPreflight(profile: Profile, behaviour: typeof currentReply): Promise<void> {
  currentReply = behaviour;
  await preflight(await resolveProfileTarget({ tokens: { full: 'valid' }, ...profile }, { baseUrl }));
}

const withoutScope = Object.fromEntries(SCOPES.map((scope) => [scope, scope])) as Required<NonNullable<Profile['tokens']>>['withoutScope'];
const tokens = {
  full: 'valid',
  reader: 'valid',
  withoutClaim: 'no-claim',
  withoutClaimAndScope: 'no-claim',
  expired: 'expired',
  withoutScope,
};

const replyCorrectly: typeof currentReply = (path, token) => {
  const scope = /assignments/.test(path)
    ? 'experience-assignments:manage'
    : /connections/.test(path)
      ? 'experience-connections:manage'
      : 'users:manage';
  const isRefused = token === scope || token === 'expired' || (token === 'no-claim' && scope === 'users:manage');
  return isRefused ? [401] : EMPTY_PAGE;
};

test('a server may refuse an expired token, and a token without a required scope or claim', () => runPreflight({ tokens }, replyCorrectly));

test('preflight reports every valid token that the server refuses', () =>
  assert.rejects(
    runPreflight({ tokens: { ...tokens, reader: 'bad-token', withoutClaim: 'bad-token' } }, (path, token) =>
      token === 'bad-token' ? [401, { token }] : replyCorrectly(path, token),
    ),
    {
      name: 'TargetError',
      message:
        /^tokens\.reader: the server refuses this token\..* with 401: {"token":"…"}\ntokens\.withoutClaim: .*\nReplace or remove the token/,
    },
  ));

test('preflight refuses a profile without a token', () =>
  assert.rejects(
    runPreflight({ tokens: {} }, () => EMPTY_PAGE),
    /^TargetError: The profile has neither tokens\.full nor authorization/,
  ));

const mainAccount = '00000000-0000-4000-8000-000000000001';
const writableProfile: Profile = { accounts: { main: mainAccount }, experiences: { main: 'experience-1' }, allow: { write: true } };

test('preflight accepts an account with empty lists, because the account may be new', () =>
  runPreflight(writableProfile, () => EMPTY_PAGE));

test('an account is reported as missing if its users list is empty and its other lists are refused', () =>
  assert.rejects(
    runPreflight({ accounts: { main: mainAccount } }, (path) => (path.includes('/users') ? EMPTY_PAGE : [404])),
    { message: new RegExp(`^accounts\\.main: ${mainAccount} does not exist, or tokens\\.full may not view it: .* was answered with 404`) },
  ));

test('preflight accepts a server that answers 404 to requests for the lists of assignments and connections', () =>
  runPreflight(writableProfile, (path) => (path.includes('/users') ? [200, { entities: [{ id: 'user-1' }] }] : [404])));

test('preflight reports a number in freeNumbers only if an assignment of the number, on any page of the list, still exists', async () => {
  const profile = { ...writableProfile, freeNumbers: ['+12015550100'] };
  const replyWithAssignment =
    (status: number) =>
    (path: string): ServerReply => {
      if (path.includes('assignments/a1')) return [status];
      if (!path.includes('/assignments')) return EMPTY_PAGE;
      return path.includes('cursor=next')
        ? [200, { entities: [{ id: 'a1', targetValue: '+12015550100' }], cursor: null }]
        : [200, { entities: [{ id: 'a2', targetValue: '+12015550199' }], cursor: 'next' }];
    };
  await runPreflight(profile, replyWithAssignment(404));
  await assert.rejects(runPreflight(profile, replyWithAssignment(200)), {
    message: /^\+12015550100 is assigned, but .*\nAnother run may be using it/,
  });
});

test('preflight calls each hook that needs only values of the profile, and undoes its effect', async () => {
  const seen: string[] = [];
  const createHookUrl = (name: string) => `${baseUrl}/hooks/${name}`;
  const urls = Object.fromEntries(
    [
      'numbers',
      'numbers.release',
      'portal.assignments.create',
      'portal.assignments.remove',
      'platform.users.create',
      'platform.users.rename',
      'platform.users.remove',
    ].map((name) => [name, createHookUrl(name)]),
  );
  const listAnsweredRequests: typeof currentReply = (path) => {
    if (path.startsWith('POST')) seen.push(path.replace('POST /hooks/', ''));
    return path.startsWith('POST') ? [200, { telephoneNumber: '+12015550100', userId: 'user-1' }] : [200, { entities: [{}] }];
  };
  await runPreflight({ ...writableProfile, freeNumbers: ['+12015550100'], hooks: { urls } }, listAnsweredRequests);
  assert.deepEqual(seen, ['numbers', 'numbers.release', 'platform.users.create', 'platform.users.remove']);
  await assert.rejects(
    runPreflight({ ...writableProfile, hooks: { urls } }, (path, token) =>
      path.endsWith('users.create') ? [500] : listAnsweredRequests(path, token),
    ),
    { name: 'TargetError', message: /^The hook platform\.users\.create \(POST .*\) failed: the response was 500/ },
  );
});
