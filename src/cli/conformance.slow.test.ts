import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { toResults } from '../checks/results.ts';
import type { Results } from '../contract/generated/results.ts';
import { createFinding, createSmallResults, DOCUMENTED_RULE, passedFindings } from '../report/testing/small-results.ts';
import { listen } from '../store/testing/listen.ts';
import { startEndlessServer } from '../testing/endless-server.ts';
import { runXpk } from './conformance/testing/run-xpk.ts';
import { run } from './testing/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-conformance-'));
// Refuses every request. The responses repeat the request's secrets, which the reports must omit.
const server = createServer(({ headers }, response) => {
  response.writeHead(403, { 'content-type': 'application/problem+json' });
  response.end(
    JSON.stringify({ title: 'No', status: 403, traceId: 'trace-1', detail: `sent ${headers.authorization} ${headers['x-api-key']}` }),
  );
});
const { url: baseUrl, close } = await listen(server);
process.env.KEY_OF_TEST = 'api-key-value';
after(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

const xpk = (...args: readonly string[]) => run('conformance', ...args);

function writeTestFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('xpk conformance --list prints the rules', async () => {
  const { status, stdout } = await xpk('--list', '--rule', 'users.get.*', '*.list.only-visible');
  assert.equal(status, 0);
  assert.match(stdout, /^users\.get\.shape +documented +one path/m);
  assert.match(stdout, /^assignments\.list\.only-visible/m);
  assert.doesNotMatch(stdout, /assignments\.get/);
});

test('xpk conformance init writes a profile, and never overwrites a file', async () => {
  const path = join(folder, 'init.yaml');
  assert.equal((await xpk('init', path)).status, 0);
  assert.match(readFileSync(path, 'utf8'), /^baseUrl: /m);
  const again = await xpk('init', path);
  assert.equal(again.status, 2);
  assert.match(again.stderr, /exists already/);
});

test('xpk conformance diff exits with 1 if a rule passed in the older run and failed in the newer run', async () => {
  const good = writeTestFile('good.json', JSON.stringify(createSmallResults(passedFindings)));
  const bad = writeTestFile(
    'bad.json',
    JSON.stringify(createSmallResults([...passedFindings, createFinding(DOCUMENTED_RULE, 'flat', 'failed')])),
  );
  const worse = await xpk('diff', good, bad);
  assert.equal(worse.status, 1);
  assert.match(worse.stdout, /^Worse\n {2}assignments\.list\.filter-required \(flat\): passed → failed/);
  const better = await xpk('diff', bad, good);
  assert.deepEqual([better.status, better.stdout.split('\n')[0]], [0, 'Better']);
});

test('xpk conformance diff compares two runs of the same integration check, and refuses runs of different commands', async () => {
  const facts = { check: 'webhook', url: 'http://127.0.0.1:1/', startedAt: new Date(0), durationMs: 1 } as const;
  const outcome = { rule: 'events.consumer.deduplicates', title: 'An event is repeated.', timeline: [] } as const;
  const good = writeTestFile('good-check.json', JSON.stringify(toResults({ ...facts, outcomes: [{ ...outcome, verdict: 'passed' }] })));
  const bad = writeTestFile(
    'bad-check.json',
    JSON.stringify(toResults({ ...facts, outcomes: [{ ...outcome, verdict: 'failed', message: 'No.' }] })),
  );
  const worse = await xpk('diff', good, bad);
  assert.equal(worse.status, 1);
  assert.match(worse.stdout, /^Worse\n {2}events\.consumer\.deduplicates: passed → failed/);
  const other = await xpk('diff', good, writeTestFile('suite.json', JSON.stringify(createSmallResults([]))));
  assert.deepEqual([other.status, /from xpk check webhook.*from xpk conformance\./s.test(other.stderr)], [2, true]);
});

const TESTED_RULE = 'assignments.list.filter-required';

test('xpk conformance tests both path forms by default, and fails if a rule passes that the baseline lists as a known failure', async () => {
  const reports = join(folder, 'kit');
  const known = writeTestFile('stale.yaml', `- { rule: ${TESTED_RULE}, form: flat, reason: known }`);
  const { status, stdout, stderr } = await xpk('--rule', TESTED_RULE, '--report-dir', reports, '--baseline', known);
  assert.equal(status, 1, stdout + stderr);
  assert.match(stdout, /✓ ✓ {2}assignments\.list\.filter-required/);
  assert.match(stdout, /Stale baseline entry: assignments\.list\.filter-required \(flat\) now passes/);
  assert.deepEqual(readdirSync(reports).sort(), ['index.html', 'junit.xml', 'report.md', 'results.json']);
});

const FAILING_RULE = 'users.list.account-id-required';

test('a server is tested with a profile, and no report contains a secret', async () => {
  const reports = join(folder, 'foreign');
  const profile = writeTestFile(
    'profile.yaml',
    `baseUrl: ${baseUrl}
headers: { x-api-key: "\${KEY_OF_TEST}" }
tokens: { full: opaque-token }
accounts: { main: 00000000-0000-4000-8000-000000000001, manyUsers: 00000000-0000-4000-8000-000000000002 }
notApplicable: [{ rule: ${TESTED_RULE}, reason: lists are elsewhere }]`,
  );
  const args = [
    '--profile',
    profile,
    '--form',
    'flat',
    '--report-dir',
    reports,
    '--rule',
    FAILING_RULE,
    TESTED_RULE,
    'users.get.by-base62-id',
  ];
  const { status, stdout, stderr } = await xpk(...args);
  assert.equal(status, 1, stdout + stderr);
  assert.match(stdout, /Not fully tested: missing capabilities\n {2}user\.base62/);
  const texts = [stdout, stderr, ...readdirSync(reports).map((name) => readFileSync(join(reports, name), 'utf8'))];
  for (const text of texts) assert.doesNotMatch(text, /opaque-token|api-key-value/);
  const { rules } = JSON.parse(readFileSync(join(reports, 'results.json'), 'utf8')) as Results;
  const broken = rules.find(({ id }) => id === FAILING_RULE);
  assert.equal(broken?.cells.flat?.checks[0]?.failure?.traceId, 'trace-1');
  assert.deepEqual(new Set(rules.map(({ verdict }) => verdict)), new Set(['failed', 'not-applicable', 'not-testable']));
  assert.match(readFileSync(join(reports, 'junit.xml'), 'utf8'), /not-applicable: lists are elsewhere/);

  const known = writeTestFile('known.yaml', `- { rule: ${FAILING_RULE}, reason: known since spring }`);
  const tolerating = await xpk(...args, '--baseline', known);
  assert.equal(tolerating.status, 0);
  assert.match(tolerating.stdout, /The baseline tolerates 1 failed rule\./);
  assert.equal((await xpk(...args, '--fail-on', 'users.get.*')).status, 0);
  assert.equal((await xpk(...args, '--baseline', known, '--strict')).status, 1);
});

test('a run against a server with endless response bodies ends with a report that names the limit', async () => {
  await using endless = await startEndlessServer();
  const { status, results } = await runXpk(['--base-url', endless.url, '--rule', FAILING_RULE, '--form', 'flat'], { XPK_TOKEN: 'opaque' });
  assert.equal(status, 1);
  assert.match(JSON.stringify(results.rules), /\/users\?accountId=[^"]*: the body is larger than 16 MB/);
});
