import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';

const xpk = ['src/cli/main.ts'];
let server: ChildProcess;
let url = '';
let tokens: Record<string, string> = {};

before(async () => {
  server = spawn(process.execPath, [...xpk, 'start', '--json'], {
    env: { ...process.env, XPK_PORT: '0', XPK_SET: 'assignments.create.duplicate=422' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: server.stdout as NodeJS.ReadableStream })) {
    ({ url, tokens } = JSON.parse(line));
    break;
  }
});
after(() => server.kill('SIGTERM'));

function run(args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...xpk, ...args], { encoding: 'utf8', env: { ...process.env, ...env } });
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
}

test('options can come from environment variables of the same names', async () => {
  const info = (await (await fetch(`${url}/_control/info`)).json()) as { decisions: Record<string, unknown> };
  assert.equal(info.decisions['assignments.create.duplicate'], 422);
});

test('xpk token prints a ready-made token by name', () => {
  assert.deepEqual(run(['token', 'reader', '--url', url]), { status: 0, stdout: tokens.reader, stderr: '' });
});

test('xpk token mints a token to order, good or broken', async () => {
  const read = async (token: string) => (await fetch(`${url}/users/2065550001`, { headers: { authorization: `Bearer ${token}` } })).status;
  const order = ['token', '--url', url, '--client', 'acme-web', '--principal', 'manager'];
  assert.equal(await read(run([...order, '--scope', 'users:manage', '--expires-in', '60']).stdout), 200);
  assert.equal(await read(run([...order, '--kind', 'expired']).stdout), 401);
});

const refusals: [string[], RegExp][] = [
  [['start', '--port', 'abc'], /whole number from 0 to 65535/],
  [['start', '--set', 'lists.order'], /form id=value/],
  [['start', '--set', 'lists.order=sideways'], /one of newest-last, newest-first/],
  [['start', '--fixtures', 'nothing.yaml'], /nothing.yaml: There is no such file/],
  [['start', '--fixtures', 'dmo'], /dmo.*Did you mean/s],
  [['start', '--host', '192.0.2.1', '--no-control', '--port', '0'], /192\.0\.2\.1.*Give another --host/],
  [['start', '--decisions', 'README.md'], /README.md:\d+:\d+/],
  [['start', '--data', '/proc/nowhere/x.db', '--port', '0'], /\/proc\/nowhere/],
  [['start', '--database', 'postgres://nobody:canary-word@127.0.0.1:1/none', '--port', '0'], /127\.0\.0\.1:1/],
  [['start', '--allow-host', 'http://a.test', '--port', '0'], /without port/],
  [['token', '--url', 'http://127.0.0.1:1'], /No kit answers.*xpk start/],
  [['token', '--kind', 'expired'], /needs --client/],
  [['token', '--client', 'acme-web', '--scope', 'users:mangle'], /Did you mean "users:manage"/],
  [['token', '--client', 'acme-web', '--scope', 'users:manage,offline_access'], /--scope users:manage offline_access/],
  [['token', '--url', 'no-address'], /is an address/],
  [['strat'], /unknown command 'strat'/],
];
for (const [args, reason] of refusals) {
  test(`refused with a reason and no stack: xpk ${args.join(' ')}`, () => {
    const { status, stderr } = run(args);
    assert.notEqual(status, 0);
    assert.match(stderr, reason);
    assert.doesNotMatch(stderr, /\n {4}at |canary-word/);
  });
}

test('a port that is taken is said in words', () => {
  const { status, stderr } = run(['start', '--port', new URL(url).port]);
  assert.equal(status, 1);
  assert.match(stderr, /Something else listens there already/);
});

test('an unknown name is refused with those that there are', () => {
  assert.match(run(['token', 'nope', '--url', url]).stderr, /it has full, reader/);
  assert.match(run(['token', '--client', 'nope', '--url', url]).stderr, /no client "nope"/);
});

test('fixtures validate says what is in a world, and what is wrong with one', () => {
  assert.match(
    run(['fixtures', 'validate', 'demo', 'empty']).stdout,
    /demo: good \(\d+ providers, .*\d+ telephone numbers, .*\d+ subscriptions\)\nempty: good/,
  );
  const { status, stderr } = run(['fixtures', 'validate', 'package.json']);
  assert.equal(status, 1);
  assert.match(stderr, /package.json:\d+:\d+: /);
});
