import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createKit } from '../kit.ts';
import { world } from '../testing/event-lab.ts';
import { XPK_FILE } from '../testing/tested-package.ts';
import type { World } from '../world/world.ts';
import { collectBannerFacts, formatBanner } from './banner.ts';
import { isOnlyCommandOfScript } from './npm-signals.ts';
import { describeKeptWorld } from './start.ts';
import { startXpk, waitForExit } from './testing/processes.ts';
import { run } from './testing/run.ts';

test('xpk start accepts options from environment variables, prints its address and tokens, and ends on a signal', async () => {
  const server = startXpk(['start', '--json'], { XPK_PORT: '0', XPK_SET: 'assignments.create.duplicate=422 lists.order=newest-first' });
  const [line] = await once(createInterface({ input: server.stdout! }), 'line');
  const { url, authUrl, tokens } = JSON.parse(line);
  assert.equal(authUrl, `${url}/auth`);
  const { decisions } = (await (await fetch(`${url}/_control/info`)).json()) as { decisions: Record<string, unknown> };
  assert.deepEqual([decisions['assignments.create.duplicate'], decisions['lists.order']], [422, 'newest-first']);
  const requestUser = async (token: string) =>
    (await fetch(`${url}/users/2065550001`, { headers: { authorization: `Bearer ${token}` } })).status;
  const order = ['token', '--url', url, '--client', 'acme-web', '--principal', 'manager'];
  assert.equal(await requestUser(tokens.full), 200);
  assert.equal((await run('token', 'reader', '--url', url)).stdout, tokens.reader);
  assert.equal(await requestUser((await run(...order, '--scope', 'users:manage', '--expires-in', '60')).stdout), 200);
  assert.equal(await requestUser((await run(...order, '--kind', 'expired')).stdout), 401);
  server.kill('SIGTERM');
  assert.deepEqual(await once(server, 'exit'), [0, null]);
});

test('with --drain, a kit handles requests after a stop signal, reports draining, and closes each connection after its response', async () => {
  const server = startXpk(['start', '--json', '--port', '0', '--drain', '2s']);
  const [line] = await once(createInterface({ input: server.stdout! }), 'line');
  const { url, tokens } = JSON.parse(line);
  const requestHealth = () => fetch(`${url}/_control/health`);
  assert.equal((await requestHealth()).status, 200);
  server.kill('SIGTERM');
  // The kit may respond with 200 until it receives the signal.
  let response = await requestHealth();
  while (response.status === 200) response = await requestHealth();
  assert.deepEqual([response.status, response.headers.get('connection')], [503, 'close']);
  assert.equal(((await response.json()) as { status: string }).status, 'draining');
  const user = await fetch(`${url}/users/2065550001`, { headers: { authorization: `Bearer ${tokens.full}` } });
  assert.deepEqual([user.status, (await fetch(`${url}/_control/health/live`)).status], [200, 200]);
  assert.deepEqual(await once(server, 'exit'), [0, null]);
});

