import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readCalls } from '../checks/client/journal.ts';
import { judgeCalls } from '../checks/client/judge.ts';
import { judgeService } from '../checks/service/judge.ts';
import { runXpkInProcess } from '../cli/conformance/testing/run-xpk.ts';
import { createKit } from '../kit.ts';
import { type RecordedEntry, recordHar } from '../testing/recorded-traffic.ts';
import { createCorrectClient } from '../testing/scripted-client.ts';
import { toCalls } from './har-calls.ts';
import { parseHar } from './har-file.ts';

const ACCOUNT = '019b76da-a800-7842-89c6-aab35372cefd';
const BASE = 'https://api.example.com/v1';
const USERS = `${BASE}/users?accountId=${ACCOUNT}`;
const PAGE = { entities: [{ id: ACCOUNT, accountId: ACCOUNT, createdAt: '2026-01-01T00:00:00Z' }], cursor: null, pageSize: 100, count: 1 };

const readText = (text: string, baseUrl?: string) => toCalls(parseHar(text, 'traffic.har'), 'traffic.har', baseUrl);
const read = (entries: readonly object[], baseUrl?: string) => readText(JSON.stringify({ log: { version: '1.2', entries } }), baseUrl);
const list = (headers: Readonly<Record<string, string>>) => Object.entries(headers).map(([name, value]) => ({ name, value }));
/** @param response members that replace those of a response with a page of users */
const get = (url: string, response: object = {}, members: object = {}) => ({
  startedDateTime: '2026-03-01T12:00:00.000Z',
  time: 20,
  request: { method: 'GET', url, headers: list({ ':authority': 'api.example.com', Authorization: 'Bearer a-token', Accept: '*/*' }) },
  response: { status: 200, headers: list({ 'Content-Type': 'application/json' }), content: { text: JSON.stringify(PAGE) }, ...response },
  ...members,
});
const judge = (entries: readonly object[]) => {
  const { calls, baseUrl } = read(entries);
  return judgeService({ calls, url: baseUrl });
};
const getVerdict = (entries: readonly object[], rule: string) => judge(entries).rules.find(({ id }) => id === rule)?.verdict;

describe('the reader of HAR files', () => {
  test('chooses the base URL with most requests to operations, unless one is given', () => {
    const entries = [get('https://app.example.com/users/1'), get(USERS), get(`${BASE}/experience/connections?accountId=${ACCOUNT}`)];
    assert.equal(read(entries).baseUrl, BASE);
    assert.deepEqual(
      read(entries).calls.map(({ path, operationId }) => [path, operationId]),
      [
        [`/users?accountId=${ACCOUNT}`, 'getUsers'],
        [`/experience/connections?accountId=${ACCOUNT}`, 'getExperienceConnections'],
      ],
    );
    assert.equal(read(entries, 'https://app.example.com').calls.length, 1);
  });

  test('reads what browsers, Playwright, mitmproxy and gateways write', () => {
    const base64 = Buffer.from(JSON.stringify(PAGE)).toString('base64');
    for (const response of [
      {},
      { content: { text: base64, encoding: 'base64', size: -1 } },
      { headers: { 'content-type': 'application/json' } },
    ])
      assert.equal(getVerdict([get(USERS, response)], 'users.list.shape'), 'passed', JSON.stringify(response));
    const call = read([get(USERS, {}, { _resourceType: 'fetch', _securityDetails: {}, serverIPAddress: '' })]).calls[0]!;
    assert.deepEqual(call.request?.headers, { authorization: 'Bearer [redacted]', accept: '*/*' });
    const form = {
      method: 'POST',
      url: `${BASE}/auth/oauth/token`,
      headers: [],
      postData: { mimeType: '', params: [{ name: 'code', value: 'x' }] },
    };
    assert.equal(read([get(USERS), get('', {}, { request: form })]).calls.length, 2);
    assert.equal(readText(`\uFEFF${JSON.stringify({ log: { entries: [get(USERS)] } })}`).calls.length, 1);
  });

  test('omits WebSockets, responses from a cache, and entries that are no requests', () => {
    const others = [
      null,
      7,
      {},
      { request: {} },
      get('wss://api.example.com/users'),
      get('data:,x'),
      get(USERS, {}, { _fromCache: 'disk' }),
      get(USERS, { headers: [{ name: 'Age', value: '0' }] }),
    ];
    assert.equal(read([get(USERS), ...(others as object[]), get(USERS, {}, { _resourceType: 'websocket' })]).calls.length, 1);
  });

  test('does not take what a tool writes instead of a token for one', () => {
    for (const token of ['[REDACTED]', '***', 'xxxxx', '<token>', 'eyJhbGci...'])
      for (const { credential } of read([
        { ...get(USERS), request: { ...get(USERS).request, headers: list({ Authorization: `Bearer ${token}` }) } },
      ]).calls)
        assert.equal(credential, undefined, token);
    assert.notEqual(read([get(USERS)]).calls[0]!.credential, undefined);
  });

  test('judges nothing by what the file does not contain', () => {
    for (const response of [
      { status: 0 },
      { status: -1 },
      undefined,
      { content: {} },
      { content: { size: 900, text: JSON.stringify(PAGE).slice(0, 50) } },
      { content: { size: 400, mimeType: 'application/json' } },
      { content: { text: Buffer.from([0x1f, 0x8b, 0xff]).toString('base64'), encoding: 'base64' } },
    ]) {
      const entry = response === undefined ? { ...get(USERS), response } : get(USERS, response);
      const { rules } = judge([entry]);
      const exercised = rules.filter(({ verdict }) => !['not-exercised', 'not-applicable'].includes(verdict)).map(({ id }) => id);
      assert.deepEqual(exercised, [], JSON.stringify(response));
    }
    const withoutHeaders = { ...get(USERS), request: { method: 'GET', url: USERS } };
    assert.equal(getVerdict([withoutHeaders], 'auth.token.missing'), 'not-exercised', 'a browser may omit all Authorization headers');
    assert.equal(getVerdict([withoutHeaders, get(USERS)], 'auth.token.missing'), 'failed');
  });

  test('reads large files, and bodies that are nested deeply', () => {
    const large = get(`${BASE}/favicon.ico`, { content: { text: 'x'.repeat(100_000) } });
    const deep = get(USERS, { content: { text: `${'['.repeat(200_000)}${']'.repeat(200_000)}` } });
    const { calls } = readText(JSON.stringify({ log: { entries: [...Array.from({ length: 300 }, () => large), deep] } }));
    assert.equal(calls.length, 301);
    assert.ok(judgeService({ calls, url: BASE }).rules.some(({ id, verdict }) => id === 'users.list.shape' && verdict === 'failed'));
  });

  for (const [name, text, message] of [
    [
      'is not JSON',
      'secret{',
      'traffic.har is not a HAR file: it is not JSON. In a browser, export the requests of the network panel as HAR.',
    ],
    ['has no entries', '{"log":{}}', 'traffic.har is not a HAR file: it has no member log.entries.'],
    [
      'has no requests to the service',
      '{"log":{"entries":[]}}',
      'traffic.har contains no request to an operation of the service, such as GET /users?accountId=….',
    ],
  ] as const)
    test(`explains what is wrong with a file that ${name}`, () => assert.throws(() => readText(text), { name: 'HarError', message }));

  test('says where the requests go if none goes to the given URL', () => {
    assert.throws(() => read([get(USERS)], 'https://other.example'), {
      message: `traffic.har contains no request to an operation at https://other.example. Its requests to operations go to ${BASE} (1).`,
    });
  });
});

