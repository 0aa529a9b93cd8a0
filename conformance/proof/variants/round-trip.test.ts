import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createKit } from '../../../src/kit.ts';
import { observable, planVariants } from './plan.ts';

/** Runs beside this process, which has to answer meanwhile. */
function xpk(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['src/cli/main.ts', 'conformance', ...args]);
  const text: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => text.push(String(chunk)));
  return new Promise((resolve, reject) => {
    child.on('close', (status) => (status === 0 ? resolve(text.join('')) : reject(new Error(text.join('')))));
  });
}

// Those about rates have to be measured, which takes time, and the last is seen only where time may be moved on: `npm run variants` sees them.
const isQuick = (id: string) => !id.startsWith('limits.') && id !== 'oauth.code-lifetime';

test('a kit that is started with the decisions that were seen at another one decides as that does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'round-trip-'));
  const [set = {}] = planVariants(isQuick);
  const seen = await createKit({ port: 0, set });
  try {
    const decisions = join(folder, 'real.yaml');
    const files = ['--write-decisions', decisions, '--report-dir', join(folder, 'report')];
    const said = await xpk('--base-url', seen.url, '--rule', 'users.get.scope', '--form', 'prefixed', ...files);
    const again = await createKit({ port: 0, decisions });
    await again.close();
    for (const id of observable.filter(isQuick)) assert.equal(again.decisions[id], seen.decisions[id], `${id}\n${said}`);
  } finally {
    await seen.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
