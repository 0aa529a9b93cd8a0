import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKit } from '../../kit.ts';
import { type FinishedRun, listVerdicts, runXpk, runXpkInProcess } from '../conformance/testing/run-xpk.ts';

const CHECK_COMMAND = ['check', 'client'];
const runCheck = (...args: string[]): Promise<FinishedRun> => runXpkInProcess(CHECK_COMMAND, args);
const checkScript = (script: string, ...args: string[]) => runCheck(...args, '--', process.execPath, '--input-type=module', '-e', script);

const createPostScript = (path: string, body: object) =>
  `await fetch(process.env.XPK_URL + '${path}', { method: 'POST', body: '${JSON.stringify(body)}',
    headers: { authorization: 'Bearer ' + process.env.XPK_TOKEN, 'content-type': 'application/json' } });`;
const SEND_READ_ONLY_FIELD = createPostScript('/experience/assignments', {
  id: '1',
  experienceId: '1',
  targetType: 'USER',
  targetValue: '1',
});

test('if the command makes no calls, no rule passes, and only --strict makes the run fail', async () => {
  const [plain, strict] = [await checkScript(''), await checkScript('', '--strict')];
  assert.deepEqual([plain.status, strict.status], [0, 1]);
  assert.deepEqual([...new Set(Object.values(listVerdicts(plain)))], ['not-exercised']);
});

test("if the command fails, xpk exits with the command's status, even if the calls break a rule", async () => {
  const { status, stdout, results } = await checkScript(`${SEND_READ_ONLY_FIELD} process.exit(7)`);
  assert.equal(status, 7, stdout);
  assert.equal(listVerdicts({ results } as FinishedRun)['client.read-only-fields-not-sent'], 'failed');
});

test('calls that break a documented rule make the run fail, unless --fail-on selects different rules', async () => {
  const { status, stdout } = await checkScript(SEND_READ_ONLY_FIELD);
  assert.equal(status, 1);
  assert.match(stdout, /The body contains the read-only fields id\./);
  assert.equal((await checkScript(SEND_READ_ONLY_FIELD, '--fail-on', 'client.pkce.s256')).status, 0);
});

test('a failed rule of the level advice never changes the exit status, even with --fail-on implied', async () => {
  const tn = `await fetch(process.env.XPK_URL + '/experience-connections?tn=%2B12065550100', { headers: { authorization: 'Bearer ' + process.env.XPK_TOKEN } })`;
  const ended = await checkScript(tn, '--fail-on', 'implied');
  assert.deepEqual([ended.status, listVerdicts(ended)['client.telephone-number-not-tn']], [0, 'failed']);
});

test("the command's environment contains the new kit's URLs, client and tokens, but no variables for other kits", async () => {
  const script = `console.log(JSON.stringify(Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('XPK_')))))`;
  const args = ['--json', '--redirect-uri', 'http://127.0.0.1:9/back', '--', process.execPath, '-e', script];
  const { stderr, stdout } = await runXpk(args, { XPK_CONTROL_TOKEN: 'of another kit' }, () => {}, CHECK_COMMAND);
  const { XPK_URL, XPK_AUTH_URL, XPK_CLIENT_ID, ...others } = JSON.parse(stderr) as Record<string, string>;
  assert.equal(XPK_AUTH_URL, `${XPK_URL}/auth`);
  assert.match(XPK_CLIENT_ID ?? '', /^[0-9a-f-]{36}$/);
  const { XPK_CLIENT_SECRET, XPK_REDIRECT_URI, XPK_LOGIN_HINT, ...tokens } = others;
  assert.deepEqual(
    [XPK_CLIENT_SECRET, XPK_REDIRECT_URI, XPK_LOGIN_HINT],
    ['demo-secret-acme-web', 'http://127.0.0.1:9/back', '+12065550100'],
  );
  assert.ok(
    Object.keys(tokens).every((name) => /^XPK_TOKEN(_[A-Z0-9_]+)?$/.test(name)),
    Object.keys(tokens).join(),
  );
  // With --json, standard output contains only the report, and the checked command writes to standard error.
  assert.equal((JSON.parse(stdout) as { target: { kind: string } }).target.kind, 'client');
});

/** Logs in, and sends two requests. Before each, the client may refresh its token. */
const createLoginScript = (refreshesInTime: boolean) => `
  import { createHash, randomBytes } from 'node:crypto';
  const { XPK_URL, XPK_AUTH_URL, XPK_CLIENT_ID, XPK_CLIENT_SECRET, XPK_REDIRECT_URI, XPK_LOGIN_HINT } = process.env;
  const create = () => randomBytes(32).toString('base64url');
  const verifier = create();
  const query = new URLSearchParams({ response_type: 'code', client_id: XPK_CLIENT_ID, redirect_uri: XPK_REDIRECT_URI, state: create(),
    scope: 'experience-connections:manage experience-assignments:manage users:manage offline_access', login_hint: XPK_LOGIN_HINT,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' });
  const redirect = await fetch(XPK_AUTH_URL + '/authorize?' + query, { redirect: 'manual' });
  const code = new URL(redirect.headers.get('location')).searchParams.get('code');
  let token, expiresAt;
  async function getToken(form) {
    const body = new URLSearchParams({ ...form, client_id: XPK_CLIENT_ID, client_secret: XPK_CLIENT_SECRET });
    token = await (await fetch(XPK_AUTH_URL + '/oauth/token', { method: 'POST', body })).json();
    expiresAt = Date.now() + token.expires_in * 1000;
  }
  const refresh = () => getToken({ grant_type: 'refresh_token', refresh_token: token.refresh_token });
  await getToken({ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: XPK_REDIRECT_URI });
  for (let call = 0; call < 4; call++) {
    if (${refreshesInTime} && Date.now() > expiresAt - 500) await refresh();
    const { status } = await fetch(XPK_URL + '/users/1', { headers: { authorization: 'Bearer ' + token.access_token } });
    if (status === 401) await refresh();
  }
  if (token.expires_in < 3000) throw new Error('Only the first token has a short lifetime.');
`;

