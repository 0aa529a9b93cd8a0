// Makes mutants of src/domain, with one small change each, and fails unless the unit tests kill all of them. A comment in the code excepts
// mutants that no test can kill, with the reason. `npm run mutation -- src/domain/rate.ts` makes mutants of this file only.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { recordFigures } from '../scripts/figures.ts';
import { installTools } from '../scripts/install-tools.ts';
import config from './stryker.config.json' with { type: 'json' };

const report = config.jsonReporter.fileName;
const files = process.argv.slice(2);

installTools(import.meta.dirname);
rmSync(report, { force: true });
const stryker = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const args = ['run', join(import.meta.dirname, 'stryker.config.json'), ...(files.length > 0 ? ['--mutate', files.join(',')] : [])];
const env = { ...process.env, NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') };
const { status } = spawnSync(process.execPath, [stryker, ...args], { stdio: 'inherit', env });
process.exitCode = status ?? 1;

if (files.length === 0 && existsSync(report)) {
  const results = JSON.parse(readFileSync(report, 'utf8')) as { files: Record<string, { mutants: { status: string }[] }> };
  const statuses = Object.values(results.files).flatMap(({ mutants }) => mutants.map((mutant) => mutant.status));
  const excepted = statuses.filter((each) => each === 'Ignored').length;
  const killed = statuses.filter((each) => each === 'Killed' || each === 'Timeout').length;
  recordFigures('mutation', { mutants: statuses.length, killed, excepted, failures: process.exitCode });
}
