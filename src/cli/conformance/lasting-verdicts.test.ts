import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Results } from '../../contract/generated/results.ts';
import { createFinding, createSmallResults, DOCUMENTED_RULE, passedFindings } from '../../report/testing/small-results.ts';
import { run } from '../testing/run.ts';

const xpk = (...args: readonly string[]) => run('conformance', ...args);
const folder = mkdtempSync(join(tmpdir(), 'xpk-verdicts-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function writeResults(name: string, results: Results): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(results));
  return path;
}

const good = writeResults('good.json', createSmallResults(passedFindings));
const bad = writeResults(
  'bad.json',
  createSmallResults([...passedFindings, createFinding(DOCUMENTED_RULE, 'flat', 'failed')], { startedAt: '2026-01-03T00:00:00.000Z' }),
);

for (const [args, reason] of [
  [
    ['--requirements', '2026-13'],
    /--requirements 2026-13: There are no such requirements\.( Did you mean "[\d-]+"\?)? The names are: 2026-11/,
  ],
  [['requirements', 'diff', 'old'], /requirements diff old: There are no such requirements\./],
  [['--verify', '1'], /'1' is invalid/],
  [['--failed', good], /--failed .*good\.json: No rule failed in this run/],
  [['--failed', join(folder, 'none.json')], /none\.json: The file cannot be read/],
  [['--failed', bad, '--rule', 'users.*'], /Give either --rule or --failed\./],
  [['matrix', join(folder, 'none.json')], /none\.json: The file cannot be read/],
  [['matrix'], /missing required argument 'results'/],
  [['--har', 'x.har', '--verify', '3'], /--har sends no requests, so omit --verify\./],
  [['--har', 'x.har', '--target-version', '3'], /--har sends no requests, so omit --target-version\./],
] as [string[], RegExp][])
  test(`xpk conformance ${args.join(' ').replaceAll(folder, 'FOLDER')} explains what is wrong`, async () => {
    const { status, stderr } = await xpk(...args);
    assert.deepEqual([status, reason.test(stderr)], [2, true], stderr);
  });

test('xpk check refuses unknown requirements, too', async () => {
  const { status, stderr } = await run('check', 'client', '--har', 'x.har', '--requirements', 'none');
  assert.deepEqual([status, /The names are: 2026-11/.test(stderr)], [2, true], stderr);
});

test('xpk conformance --failed tests only the rules that failed in an earlier run, and the results name what was tested', async () => {
  const reports = join(folder, 'reports');
  const options = '--form flat --requirements 2026-11 --target-version 1.2.3 --seed 7'.split(' ');
  const { status, stdout, stderr } = await xpk('--failed', bad, '--report-dir', reports, ...options);
  assert.equal(status, 0, stdout + stderr);
  const { rules, target, requirements, seed } = JSON.parse(readFileSync(join(reports, 'results.json'), 'utf8')) as Results;
  assert.deepEqual(
    rules.map(({ id }) => id),
    [DOCUMENTED_RULE],
  );
  assert.deepEqual([target.version, seed, requirements?.name], ['1.2.3', 7, '2026-11']);
  assert.match(requirements?.digest ?? '', /^[\da-f]{64}$/);
});

test('xpk conformance matrix writes a page and badges, and prints which version broke what', async () => {
  const output = join(folder, 'matrix');
  const { status, stdout } = await xpk('matrix', bad, good, '--output', output);
  assert.equal(status, 0);
  assert.match(
    stdout,
    /^https:\/\/api\.example\.com 2026-01-02: 3 of 3\n.* 2026-01-03: 2 of 3; broke assignments\.list\.filter-required\nWrote /,
  );
  assert.deepEqual(readdirSync(output).sort(), [
    'api.example.com-2026-01-02.svg',
    'api.example.com-2026-01-03.svg',
    'api.example.com.svg',
    'index.html',
  ]);
});

test('xpk conformance requirements diff compares the newest frozen set with the rules of this version', async () => {
  const { status, stdout } = await xpk('requirements', 'diff', '--json');
  const { before, after } = JSON.parse(stdout);
  assert.deepEqual([status, before, after.startsWith('xpk ')], [0, '2026-11', true]);
});
