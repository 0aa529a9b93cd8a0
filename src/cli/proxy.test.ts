import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { startReceiver } from '../events/testing/receiver.ts';
import { createKit, type Kit } from '../kit.ts';
import { startXpk, waitForExit } from './testing/processes.ts';
import { run } from './testing/run.ts';

let target: Kit;
before(async () => {
  target = await createKit({ port: 0 });
});
after(() => target.close());

const runXpk = (...args: readonly string[]) => waitForExit(startXpk(args));
const runProxy = (args: readonly string[], environment?: NodeJS.ProcessEnv) => waitForExit(startXpk(['proxy', ...args], environment));

const CALLS = `const { XPK_URL, XPK_AUTH_URL, XPK_TOKEN, XPK_CONTROL_TOKEN } = process.env;
const headers = { authorization: 'Bearer ' + XPK_TOKEN };
for (const path of ['/users/2065550001', '/users/2065550001', '/users/none', '/other']) await fetch(XPK_URL + path, { headers });
await fetch(XPK_URL + '/hooks/events', { method: 'POST' });
console.log(JSON.stringify([XPK_AUTH_URL === undefined ? 'no login' : XPK_AUTH_URL.replace(XPK_URL, ''), XPK_CONTROL_TOKEN]));
process.exit(7);`;
const node = (script: string) => [process.execPath, '--input-type=module', '-e', script];

test('xpk proxy runs a command with its URL, keeps its tokens, and prints what passed, which rules were broken, and the exit status', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'xpk-proxy-'));
  const [token] = Object.values(await target.tokens());
  const environment = { XPK_TOKEN: token, XPK_AUTH_URL: 'of a kit' };
  const args = ['--to', target.url, '--control-token', 'a-secret-of-the-test', '--report-dir', folder.path];
  const { stdout, stderr, status } = await runProxy([...args, '--', ...node(CALLS)], environment);
  assert.equal(
    stdout.slice(0, stdout.indexOf('\nConformance of ')),
    `["no login","a-secret-of-the-test"]
5 requests passed the proxy:
getUser         200 × 2, 404
other requests  404
/hooks/events   404 by the proxy
`,
  );
  assert.match(stdout, /No documented rule failed[\s\S]*Check of the client[\s\S]*No documented rule failed/);
  assert.deepEqual([stderr, status], ['', 7]);
  const json = await runProxy([...args, '--json', '--', ...node('await fetch(process.env.XPK_URL + "/users/x")')]);
  const failed = { service: [], client: [] };
  assert.deepEqual([JSON.parse(json.stdout), json.status], [{ requests: 1, outcomes: { getUser: { 401: 1 } }, failed }, 0]);
  assert.deepEqual(readdirSync(folder.path).sort(), ['client', 'service']);
  const withLogin = await runProxy([...args, '--auth-to', target.authUrl, '--', ...node(CALLS)], environment);
  assert.match(withLogin.stdout, /^\["\/auth",/);
});

