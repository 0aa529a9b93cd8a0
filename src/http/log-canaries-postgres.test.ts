import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { createBrowser } from '../oauth/server/testing/browser.ts';
import { createEmptyDatabase } from '../store/testing/postgres.ts';
import { createFlow } from '../testing/oauth-flow.ts';
import { startKitProcess } from './testing/kit-process.ts';
import { sendRaw } from './testing/raw-client.ts';

const createSecret = (name: string): string => `canary-${name}-${randomBytes(9).toString('hex')}`;

/** Secrets that must not be logged. Each secret is sent to the kit in a different way. */
const canaries = {
  clientSecret: createSecret('client-secret'),
  controlToken: createSecret('control-token'),
  wrongControlToken: createSecret('wrong-control-token'),
  databasePassword: createSecret('database-password'),
  opaqueToken: createSecret('opaque-token'),
  query: createSecret('query'),
  cursor: createSecret('cursor'),
  header: createSecret('header'),
  body: createSecret('body'),
  malformedBody: createSecret('malformed-body'),
  nonsense: createSecret('nonsense'),
  /** After `breakTheDatabase`, the database refuses a row with this number. */
  telephoneNumber: `+1999${String(randomBytes(6).readUIntBE(0, 6) % 1e10).padStart(10, '7')}`,
};

const canaryWorld = {
  world: 'canaries',
  providers: { provider: { name: 'Provider' } },
  experiences: { experience: { provider: 'provider', name: 'Experience', type: 'GENERAL' } },
  accounts: { account: { name: 'Account' } },
  telephoneNumbers: { [canaries.telephoneNumber]: { account: 'account' } },
  users: { user: { account: 'account', firstName: 'User' } },
  principals: { principal: { name: 'Principal', accounts: { account: 'manage' } } },
  clients: {
    client: { provider: 'provider', name: 'Client', secret: canaries.clientSecret, redirectUris: ['http://127.0.0.1:3000/callback'] },
  },
  tokens: { full: { client: 'client', principal: 'principal' } },
};

const folder = await mkdtemp(join(tmpdir(), 'xpk-canaries-'));
const world = join(folder, 'world.json');
await writeFile(world, JSON.stringify(canaryWorld));
const owner = new URL(await createEmptyDatabase());
const database = await createDatabaseUser('canary', canaries.databasePassword);
const kit = startKitProcess(['--fixtures', world, '--login', 'auto'], { XPK_DATABASE: database, XPK_CONTROL_TOKEN: canaries.controlToken });
after(() => rm(folder, { recursive: true }));

const { url, tokens } = await kit.started();
const { full = '' } = tokens;
const mintedToken = (await control<{ accessToken: string }>('/tokens', { client: 'client', principal: 'principal' })).accessToken;
const statuses = new Set<number>();
const issuedSecrets: Record<string, string> = {};
await sendValidRequests();
await sendInvalidRequests();
const failing = await logIn();
await breakTheDatabase();
await sendValidRequests();
await failing();
await kit.stop();

test('each response, refusal and unexpected failure has a log entry with a trace id', () => {
  for (const message of ['a request was answered', 'a request was refused', 'a request failed unexpectedly']) {
    assert.match(kit.written.stderr, new RegExp(`"traceId":"[0-9a-f]{32}".*"msg":"${message}"`));
  }
  assert.deepEqual(
    [200, 201, 400, 401, 403, 422, 500].filter((status) => !statuses.has(status)),
    [],
  );
});

test("the kit's output contains no secret, even at level debug and after unexpected failures", () => {
  const written = kit.written.stdout + kit.written.stderr;
  const secrets = { ...canaries, ...tokens, ...issuedSecrets, mintedToken, signature: full.split('.')[2]!, claims: full.split('.')[1]! };
  assert.deepEqual(findLoggedSecrets(written, secrets), []);
});

function findLoggedSecrets(text: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.keys(secrets).filter((name) => text.includes(secrets[name]!) || text.includes(encodeURIComponent(secrets[name]!)));
}

async function createDatabaseUser(user: string, password: string): Promise<string> {
  const client = new pg.Client({ connectionString: owner.href });
  await client.connect();
  await client.query(`create role ${user} login password '${password}'; alter database "${owner.pathname.slice(1)}" owner to ${user}`);
  await client.query(`alter schema public owner to ${user}`);
  await client.end();
  return Object.assign(new URL(owner), { username: user, password }).href;
}

