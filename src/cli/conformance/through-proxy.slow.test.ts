import assert from 'node:assert/strict';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Results } from '../../contract/generated/results.ts';
import { createKit } from '../../kit.ts';
import { XPK_FILE } from '../../testing/tested-package.ts';
import { startXpk, waitForExit } from '../testing/processes.ts';

const listRules = ({ rules }: Results, ...verdicts: readonly string[]): string[] =>
  rules.flatMap(({ id, verdict }) => (verdicts.includes(verdict) ? id : []));

test('a kit passes the suite through a proxy, and the traffic at the proxy shows that the kit follows most rules and breaks none', async () => {
  await using kit = await createKit({ port: 0, retries: 'fast' });
  using folder = mkdtempDisposableSync(join(tmpdir(), 'xpk-through-proxy-'));
  const suiteReports = join(folder.path, 'suite');
  const readResults = (reports: string) => JSON.parse(readFileSync(join(reports, 'results.json'), 'utf8')) as Results;
  const suite = `"${process.execPath}" "${XPK_FILE}" conformance --base-url "$XPK_URL" --report-dir "${suiteReports}"`;
  const proxy = ['proxy', '--to', kit.url, '--auth-to', kit.authUrl, '--report-dir', folder.path, '--json', '--', 'sh', '-c', suite];
  const { stdout, stderr } = await waitForExit(startXpk(proxy));
  const { requests } = JSON.parse(stdout) as { requests: number };
  assert.ok(requests > 5000, `${requests} requests passed the proxy:\n${stderr}`);

  const bySuite = readResults(suiteReports);
  assert.equal(bySuite.target.baseUrl === kit.url, false);
  // On a busy machine, the rate limit cannot be tested.
  const untested = listRules(bySuite, 'not-testable', 'partly-tested').filter((id) => !id.startsWith('limits.assignability.'));
  assert.deepEqual([listRules(bySuite, 'failed', 'error'), untested, bySuite.errors, bySuite.leftovers], [[], [], [], []], stderr);
  assert.deepEqual(bySuite.columns, ['prefixed', 'flat']);

  const byTraffic = readResults(join(folder.path, 'service'));
  assert.deepEqual([listRules(byTraffic, 'failed'), byTraffic.columns], [[], ['prefixed', 'flat']]);
  const passed = listRules(byTraffic, 'passed').length;
  assert.ok(passed > 150, `the traffic shows only ${passed} rules`);
});