test('xpk proxy judges the endpoint if deliveries passed, and xpk check webhook --journal does so while the proxy runs', async (t) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'xpk-proxy-'));
  const receiver = await startReceiver();
  t.after(receiver.close);
  receiver.answerWith(404);
  const { id: experienceId } = (
    await target.control.GET('/_control/state/{collection}/{id}', { params: { path: { collection: 'experiences', id: 'concierge' } } })
  ).data as { id: string };
  const timestamp = new Date().toISOString();
  const data = { userId: experienceId, accountId: experienceId, updatedAt: timestamp };
  const event = { type: 'provisioning.user.created', timestamp, subscriptionId: 'x', scope: { experienceId }, data };
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'event-1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
  };
  const script = `await fetch(process.env.XPK_URL + '/hooks/events', ${JSON.stringify({ method: 'POST', headers, body: JSON.stringify(event) })});`;
  const args = ['--to', target.url, '--events', receiver.url, '--report-dir', folder.path, '--json'];
  const { stdout, status } = await runProxy([...args, '--', ...node(script)]);
  const failed = { service: [], client: [], endpoint: ['events.endpoint.acknowledges-with-2xx'] };
  assert.deepEqual([JSON.parse(stdout), status], [{ requests: 1, outcomes: { '/hooks/events': { 404: 1 } }, failed }, 1]);
  assert.deepEqual(readdirSync(folder.path).sort(), ['client', 'endpoint', 'service']);
  await using proxy = await createKit({ port: 0, upstream: { api: target.url, events: { events: receiver.url } } });
  await fetch(`${proxy.url}/hooks/events`, { method: 'POST', headers, body: JSON.stringify(event) });
  const judged = await runXpk('check', 'webhook', '--journal', proxy.url, '--report-dir', folder.path);
  assert.match(judged.stdout, /events\.endpoint\.acknowledges-with-2xx/);
  assert.equal(judged.status, 1);
  const service = await runXpk('conformance', '--journal', proxy.url, '--report-dir', folder.path);
  assert.ok(service.stdout.includes(`Conformance of ${target.url}, by its traffic`), service.stdout);
  const both = await runXpk('check', 'webhook', receiver.url, '--journal', proxy.url);
  assert.deepEqual([both.status, both.stderr.trim()], [2, 'xpk: --journal sends nothing to the endpoint, so omit its URL.']);
});

test('a world that a proxy has recorded is a world file without the names of the service', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'xpk-proxy-'));
  const file = join(folder.path, 'our-staging.yaml');
  const [token] = Object.values(await target.tokens());
  const { id } = (await (await fetch(`${target.url}/_control/state/accounts/northwind`)).json()) as { id: string };
  const script = `await fetch(process.env.XPK_URL + '/users?pageSize=200&accountId=${id}', { headers: { authorization: 'Bearer ${token}' } });`;
  const args = ['--to', target.url, '--report-dir', folder.path, '--record', file];
  const { stderr, status } = await runProxy([...args, '--', ...node(script)]);
  assert.match(stderr, /^Wrote \S+our-staging\.yaml: 1 accounts, 200 users, /);
  assert.equal(status, 0);
  assert.doesNotMatch(readFileSync(file, 'utf8'), /Lovelace|Northwind/);
  await using mock = await createKit({ port: 0, fixtures: file });
  const [recorded] = Object.values(await mock.tokens());
  const [account] = Object.values((await (await fetch(`${mock.url}/_control/state/accounts`)).json()) as Record<string, { id: string }>);
  const page = await fetch(`${mock.url}/users?pageSize=200&accountId=${account!.id}`, { headers: { authorization: `Bearer ${recorded}` } });
  assert.equal(((await page.json()) as { entities: object[] }).entities.length, 200);
});

test('with --twin, a proxy prints what somebody else has changed and the observed decisions, and writes them', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'xpk-proxy-'));
  const file = join(folder.path, 'our-decisions.yaml');
  await using target = await createKit({ port: 0, set: { 'connections.create.status': 202 } });
  const token = (await target.tokens()).full;
  const list = async (name: string) =>
    (await (await fetch(`${target.url}/_control/state/${name}`)).json()) as Record<string, { id: string }>;
  const [{ id: accountId }, { id: experienceId }] = [(await list('accounts')).northwind!, Object.values(await list('experiences'))[0]!];
  const script = `const headers = { authorization: 'Bearer ${token}', 'content-type': 'application/json' };
const body = JSON.stringify({ accountId: '${accountId}', experienceId: '${experienceId}', state: 'ACTIVE' });
const path = process.env.XPK_URL + '/experience/connections';
const call = async (...request) => (await fetch(...request)).json();
const { entities } = await call(path + '?accountId=${accountId}', { headers });
for (const { id, experienceId } of entities) if (experienceId === '${experienceId}') await fetch('${target.url}/_control/state/connections/' + id, { method: 'DELETE' });
const { id } = await call(path, { method: 'POST', headers, body });
await call(path + '/' + id, { headers });
await fetch('${target.url}/_control/state/connections/' + id, { method: 'DELETE' });
await call(path + '/' + id, { headers });`;
  const args = ['--to', target.url, '--report-dir', folder.path, '--twin', '--write-decisions', file];
  const { stderr, status } = await runProxy([...args, '--', ...node(script)]);
  assert.match(
    stderr,
    /^decision {2}connections\.create\.status: 202 \(the kit's default: 201\) {2}Which status is returned when a connection is created\?$/m,
  );
  assert.match(stderr, /^changed elsewhere {2}#4 GET \S+ 404 {2}The connection \S+ was deleted, but not by a request that passed\.$/m);
  assert.equal(status, 0);
  assert.match(readFileSync(file, 'utf8'), /^connections\.create\.status: 202$/m);
});

