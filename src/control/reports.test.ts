import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { createKit } from '../kit.ts';
import { listReports } from '../report/report-folder.ts';
import { createSmallResults, passedFindings } from '../report/testing/small-results.ts';
import { formatResults } from '../report/write-reports.ts';
import { callControl } from './testing/call.ts';

type Schemas = components['schemas'];

const results = createSmallResults(passedFindings);
const folder = await mkdtemp(join(tmpdir(), 'xpk-reports-'));
for (const [name, text] of [
  ['suite', formatResults(results)],
  ['not-a-report', '{}'],
  ['of-an-earlier-version', JSON.stringify(results)],
] as const) {
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, 'results.json'), text);
  await writeFile(join(folder, name, 'index.html'), `<p>${name}</p>`);
}
await symlink(join(folder, 'suite'), join(folder, 'link'));
await mkdir(join(folder, 'linked-file'));
await symlink(join(folder, 'suite', 'results.json'), join(folder, 'linked-file', 'results.json'));
const kit = await createKit({ port: 0, reports: folder });
after(async () => {
  await kit.close();
  await rm(folder, { recursive: true });
});

test('the control API lists the reports in the folder, but not symbolic links, results of earlier versions or other files', async () => {
  const { body } = await callControl<Schemas['Report'][]>(kit.url, 'GET', '/reports');
  assert.deepEqual(
    body.map(({ name, kind, rules }) => [name, kind, Object.values(rules).reduce((sum, count) => sum + count)]),
    [['suite', results.target.kind, results.rules.length]],
  );
});

test('a list of reports reads at most 64 KiB of each report', { skip: process.platform !== 'linux' }, async (t) => {
  const large = await mkdtemp(join(tmpdir(), 'xpk-large-reports-'));
  t.after(() => rm(large, { recursive: true }));
  const rules = results.rules.map((rule) => ({ ...rule, text: 'x'.repeat(2_000_000) }));
  const names = ['a', 'b', 'c'];
  for (const name of names) {
    await mkdir(join(large, name));
    await writeFile(join(large, name, 'results.json'), formatResults({ ...results, rules }));
  }
  const countBytesRead = async () => Number(/^rchar: (\d+)$/m.exec(await readFile('/proc/self/io', 'utf8'))?.[1]);
  // Loads the modules and compiles the schema.
  await listReports(folder);
  const before = await countBytesRead();
  const reports = await listReports(large);
  const read = (await countBytesRead()) - before;
  assert.equal(reports.length, names.length);
  assert.ok(read > 0 && read < (names.length + 1) * 64 * 1024, `${read} bytes were read`);
});

test('GET /reports/{name} returns the report with its HTML page, and refuses names of files outside the folder', async () => {
  const { body } = await callControl<Schemas['ReportWithPage']>(kit.url, 'GET', '/reports/suite');
  assert.equal(body.html, '<p>suite</p>');
  for (const name of ['link', 'linked-file', 'not-a-report', '..%2Fsuite', '%2Fetc', 'suite%2F..%2Fsuite', 'suite%00', '..%5Csuite'])
    assert.equal((await fetch(`${kit.url}/_control/reports/${name}`)).status, 404, name);
});

test('reports can be listed while a run replaces a report', async () => {
  const replaced = join(folder, 'replaced');
  await mkdir(replaced);
  let done = false;
  const replace = async () => {
    for (let n = 0; n < 100; n++) {
      await writeFile(join(replaced, 'results.json'), formatResults(results));
      await rm(join(replaced, 'results.json'));
    }
    done = true;
  };
  const statuses = new Set<number>();
  const list = async () => {
    while (!done) statuses.add((await callControl(kit.url, 'GET', '/reports')).status);
  };
  await Promise.all([replace(), list(), list()]);
  assert.deepEqual([...statuses], [200]);
});

test('only the calls after the given journal number are checked', async () => {
  const list = (query: string) => fetch(`${kit.url}/experience-connections?${query}=1`, { headers: { authorization: 'Bearer x' } });
  await list('tn');
  const read = async (query = '') => {
    const { body } = await callControl<Schemas['Findings']>(kit.url, 'GET', `/findings${query}`);
    const rule = body.rules.find(({ id }) => id === 'client.telephone-number-not-tn');
    return { ...body, verdict: rule?.verdict, calls: body.calls, outcome: rule?.outcomes[0] };
  };
  const { verdict, outcome, coverage, first } = await read();
  assert.equal(verdict, 'failed');
  assert.match(outcome?.text ?? '', /deprecated parameter tn/);
  assert.deepEqual(
    outcome?.calls.map(({ breaks }) => breaks),
    [true],
  );
  assert.ok(coverage.some(({ operation, status, met }) => operation === 'getExperienceConnections' && status === 401 && met === 1));
  assert.equal((await read(`?since=${first}`)).verdict, 'not-exercised');
  assert.equal((await read('?lists=whole')).verdict, 'failed');
});
