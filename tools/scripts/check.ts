// Runs the checks that must pass before a push. `--slow` runs the slow checks instead, which need the build. `--fast` runs only the static
// checks and the service's tests on SQLite. `--only name,name` runs only the named steps. `--from name` skips earlier steps.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DOCUMENTS } from './generate/documents.ts';

const STATIC_COMMANDS = [
  'tsc -p tsconfig.json --incremental --tsBuildInfoFile node_modules/.cache/types.tsbuildinfo',
  'tsc -p src/console',
  'node tools/scripts/generate.ts --check',
  `redocly lint --config tools/redocly.yaml --format=summary ${DOCUMENTS.map((name) => `openapi/${name}.yaml`).join(' ')}`,
  'biome check --config-path=tools/biome.config.json --error-on-warnings',
  'depcruise src conformance examples tools/scripts tools/bench tools/chaos --config tools/dependency-cruiser.cjs',
  'knip --config tools/knip.json --no-progress',
];
/** The groups run in sequence. All steps and commands in a group run concurrently. */
type Groups = readonly Readonly<Record<string, readonly string[]>>[];

const GROUPS: Groups = [
  { static: STATIC_COMMANDS, build: ['node tools/scripts/build.ts'] },
  // Run this step alone, because some rules are not testable on a busy machine.
  { conformance: ['node --import ./tools/scripts/suite-requests.ts src/cli/xpk.cjs conformance --strict --report-dir conformance-report'] },
  { profile: ['node tools/scripts/profile-steps.ts --check'], mutants: ['node conformance/proof/run.ts --only mutants'] },
  { tests: ['node tools/scripts/run-tests.ts'] },
];
const SLOW_GROUPS: Groups = [
  // Not at the same time, because replicas lack database connections on a busy machine.
  { prove: ['node conformance/proof/run.ts --only variants,permitted,nothing'] },
  { targets: ['node conformance/proof/run.ts --only targets,breaches,traffic,consumers'] },
  {
    package: ['node tools/scripts/tarball.ts', 'node tools/scripts/binary.ts', 'node tools/scripts/container.ts'],
    tests: ['node tools/scripts/run-tests.ts --slow'],
  },
];
const FAST_GROUPS: Groups = [{ static: STATIC_COMMANDS, tests: ['node tools/scripts/run-tests.ts --fast'] }];

// Tests start Node hundreds of times, so caching the compiled code saves time.
const COMPILE_CACHE = resolve('node_modules/.cache/compiled');

const { values } = parseArgs({
  options: { only: { type: 'string' }, from: { type: 'string' }, slow: { type: 'boolean' }, fast: { type: 'boolean' } },
});
const [groups, option] = values.fast ? [FAST_GROUPS, '--fast '] : values.slow ? [SLOW_GROUPS, '--slow '] : [GROUPS, ''];
const names = groups.flatMap((group) => Object.keys(group));
const only = values.only?.split(',') ?? names;
const from = values.from ?? names[0]!;
const unknown = [...only, from].find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`There is no step "${unknown}". The steps are ${names.join(', ')}.`);
  process.exit(2);
}
const selected = only.filter((name) => names.indexOf(name) >= names.indexOf(from));

/** The end of each failed command's output, which is printed again when all steps have ended. */
const failures: string[] = [];

for (const group of groups) {
  const steps = Object.entries(group).filter(([name]) => selected.includes(name));
  const failed = (await Promise.all(steps.map(([name, commands], index) => runStep(name, commands, index === steps.length - 1)))).flat();
  if (failed.length > 0) {
    for (const output of failures) console.error(output);
    console.error(`\n✗ failed: ${failed.join(', ')}. To continue after a fix: npm run check -- ${option}--from ${failed[0]}`);
    process.exit(1);
  }
}

/** @returns the step's name if the step failed */
async function runStep(name: string, commands: readonly string[], isLast: boolean): Promise<string[]> {
  const started = performance.now();
  console.log(`\n── ${name}: ${commands.join(' | ')}`);
  const statuses = await Promise.all(commands.map((command, index) => runCommand(command, isLast && index === commands.length - 1)));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const failed = statuses.some((status) => status !== 0);
  console.log(`── ${name}: ${failed ? 'failed' : 'passed'}, ${seconds} s`);
  return failed ? [name] : [];
}

/** @param isShown whether to print the output while the command runs instead of at its end */
async function runCommand(command: string, isShown: boolean): Promise<number | null> {
  const [program = '', ...args] = command.split(' ');
  const child = spawn(program, args, {
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => output.push(chunk));
  const [status] = (await once(child, 'close')) as [number | null];
  const text = Buffer.concat(output).toString();
  process.stdout.write(text);
  if (status !== 0 && !isShown) failures.push(`\n── ${command} exited with ${status}:\n${text.slice(-3000)}`);
  return status;
}