test('xpk fixtures record writes a world file from a HAR file, in which users keep their order', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'xpk-har-'));
  const [har, file] = [join(folder.path, 'traffic.har'), join(folder.path, 'our-staging.yaml')];
  const accountId = '019b76da-a800-7842-89c6-aab35372cefd';
  const createUser = (firstName: string, createdAt: string) => ({ id: randomUUID(), accountId, firstName, createdAt });
  const entities = [createUser('Bob', '2026-01-01T00:00:00.000900Z'), createUser('Ada', '2026-01-01T00:00:00.000100Z')];
  const entry = {
    ...{ startedDateTime: '2026-03-01T12:00:00.000Z', time: 20 },
    request: {
      method: 'GET',
      url: `https://api.example.com/users?accountId=${accountId}`,
      headers: [{ name: 'Authorization', value: 'Bearer a-token' }],
    },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { text: JSON.stringify({ entities, cursor: null }) },
    },
  };
  writeFileSync(har, JSON.stringify({ log: { version: '1.2', entries: [entry] } }));
  const { stdout, stderr, status } = await runXpk('fixtures', 'record', har, file);
  assert.match(stdout, /^Wrote \S+: 1 accounts, 2 users, 0 telephone numbers, 0 connections, 0 assignments\. /);
  assert.deepEqual([stderr, status], ['', 0]);
  const json = await runXpk('fixtures', 'record', har, file, '--json');
  assert.deepEqual(JSON.parse(json.stdout), {
    file,
    counts: { accounts: 1, users: 2, telephoneNumbers: 0, connections: 0, assignments: 0 },
  });
  await using mock = await createKit({ port: 0, fixtures: file });
  assert.deepEqual(Object.keys(await mock.tokens()), ['token-1']);
  const [recorded] = Object.values(
    (await mock.control.GET('/_control/state/{collection}', { params: { path: { collection: 'accounts' } } })).data,
  );
  const query = `accountId=${recorded!.id}&sortBy=createdAt`;
  const listed = await fetch(`${mock.url}/users?${query}`, { headers: { authorization: `Bearer ${(await mock.tokens())['token-1']}` } });
  assert.deepEqual(
    ((await listed.json()) as { entities: { firstName: string }[] }).entities.map(({ firstName }) => firstName),
    ['First 00001', 'First 00002'],
  );
});