async function control<Body>(path: string, body?: object): Promise<Body> {
  const headers = { 'content-type': 'application/json', 'x-control-token': canaries.controlToken };
  const response = await fetch(`${url}/_control${path}`, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
  return (await response.json()) as Body;
}

type SentRequest = readonly [method: string, path: string, token: string, body?: unknown, headers?: Readonly<Record<string, string>>];

async function send(...requests: readonly SentRequest[]): Promise<void> {
  const own = { cookie: `a=${canaries.header}`, 'x-canary': canaries.header, 'content-type': 'application/json' };
  for (const [method, path, token, body, headers] of requests) {
    const sent = typeof body === 'object' ? JSON.stringify(body) : (body as string | undefined);
    const all = { authorization: `Bearer ${token}`, ...own, ...headers };
    const response = await fetch(url + path, { method, headers: all, ...(sent !== undefined && { body: sent }) });
    statuses.add(response.status);
    await response.text();
  }
}

async function sendValidRequests(): Promise<void> {
  const [experience] = Object.values(await control<Record<string, { id: string }>>('/state/experiences'));
  const [account] = Object.values(await control<Record<string, { id: string }>>('/state/accounts'));
  const [experienceId, accountId, comment] = [experience?.id, account?.id, canaries.body];
  const target = { targetType: 'PHONE_NUMBER', targetValue: canaries.telephoneNumber };
  await send(
    ['GET', `/users?accountId=${accountId}&unknown=${canaries.query}&access_token=${canaries.query}`, mintedToken],
    ['GET', `/experience/assignments?${new URLSearchParams(target)}`, full],
    ['GET', `/experience-connections?${new URLSearchParams({ telephoneNumber: canaries.telephoneNumber })}`, full],
    ['POST', '/experience/assignments', full, { experienceId, ...target, comment }],
    ['POST', '/experience/connections', full, { experienceId, accountId, comment }],
  );
}

async function sendInvalidRequests(): Promise<void> {
  const { query, cursor, opaqueToken, malformedBody, body, controlToken, wrongControlToken, header, nonsense } = canaries;
  await send(
    ['GET', `/users?accountId=${query}`, full],
    ['GET', `/users?accountId=x&cursor=${cursor}&cursor=${cursor}`, full],
    ['GET', `/users?secret=${query}`, opaqueToken],
    ['GET', '/users', `${full.slice(0, -4)}AAAA`],
    ['POST', '/experience/assignments', full, `{"a": ${malformedBody}`],
    ['POST', '/experience/assignments', full, { experienceId: body, targetType: body }],
    ['POST', '/experience/assignments', full, body, { 'content-encoding': 'gzip' }],
    ['POST', '/_control/tokens', full, { client: body }, { 'x-control-token': controlToken }],
    ['GET', '/_control/info', full, undefined, { 'x-control-token': wrongControlToken }],
    ['GET', `/_control/info?token=${query}`, wrongControlToken],
    ['GET', '/_control/info', full, undefined, { origin: `https://${header}.example` }],
  );
  for (const bytes of [
    `${nonsense}\r\n\r\n`,
    `GET /users?${query} HTTP/1.1\r\n\r\n`,
    `GET /users?${query} HTTP/1.1\r\nHost: localhost\r\nExpect: ${header}\r\n\r\n`,
    `GET /users HTTP/1.1\r\nHost: ${nonsense}.example\r\n\r\n`,
    `GET /users HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${opaqueToken}\r\n${nonsense}\r\n\r\n`,
  ]) {
    const { responses } = await sendRaw({ port: Number(new URL(url).port), bytes });
    statuses.add(responses[0]?.status ?? 0);
  }
}

/** Drops tables, and adds a constraint that every assignment violates, because PostgreSQL's error for a violation contains the row. */
async function breakTheDatabase(): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query('delete from assignments; alter table assignments add constraint refuses_all check (false)');
  await client.query('drop table user_list; drop table connections; drop table oauth_artifacts');
  await client.end();
}

/** @returns a function that sends more requests, and expects them to fail because of `breakTheDatabase` */
async function logIn(): Promise<() => Promise<void>> {
  const { clients } = await control<{ clients: Record<string, { id: string }> }>('/state');
  const secret = { client_secret: canaries.clientSecret };
  const client = createFlow(`${url}/auth`, 'client', clients.client!.id);
  const changes = { login_hint: canaries.telephoneNumber, state: canaries.query };
  const code = await client.obtainAuthorizationCode(changes);
  const { access_token: accessToken, refresh_token: refreshToken } = (await client.exchange(code, secret)).body;
  const refreshed = (await client.refresh(refreshToken, secret)).body;
  Object.assign(issuedSecrets, { code, verifier: client.verifier, accessToken, refreshToken });
  Object.assign(issuedSecrets, { secondAccessToken: refreshed.access_token, secondRefreshToken: refreshed.refresh_token });
  await client.exchange(code, secret);
  await client.exchange(canaries.body, { ...secret, code_verifier: canaries.body });
  await client.exchange('x', { client_assertion: canaries.body }, { authorization: `Basic ${canaries.header}` });
  await client.refresh(refreshToken, { client_secret: canaries.wrongControlToken });
  await client.authorize({ ...changes, redirect_uri: `https://${canaries.header}.example` });
  await createBrowser().open(`${url}/auth/interaction/${canaries.query}`, { headers: { cookie: `xpk_interaction=${canaries.header}` } });
  return async () => {
    const failed = [
      await client.exchange(code, secret),
      await client.authorize(changes),
      await client.refresh(issuedSecrets.secondRefreshToken, secret),
    ];
    assert.deepEqual(
      failed.map(({ status }) => status),
      [500, 500, 500],
    );
  };
}