test('with --provoke expiry, a client that refreshes its token only after a 401 breaks a rule, also if other errors come first, and a client that refreshes it in time does not', async () => {
  const late = await checkScript(createLoginScript(false), '--provoke', 'expiry');
  const lateAfterOthers = await checkScript(createLoginScript(false), '--provoke', 'expiry', 'rate', 'outage');
  for (const { stdout } of [late, lateAfterOthers]) assert.match(stdout, /The client sent an access token \d s after it had expired/);
  const timely = await checkScript(createLoginScript(true), '--provoke', 'expiry');
  assert.deepEqual([late.status, timely.status], [1, 0], timely.stdout);
});

test('the report names the rule because of which a request was refused, even if no rule for clients is broken', async () => {
  const { status, stdout } = await checkScript(createPostScript('/experience/connections', { accountId: 'x', experienceId: 'y' }));
  assert.equal(status, 0, stdout);
  assert.match(stdout, /Notes\n.*request #1 \(createExperienceConnection\) with 422, because of connections\.create\.invalid-value: /s);
});

test('a run does not pass if the command clears the journal', async () => {
  const clear = `await fetch(process.env.XPK_URL + '/_control/requests', { method: 'DELETE', headers: { 'content-type': 'application/json' } });`;
  assert.equal((await checkScript(`${SEND_READ_ONLY_FIELD} ${clear}`)).status, 1);
});

test('Ctrl-C ends the command and the kit, and the reports say that the run was interrupted', async () => {
  const kit = await createKit({ port: 0 });
  try {
    // The command calls this kit, so that the test can wait until the command is running.
    const script = `await fetch('${kit.url}/users/1'); setInterval(() => {}, 1000)`;
    let interrupt = () => {};
    const ended = runXpk(
      ['--', process.execPath, '--input-type=module', '-e', script],
      {},
      (end) => {
        interrupt = end;
      },
      CHECK_COMMAND,
    );
    await kit.control.POST('/_control/requests/wait', { body: { operation: 'getUser', timeoutMs: 60_000 } });
    interrupt();
    const { status, results } = await ended;
    assert.deepEqual([status, results.interrupted], [130, true]);
  } finally {
    await kit.close();
  }
});

test('a command that does not end within the time limit is ended, and the run is incomplete and fails', async () => {
  const { status, stdout } = await runCheck('--time-limit', '1s', '--', process.execPath, '-e', 'setInterval(() => {}, 1000)');
  assert.equal(status, 1, stdout);
  assert.match(stdout, /The run is incomplete: the command did not end within 1s \(--time-limit\)/);
});

test('with --since, only calls after a journal entry or a time are checked', async () => {
  await using kit = await createKit({ port: 0 });
  const listConnections = (query: string) =>
    fetch(`${kit.url}/experience-connections?${query}=1`, { headers: { authorization: 'Bearer x' } });
  await listConnections('tn');
  const { data } = await kit.control.GET('/_control/requests');
  const getVerdict = async (...args: string[]) => listVerdicts(await runCheck('--url', kit.url, ...args))['client.telephone-number-not-tn'];
  assert.equal(await getVerdict(), 'failed');
  assert.equal(await getVerdict('--since', data[0]!.at), 'failed');
  assert.equal(await getVerdict('--since', String(data[0]!.number)), 'not-exercised');
  await listConnections('telephoneNumber');
  assert.equal(await getVerdict('--since', String(data[0]!.number)), 'passed');
});

test('at a proxy, the report names no option and no command that only a kit has', async () => {
  await using kit = await createKit({ port: 0 });
  await using proxy = await createKit({ port: 0, upstream: { api: kit.url } });
  await (await fetch(`${proxy.url}/users/1`)).text();
  const [atKit, atProxy] = [await runCheck('--url', kit.url), await runCheck('--url', proxy.url)];
  assert.match(atKit.stdout, /Not given: --provoke rate\.[\s\S]* how to provoke each answer/);
  assert.ok(atKit.results.coverage?.some(({ provoke }) => provoke?.startsWith('xpk fault add')));
  assert.match(atProxy.stdout, /The client has to get 503\. A kit can cause it: xpk check client --provoke outage -- COMMAND/);
  assert.doesNotMatch(atProxy.stdout, /Not given|missing options|With these options|how to provoke|The kit/);
  assert.ok(atProxy.results.coverage?.every(({ provoke }) => provoke === undefined));
});

test('if the journal drops calls before they are checked, the run is incomplete and fails', async () => {
  await using kit = await createKit({ port: 0 }, { journalCapacity: 2 });
  for (const id of [1, 2, 3]) await (await fetch(`${kit.url}/users/${id}`)).text();
  const { status, stdout, results } = await runCheck('--url', kit.url);
  assert.equal(status, 1);
  assert.match(stdout, /The run is incomplete: the journal deleted 1 call before it could be checked/);
  assert.ok(results.rules.every(({ verdict }) => verdict === 'not-testable'));
  assert.equal((await runCheck('--url', kit.url, '--since', '1')).status, 0);
});

test('a command that cannot be started causes a usage error', async () => {
  const { status, stderr } = await runCheck('--', 'no-such-command');
  assert.equal(status, 2);
  assert.match(stderr, /The command no-such-command cannot be started/);
});
