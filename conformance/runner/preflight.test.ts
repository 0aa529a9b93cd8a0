import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Profile } from '../../src/contract/generated/profile.ts';
import { OPERATION_SCOPES } from '../actors/oauth-parameters.ts';
import { preflight } from './preflight.ts';
import { profileTarget } from './profile-target.ts';

type Reply = readonly [status: number, body?: object];

const EMPTY: Reply = [200, { entities: [] }];
let reply: (path: string, token: string) => Reply;
const server: Server = createServer((request, response) => {
  const [status, body] = reply(`${request.method} ${request.url}`, String(request.headers.authorization).replace('Bearer ', ''));
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
let baseUrl = '';
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => void server.close());

async function run(profile: Profile, behaviour: typeof reply): Promise<void> {
  reply = behaviour;
  await preflight(await profileTarget({ tokens: { full: 'valid' }, ...profile }, { baseUrl }));
}

const withoutScope = Object.fromEntries(OPERATION_SCOPES.map((scope) => [scope, scope])) as Required<
  NonNullable<Profile['tokens']>
>['withoutScope'];
const tokens = {
  full: 'valid',
  reader: 'valid',
  withoutClaim: 'no-claim',
  withoutClaimAndScope: 'no-claim',
  expired: 'expired',
  withoutScope,
};

/** The responses of a correct server that refuses a token without the required scope with 401. */
const correct: typeof reply = (path, token) => {
  const scope = /assignments/.test(path)
    ? 'experience-assignments:manage'
    : /connections/.test(path)
      ? 'experience-connections:manage'
      : 'users:manage';
  const isRefused = token === scope || token === 'expired' || (token === 'no-claim' && scope === 'users:manage');
  return isRefused ? [401] : EMPTY;
};

test('tokens that lack a scope or the claim, and expired tokens, may be refused where the specification requires it', () =>
  run({ tokens }, correct));

test('every token that the server refuses but should accept is reported', () =>
  assert.rejects(
    run({ tokens: { ...tokens, reader: 'bad-token', withoutClaim: 'bad-token' } }, (path, token) =>
      token === 'bad-token' ? [401, { token }] : correct(path, token),
    ),
    {
      name: 'TargetError',
      message: /^tokens\.reader: the server refuses this token\..* with 401: {"token":"…"}\ntokens\.withoutClaim: .*\nReplace the token/,
    },
  ));

test('a token that only one operation refuses is not reported', () => run({}, (path) => (path.includes('/assignments') ? [401] : EMPTY)));

test('a profile without a token is refused', () =>
  assert.rejects(
    run({ tokens: {} }, () => EMPTY),
    /^TargetError: The profile has neither tokens\.full nor authorization/,
  ));

const main = '00000000-0000-4000-8000-000000000001';
const writable: Profile = { accounts: { main }, experiences: { main: 'experience-1' }, allow: { write: true } };

test('an account with empty lists is accepted, because the account may be new', () => run(writable, () => EMPTY));

test('an account is reported as missing if its users list is empty and its other lists are refused', () =>
  assert.rejects(
    run({ accounts: { main } }, (path) => (path.includes('/users') ? EMPTY : [404])),
    { message: new RegExp(`^accounts\\.main: ${main} does not exist, or tokens\\.full may not view it: .* was answered with 404`) },
  ));

test('a server without the lists of assignments and connections is not reported', () =>
  run(writable, (path) => (path.includes('/users') ? [200, { entities: [{ id: 'user-1' }] }] : [404])));

test('a free number of the profile may be in the list of assignments only if its assignment no longer exists', async () => {
  const profile = { ...writable, freeNumbers: ['+12015550100'] };
  const assigned =
    (status: number) =>
    (path: string): Reply =>
      path.includes('assignments/a1')
        ? [status]
        : path.includes('/assignments')
          ? [200, { entities: [{ id: 'a1', targetValue: '+12015550100' }] }]
          : EMPTY;
  await run(profile, assigned(404));
  await assert.rejects(run(profile, assigned(200)), { message: /^\+12015550100 is assigned, but .*\nAnother run may be using it/ });
});

test('each hook is called, and its effect is undone; hooks that create assignments are not called', async () => {
  const seen: string[] = [];
  const url = (name: string) => `${baseUrl}/hooks/${name}`;
  const urls = Object.fromEntries(
    [
      'numbers',
      'numbers.release',
      'portal.assignments.create',
      'portal.assignments.remove',
      'platform.users.create',
      'platform.users.rename',
      'platform.users.remove',
    ].map((name) => [name, url(name)]),
  );
  const answered: typeof reply = (path) => {
    if (path.startsWith('POST')) seen.push(path.replace('POST /hooks/', ''));
    return path.startsWith('POST') ? [200, { telephoneNumber: '+12015550100', userId: 'user-1' }] : [200, { entities: [{}] }];
  };
  await run({ ...writable, freeNumbers: ['+12015550100'], hooks: { urls } }, answered);
  assert.deepEqual(seen, ['numbers', 'numbers.release', 'platform.users.create', 'platform.users.remove']);
  await assert.rejects(
    run({ ...writable, hooks: { urls } }, (path, token) => (path.endsWith('users.create') ? [500] : answered(path, token))),
    { name: 'TargetError', message: /^The hook platform\.users\.create \(POST .*\) failed: the response was 500/ },
  );
});