test('at a proxy, a command for a kit changes nothing, and says that the address is a proxy', async () => {
  await using proxy = await createKit({ port: 0, upstream: { api: target.url } });
  const message = `xpk: ${proxy.url} refused: This address is a proxy in front of ${target.url}, and the request is for a kit. A proxy has no world, clock, tokens, subscriptions or events of its own. Use the address of a kit, which xpk start prints.`;
  for (const line of [
    'clock advance 1h',
    'trigger provisioning.user.created',
    'reset',
    'undo',
    'state add accounts name=x',
    'snapshot save x',
    'token --client x',
    'world list',
    'subscribe http://127.0.0.1:1 --provider x',
  ])
    assert.deepEqual(await run(...line.split(' '), '--url', proxy.url), { status: 1, stdout: '', stderr: message }, line);
  const read = await run('state', 'get', '--json', '--url', proxy.url);
  assert.match(
    read.stderr,
    /^xpk: \S+ is a proxy in front of \S+\. This shows the proxy's own world, which is empty\. The command is for a kit\.$/,
  );
  assert.deepEqual([read.status, (JSON.parse(read.stdout) as { world: string }).world], [0, 'empty']);
  const token = await run('token', 'full', '--url', proxy.url);
  assert.match(token.stderr, /^xpk: The address is that of a proxy in front of \S+, which accepts only its own tokens\.$/);
  assert.deepEqual(await run('fault', 'list', '--url', proxy.url), { status: 0, stdout: 'There are no faults.', stderr: '' });
});

test('without a command, a file that cannot be written is reported before the proxy starts', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'xpk-proxy-'));
  for (const option of ['--record', '--write-decisions']) {
    const { stdout, stderr, status } = await runXpk(
      'proxy',
      '--to',
      target.url,
      '--port',
      '0',
      option,
      join(folder.path, 'missing', 'file.yaml'),
    );
    assert.deepEqual([stdout, status], ['', 1]);
    assert.match(stderr, /^xpk: Cannot access \S+missing: no such file or directory\. Check the path\.\n$/);
  }
});

test('without a command, xpk proxy prints its addresses and runs until a signal', async () => {
  for (const options of [[], ['--json']]) {
    const events = ['--events', 'http://127.0.0.1:1/events', '--events', 'two=http://127.0.0.1:2'];
    const command = startXpk(['proxy', '--to', target.url, '--port', '0', ...events, ...options]);
    let output = '';
    for await (const line of createInterface({ input: command.stdout! })) {
      output += `${line}\n`;
      if (options.length > 0 || line.includes('/hooks/two')) break;
    }
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
    if (options.length > 0)
      assert.deepEqual(JSON.parse(output), { url, hooks: { events: `${url}/hooks/events`, two: `${url}/hooks/two` } });
    else {
      assert.ok(output.includes(`API      ${url}  forwards to ${target.url}\n`), output);
      assert.ok(output.includes(`Events   ${url}/hooks/two  forwards to http://127.0.0.1:2\n`), output);
    }
    assert.equal((await fetch(`${url}/users/x`)).status, 401);
    command.kill('SIGTERM');
    assert.equal((await once(command, 'exit'))[0], 0);
  }
});

for (const [args, message] of [
  [[], 'xpk: Give the URL of the real service, as in: xpk proxy --to https://staging.example.com\n'],
  [
    ['--to', 'staging.example.com'],
    /^The URL of a proxy's target \(--to\) must be an http or https URL .+, not staging\.example\.com\.\n$/,
  ],
  [['--to', 'https://me:secret@staging.example.com'], /, not https:\/\/…@staging\.example\.com\.\n$/],
  [['--to', 'http://x', '--auth-to', 'http://x?y'], /^The URL of a proxy's target \(--auth-to\)/],
  [['--to', 'http://localhost:4020'], /^xpk: --to http:\/\/localhost:4020 is the address of the proxy itself\./],
  [
    ['--to', 'http://x', '--events', 'A=http://x'],
    /^The name of a receiver must consist of small letters, digits and hyphens, not "A"\.\n$/,
  ],
  [['--to', 'http://x', '--events', 'http://x', 'http://y'], /There are two endpoints for \/hooks\/events\. Give one a name: NAME=URL\./],
  [['--to', 'http://x', '--timeout', '0s'], /The value must be at least 1ms/],
] as const)
  test(`xpk proxy ${args.join(' ')} is refused with the exit status 2`, async () => {
    const { stderr, status } = await runProxy(args);
    assert.equal(status, 2, stderr);
    if (typeof message === 'string') assert.equal(stderr, message);
    else assert.match(stderr, message);
  });