describe('a HAR of the same calls as a journal', () => {
  const folder = { path: '' };
  before(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'har-'));
  });
  after(() => rm(folder.path, { recursive: true }));

  test('gives the findings about the client that the journal gives', async () => {
    await using kit = await createKit({ port: 0, login: 'auto' });
    const entries = await recordHar(async () => {
      const client = await createCorrectClient(kit);
      await client.call(client.users({ pageSize: '500' }));
      await client.call('/experience/assignments', {
        id: '1',
        experienceId: client.experienceId,
        targetType: 'USER',
        targetValue: ACCOUNT,
      });
      await client.call('/experience-connections?tn=%2B12065550100');
      await client.postTokenRequest({ grant_type: 'authorization_code', code: 'x' });
    });
    const failures = (outcomes: ReturnType<typeof judgeCalls>) =>
      outcomes.flatMap(({ rule, verdict, message }) => (verdict === 'failed' ? `${rule} ${message}` : []));
    const { calls, facts } = await readCalls(kit.control);
    const byJournal = failures(judgeCalls(calls, facts));
    assert.ok(byJournal.length > 3, byJournal.join('\n'));
    assert.deepEqual(failures(judgeCalls(read(entries, kit.url).calls, { missed: 0, complete: false })), byJournal);
  });

  test('no report, output or error contains a secret of the file', async () => {
    await using kit = await createKit({ port: 0, login: 'auto' });
    const secrets: string[] = [];
    const plant = (name: string) => {
      secrets.push(`planted-${name}-5b1e9c`);
      return secrets.at(-1)!;
    };
    const entries = await recordHar(async () => {
      const client = await createCorrectClient(kit);
      const { access_token: token, refresh_token: refresh } = await client.login();
      secrets.push(token, refresh, 'demo-secret-acme-web');
      await client.send(token, `/users?accountId=x&access_token=${plant('query')}#${plant('fragment')}`);
      await client.postTokenRequest({
        grant_type: 'authorization_code',
        code: plant('code'),
        code_verifier: plant('verifier'),
        client_secret: plant('secret'),
      });
    });
    const cookie = plant('cookie');
    const add = (entry: RecordedEntry) => {
      entry.request.headers.push(
        ...list({ Cookie: `session=${cookie}`, 'X-Our-Key': plant('header'), Referer: `http://x/?code=${plant('referer')}` }),
      );
      entry.response.headers.push(...list({ 'Set-Cookie': `s=${plant('set-cookie')}`, 'X-Session': plant('response') }));
      // The service repeats what it got.
      const { content } = entry.response;
      const token = entry.request.headers.find(({ name }) => name === 'authorization')?.value.slice('Bearer '.length);
      content.text = content.text!.replace('"detail":"', `"detail":"${cookie} ${token} `);
      return {
        ...entry,
        request: {
          ...entry.request,
          cookies: list({ a: plant('cookies') }),
          url: entry.request.url.replace('://', `://user:${plant('password')}@`),
        },
      };
    };
    const file = join(folder.path, 'secrets.har');
    await writeFile(file, JSON.stringify({ log: { comment: plant('comment'), entries: entries.map(add) } }));
    const written: string[] = [];
    for (const command of [['conformance'], ['check', 'client']]) {
      const reports = join(folder.path, command.join('-'));
      for (const args of [[], ['--json'], ['--base-url', `http://u:${plant('flag')}@127.0.0.1:9`]]) {
        const { stdout, stderr } = await runXpkInProcess(command, ['--har', file, '--report-dir', reports, ...args]);
        written.push(stdout, stderr);
      }
      for (const name of await readdir(reports)) written.push(await readFile(join(reports, name), 'utf8'));
    }
    assert.ok(written.length >= 12 && written.join('').includes('[redacted]'));
    const found = secrets.filter((secret) => written.some((text) => text.includes(secret) || text.includes(encodeURIComponent(secret))));
    assert.deepEqual(found, []);
  });
});
