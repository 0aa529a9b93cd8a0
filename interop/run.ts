// Installs the tools of this folder and runs every check: one line per tool, with its result and its time. Fails if one fails.
// `npm run interop -- orval jest` runs the checks whose names begin so.
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Check, run } from './check.ts';
import { generators } from './generators.ts';
import { knownFailures } from './known-failures.ts';
import { linters } from './linters.ts';
import { packageChecks } from './package-checks.ts';
import { traffic } from './traffic.ts';

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`.padStart(7);
const started = performance.now();
const NO_FAILURE = 'The check passes now: remove its entry from known-failures.ts.';

await install();
const selection = process.argv.slice(2);
const all: readonly Check[] = [...generators, ...linters, ...traffic, ...packageChecks];
const checks = selection.length === 0 ? all : all.filter(({ name }) => selection.some((start) => name.startsWith(start)));
const unknown = [
  ...selection.filter((start) => !all.some(({ name }) => name.startsWith(start))),
  ...Object.keys(knownFailures).filter((known) => !all.some(({ name }) => name === known)),
];
if (unknown.length > 0)
  throw new Error(`There is no check ${unknown.join(', ')}. The checks are ${all.map(({ name }) => name).join(', ')}.`);

const waiting = [...checks];
const passed: boolean[] = [];
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) passed.push(await report(check));
  }),
);
const failures = passed.filter((isPassed) => !isPassed).length;
console.log(`${passed.length - failures} passed, ${failures} failed. ${seconds(started)}`);
process.exitCode = failures > 0 || passed.length === 0 ? 1 : 0;

/** Runs a check and prints its line. @returns whether the result is the expected one */
async function report({ name, run }: Check): Promise<boolean> {
  const start = performance.now();
  const message = await run().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const known = knownFailures[name];
  const isExpected = known === undefined ? message === undefined : message?.includes(known) === true;
  const details = known !== undefined && isExpected ? `  known failure: ${known}` : `\n${message ?? NO_FAILURE}`;
  const mark = !isExpected ? '✗' : known === undefined ? '✓' : '-';
  console.log(`${mark} ${name.padEnd(28)} ${seconds(start)}${mark === '✓' ? '' : details.split('\n').slice(0, 150).join('\n')}`);
  return isExpected;
}

/** Installs the tools if the lockfile has changed since they were installed. No install script runs. */
async function install(): Promise<void> {
  const lockfile = join(import.meta.dirname, 'package-lock.json');
  const installed = join(import.meta.dirname, 'node_modules/.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lockfile))) return;
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']);
  copyFileSync(lockfile, installed);
  console.log(`  ${'installed the tools'.padEnd(28)} ${seconds(started)}`);
}
