// Runs every check, locally and in CI. `--only name,name` runs some of the steps, and `--from name` continues after a failure. `--fast` runs
// only the checks for work on src: generated files, lint, types, and the unit tests of src on SQLite.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const STATIC = [
  'tsc -p tsconfig.json --incremental --tsBuildInfoFile node_modules/.cache/types.tsbuildinfo',
  'tsx scripts/generate.ts --check',
  'redocly lint --format=summary openapi/openapi.yaml openapi/asyncapi.yaml openapi/authorization.yaml openapi/control.yaml',
  'biome check --error-on-warnings',
  'depcruise src conformance scripts bench chaos examples --config .dependency-cruiser.cjs',
];
/** The commands of each step. The commands of a step run concurrently, because each command uses at most one core. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  static: STATIC,
  build: ['node scripts/build.ts'],
  conformance: ['node bin/xpk.cjs conformance --strict --report-dir conformance-report', 'tsx scripts/tarball.ts'],
  profile: ['tsx scripts/profile-steps.ts --check'],
  prove: ['tsx conformance/proof/run.ts'],
  tests: ['npm run --silent test:unit'],
};
const FAST_STEPS = { static: STATIC, tests: ['npm run --silent test:fast'] };

// Tests start Node hundreds of times. With this folder, each start reuses code that earlier starts compiled.
const COMPILE_CACHE = resolve('node_modules/.cache/compiled');

const { values } = parseArgs({
  options: { only: { type: 'string' }, from: { type: 'string' }, fast: { type: 'boolean', default: false } },
});
const planned = values.fast ? FAST_STEPS : STEPS;
const names = Object.keys(planned);
const only = values.only?.split(',') ?? names;
const from = values.from ?? names[0]!;
const unknown = [...only, from].find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`There is no step "${unknown}". The steps are ${names.join(', ')}.`);
  process.exit(2);
}

for (const [name, commands] of Object.entries(planned).slice(names.indexOf(from))) {
  if (!only.includes(name)) continue;
  const started = performance.now();
  console.log(`\n── ${name}: ${commands.join(' | ')}`);
  const statuses = await Promise.all(commands.map((command) => run(command, commands.length === 1)));
  if (statuses.some((status) => status !== 0)) {
    console.error(`\n✗ ${name} failed. To continue after a fix: npm run check -- ${values.fast ? '--fast ' : ''}--from ${name}`);
    process.exit(1);
  }
  console.log(`── ${name}: passed, ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/**
 * Runs a command. The output of concurrent commands is printed when each command ends, so that it does not mix.
 * @param isAlone true if no other command runs, so that the output can be printed immediately
 */
async function run(command: string, isAlone: boolean): Promise<number | null> {
  const [program = '', ...args] = command.split(' ');
  const child = spawn(program, args, {
    stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => output.push(chunk));
  const [status] = (await once(child, 'close')) as [number | null];
  process.stdout.write(Buffer.concat(output));
  return status;
}
