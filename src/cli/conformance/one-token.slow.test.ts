import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { createKit } from '../../kit.ts';
import { listen } from '../../store/testing/listen.ts';
import { listVerdicts, runXpk } from './testing/run-xpk.ts';

// All checks of these rules need only an access token.
const TESTABLE_RULES = ['assignments.list.value-needs-type', 'connections.list.tn-format', 'users.list.cursor-malformed'];
// Some checks of these rules need more than an access token.
const PARTLY_TESTABLE_RULES = ['http.problem.trace-id', 'http.path-forms.flat-served', 'http.bodies-are-json', 'auth.token.missing'];
const ALL_RULES = ['--form', 'flat', '--rule', ...TESTABLE_RULES, ...PARTLY_TESTABLE_RULES, 'users.get.by-unified-id'];

test('with only an access token, rules that need nothing else are tested, and the report lists what the other rules need', async () => {
  const kit = await createKit({ port: 0, control: false });
  const folder = mkdtempSync(join(tmpdir(), 'one-token-'));
  try {
    const { full: token } = await kit.tokens();
    const decisions = join(folder, 'decisions.yaml');
    const run = await runXpk(['--base-url', kit.url, '--write-decisions', decisions, ...ALL_RULES], { XPK_TOKEN: token! });
    assert.deepEqual(
      listVerdicts(run),
      {
        ...Object.fromEntries(TESTABLE_RULES.map((rule) => [rule, 'passed'])),
        ...Object.fromEntries(PARTLY_TESTABLE_RULES.map((rule) => [rule, 'partly-tested'])),
        'users.get.by-unified-id': 'not-testable',
      },
      run.stdout,
    );
    assert.match(run.stdout, /\n {2}users +\d rules? +freeUsers, or the hook users, in the profile\n/);
    assert.ok(!JSON.stringify(run.results).includes(token!));
    assert.deepEqual(parse(readFileSync(decisions, 'utf8')), {}, 'no decision is observed, because the suite knows no account');
  } finally {
    await kit.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('if the suite has only an access token, no rule passes for a server that accepts any token and responds with empty lists or 404', async () => {
  const server = createServer(({ url = '', headers }, response) => {
    const isList = /\/(users|experience-assignments|experience-connections)(\?|$)/.test(url);
    const status = headers.authorization === undefined ? 401 : isList ? 200 : 404;
    const body = status === 200 ? { entities: [], cursor: null, pageSize: 100, count: 0 } : { title: 'No', status, traceId: 'trace-1' };
    response.writeHead(status, { 'content-type': status === 200 ? 'application/json' : 'application/problem+json' });
    response.end(JSON.stringify(body));
  });
  await using listening = await listen(server);
  const run = await runXpk(['--base-url', listening.url, ...ALL_RULES], { XPK_TOKEN: 'opaque-token' });
  assert.deepEqual(
    Object.entries(listVerdicts(run)).filter(([, verdict]) => verdict === 'passed' || verdict === 'partly-tested' || verdict === 'error'),
    [],
  );
});
