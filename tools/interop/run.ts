// Installs this folder's tools and runs every check. `npm run interop -- orval jest` runs only checks with these prefixes.
import { availableParallelism } from 'node:os';
import { installTools } from '../scripts/install-tools.ts';
import type { Check } from './check.ts';
import { generators } from './generators.ts';
import { linters } from './linters.ts';
import { packageChecks } from './package-checks.ts';
import { traffic } from './traffic.ts';

const formatSecondsSince = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`.padStart(7);
const started = performance.now();

if (installTools(import.meta.dirname)) console.log(`  ${'installed the tools'.padEnd(28)} ${formatSecondsSince(started)}`);
const selection = process.argv.slice(2);
const all: readonly Check[] = [...generators, ...linters, ...traffic, ...packageChecks];
const checks = selection.length === 0 ? all : all.filter(({ name }) => selection.some((start) => name.startsWith(start)));
const unknown = selection.filter((start) => !all.some(({ name }) => name.startsWith(start)));
if (unknown.length > 0)
  throw new Error(`There is no check ${unknown.join(', ')}. The checks are ${all.map(({ name }) => name).join(', ')}.`);

const remainingChecks = [...checks];
const passed: boolean[] = [];
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let check = remainingChecks.shift(); check; check = remainingChecks.shift()) passed.push(await runAndPrint(check));
  }),
);
const failures = passed.filter((isPassed) => !isPassed).length;
console.log(`${passed.length - failures} passed, ${failures} failed. ${formatSecondsSince(started)}`);
process.exitCode = failures > 0 ? 1 : 0;

async function runAndPrint({ name, run }: Check): Promise<boolean> {
  const start = performance.now();
  const formatLine = (mark: string) => `${mark} ${name.padEnd(28)} ${formatSecondsSince(start)}`;
  try {
    await run();
    console.log(formatLine('✓'));
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    console.log([formatLine('✗'), ...message.split('\n').slice(0, 150)].join('\n'));
    return false;
  }
}