test('with --watch, a saved world file becomes the world and what a reset restores, and a file with mistakes does not', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'xpk-watch-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'ours.yaml');
  const save = (accounts: string) => writeFileSync(file, `world: ours\naccounts: { ${accounts} }\n`);
  save('one: { name: One }');
  const server = startXpk(['start', '--json', '--port', '0', '--watch', '--fixtures', file]);
  t.after(() => server.kill());
  const [line] = await once(createInterface({ input: server.stdout! }), 'line');
  const { url } = JSON.parse(line);
  const stderr = createInterface({ input: server.stderr! })[Symbol.asyncIterator]();
  const readLine = async () => (await stderr.next()).value as string;
  const call = async (method: string, path: string, body?: object) =>
    (await fetch(`${url}/_control${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).then((response) => response.json())) as { entities: { accounts: number } };
  const countAccounts = async () => (await call('GET', '/world')).entities.accounts;

  await call('POST', '/state/accounts', { alias: 'extra', name: 'Extra' });
  save('one: { name: One }, two: { name: Two }, three: { name: Three }');
  assert.equal(await readLine(), `${file}: The world is now ours: 3 accounts. Lost: 1 change, all logins and faults.`);
  assert.equal(await countAccounts(), 3);
  save('one: { name: 1 }');
  assert.match(await readLine(), /ours\.yaml:2:\d+: .* must be a string/);
  assert.equal(await readLine(), 'The kit keeps the world ours.');
  assert.equal((await call('POST', '/reset', { to: 'seed' })).entities.accounts, 3);
});

test('--watch without a world file is refused', async () => {
  const { status, stderr } = await run('start', '--watch', '--fixtures', 'demo');
  assert.deepEqual([status, stderr], [2, 'xpk: --watch needs a world file: xpk start --watch --fixtures our-world.yaml']);
});

test('a world with more than 100,000 users is in a temporary file, of which nothing remains after SIGTERM', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'xpk-large-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [fixtures, temporary] = [join(folder, 'large.json'), join(folder, 'temporary')];
  mkdirSync(temporary);
  const users = [{ alias: 'user', account: 'customer', count: 100_001 }];
  writeFileSync(fixtures, JSON.stringify({ world: 'large', accounts: { customer: { name: 'Customer' } }, generate: { users } }));
  const server = startXpk(['start', '--json', '--port', '0', '--fixtures', fixtures], {
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
  });
  await once(createInterface({ input: server.stdout! }), 'line');
  if (process.platform === 'linux') {
    const descriptors = `/proc/${server.pid}/fd`;
    const isWorld = (descriptor: string) => {
      try {
        return /world\.db \(deleted\)$/.test(readlinkSync(join(descriptors, descriptor)));
      } catch {
        return false; // The kit has closed this file.
      }
    };
    assert.ok(readdirSync(descriptors).some(isWorld));
  }
  server.kill('SIGTERM');
  await once(server, 'exit');
  assert.deepEqual(readdirSync(temporary), []);
});

test('if the store already has a world, the notice says which world a reset would load', () => {
  const notice = 'kit.db already has the world "staging", so the kit uses the stored world.';
  assert.equal(
    describeKeptWorld('staging', { data: 'kit.db' }),
    `${notice} xpk reset loads the demo world instead, unless you start with --fixtures.`,
  );
  assert.equal(describeKeptWorld('staging', { data: 'kit.db', fixtures: 'local.yaml' }), `${notice} xpk reset loads local.yaml.`);
});

test('after Ctrl-C the exit status is 130', async () => {
  const server = startXpk(['start', '--json', '--port', '0']);
  await once(createInterface({ input: server.stdout! }), 'line');
  server.kill('SIGINT');
  assert.deepEqual(await once(server, 'exit'), [130, null]);
});

test('SIGTERM to npx also ends the kit that npx started', { skip: process.platform === 'win32' }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'xpk-npx-'));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, 'node_modules/.bin/xpk'), `#!/bin/sh\nexec '${process.execPath}' '${XPK_FILE}' "$@"\n`, { mode: 0o755 });
  const command = ['--offline', 'xpk', 'start', '--json', '--port', '0'];
  const npx = spawn('npx', command, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  t.after(() => {
    if (npx.stdout.readable) process.kill(-npx.pid!, 'SIGKILL');
    rmSync(folder, { recursive: true });
  });
  await once(createInterface({ input: npx.stdout }), 'line');
  npx.kill('SIGTERM');
  // The event occurs when all processes that write to standard output have ended.
  await once(npx, 'close', { signal: t.signal });
});

const SCRIPTS: Readonly<Record<string, boolean>> = {
  xpk: true,
  "'xpk'": true,
  'xpk start --port 4020': true,
  'XPK_PORT=4020 node_modules/.bin/xpk start > kit.log': true,
  'xpk exec -- npm run e2e': true,
  'node src/cli/xpk.cjs start': true,
  '': false,
  'xpk start &': false,
  'xpk start & vitest': false,
  'nohup xpk start': false,
  vitest: false,
  'node start-kit.js xpk start': false,
};
for (const [script, isEnded] of Object.entries(SCRIPTS)) {
  test(`after the shell of the npm script "${script}" has ended, xpk ${isEnded ? 'ends' : 'keeps running'}`, () => {
    assert.equal(isOnlyCommandOfScript(script), isEnded);
  });
}

test('a failure prints one line without a stack', async () => {
  const command = startXpk(['clock', '--url', 'http://127.0.0.1:1']);
  const { stderr } = await waitForExit(command);
  assert.equal(command.exitCode, 1);
  assert.match(stderr, /^xpk: No response from http:\/\/127\.0\.0\.1:1 [^\n]*\n$/);
});

test('xpk prints no error if the program that reads its output closes the pipe', async () => {
  const command = startXpk(['conformance', '--list']);
  command.stdout!.destroy();
  const { stderr } = await waitForExit(command);
  assert.deepEqual([stderr, command.exitCode], ['', 0]);
});

test('a login on a Node.js version without LTS, such as 26, prints no warning about the runtime', async () => {
  const withoutLts = `--import=data:text/javascript,${encodeURIComponent('Object.defineProperty(process,"release",{value:{name:"node"}})')}`;
  const server = startXpk(['start', '--json', '--port', '0'], { NODE_OPTIONS: withoutLts });
  const [line] = await once(createInterface({ input: server.stdout! }), 'line');
  assert.equal((await fetch(`${JSON.parse(line).authUrl}/authorize`)).status, 400);
  server.kill('SIGTERM');
  assert.equal(await text(server.stderr!), '');
});

test('xpk prints one line if its output cannot be written', { skip: !existsSync('/dev/full') && 'needs /dev/full' }, async () => {
  const full = openSync('/dev/full', 'w');
  const command = startXpk(['conformance', '--list'], {}, full);
  closeSync(full);
  const { stderr } = await waitForExit(command);
  assert.equal(stderr, 'xpk: Cannot write to the output: no space left on device. Free some space, or choose another path.\n');
  assert.equal(command.exitCode, 1);
});

const bannerFacts = {
  url: 'http://127.0.0.1:4010',
  authUrl: 'http://127.0.0.1:4010/auth',
  login: 'page',
  client: { alias: 'acme-web', id: 'id-of-web', secret: 'secret-of-web' },
  tokens: { full: 'token-of-full', reader: 'b', expired: 'c' },
  control: true,
  firstCall: '/experience/connections?accountId=1',
} as const;

test('the banner has five lines: the console first, then addresses, a client to log in, a command for the token, and a first call', () => {
  assert.deepEqual(formatBanner(bannerFacts).split('\n'), [
    '',
    '  Console  http://127.0.0.1:4010/_console  shows requests, events and the world; Ctrl-C stops the kit',
    '  API      http://127.0.0.1:4010  the mock service; its contract: /openapi.json, /asyncapi.json',
    '  Login    http://127.0.0.1:4010/auth  OAuth 2.0 server; client acme-web: client_id id-of-web, client_secret secret-of-web',
    '  Token    npx xpk token full  prints the token "full"; 2 other tokens: see the console',
    '  Try      curl "http://127.0.0.1:4010/experience/connections?accountId=1" -H "authorization: Bearer $(npx xpk token full)"',
    '',
  ]);
});

test("the banner's commands name the kit's URL unless it is the default", () => {
  const printed = formatBanner({ ...bannerFacts, url: 'http://127.0.0.1:4020' });
  assert.match(printed, /Bearer \$\(npx xpk token full --url http:\/\/127\.0\.0\.1:4020\)"$/m);
});

test('without a control API, the banner shows the token itself, and neither the console nor xpk token', () => {
  const printed = formatBanner({ ...bannerFacts, control: false });
  assert.match(printed, /^ {2}Token {4}token-of-full$/m);
  assert.doesNotMatch(printed, /_console|see the console|xpk token/);
});

test('the banner says how logins are approved, that a client needs an assertion, and that a world has no token', () => {
  const client = { alias: 'acme-signer', id: 'id-of-signer' };
  const printed = formatBanner({ ...bannerFacts, login: 'auto', client, tokens: {} });
  assert.match(printed, /acme-signer: client_id id-of-signer, a client_assertion; logins need no page/);
  assert.match(printed, /^ {2}Token {4}none {2}API requests need a token/m);
  assert.doesNotMatch(printed, /curl/);
  assert.match(
    formatBanner({ ...bannerFacts, client: undefined, login: 'deny' }),
    /\/auth {2}OAuth 2\.0 server; logins are always denied$/m,
  );
});

const tokens = { boss: { client: 'web', principal: 'boss' } };
const WORLDS: Readonly<Record<string, World>> = {
  'a world without telephone numbers': { ...world, telephoneNumbers: {}, tokens },
  'a world without accounts': { ...world, accounts: {}, telephoneNumbers: {}, users: {}, principals: { boss: { name: 'Boss' } }, tokens },
  'a world whose first token may not view the first account': {
    ...world,
    principals: { boss: { name: 'Boss', accounts: { south: 'read' } } },
    tokens,
  },
  'a world whose first token lacks the scope for connections': { ...world, tokens: { boss: { ...tokens.boss, scopes: ['users:manage'] } } },
  'a world whose first token has no principal': { ...world, tokens: { boss: { client: 'web' } } },
};
for (const [title, fixtures] of Object.entries(WORLDS)) {
  test(`the banner suggests no first call, or one that succeeds: ${title}`, async () => {
    await using kit = await createKit({ port: 0, fixtures, set: { 'lists.hidden-account': 404, 'connections.list.unknown-number': 404 } });
    const { firstCall, tokens: created } = await collectBannerFacts(kit, {});
    assert.equal(formatBanner({ ...bannerFacts, tokens: created, firstCall }).includes('curl'), firstCall !== undefined);
    if (firstCall === undefined) return;
    assert.equal((await fetch(`${kit.url}${firstCall}`, { headers: { authorization: `Bearer ${created.boss}` } })).status, 200);
  });
}
