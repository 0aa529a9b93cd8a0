// Every check, the same here and in CI. `--only name,name` runs some of the steps, `--from name` continues after a failure, and `--fast` runs what a change
// of src needs first: generated files, lint, types and the unit tests of src on SQLite.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

type Command = readonly [program: string, ...args: string[]];

interface Step {
  readonly name: string;
  /** They run at once, because each of them waits or has only one thread. */
  readonly commands: readonly Command[];
}

const NODE_MODULES = join(import.meta.dirname, '../node_modules');
const contract = ['openapi', 'asyncapi', 'authorization', 'control'].map((name) => `openapi/${name}.yaml`);

const statics: Step = {
  name: 'static',
  commands: [
    ['tsc', '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', join(NODE_MODULES, '.cache/types.tsbuildinfo')],
    ['tsx', 'scripts/generate.ts', '--check'],
    ['redocly', 'lint', '--format=summary', ...contract],
    ['biome', 'check', '--error-on-warnings'],
    ['depcruise', 'src', 'conformance', 'scripts', 'bench', 'chaos', 'examples', '--config', '.dependency-cruiser.cjs'],
  ],
};

const steps: readonly Step[] = [
  statics,
  { name: 'build', commands: [['node', 'scripts/build.ts']] },
  {
    name: 'conformance',
    commands: [
      ['node', 'bin/xpk.cjs', 'conformance', '--strict', '--report-dir', 'conformance-report'],
      ['tsx', 'scripts/tarball.ts'],
    ],
  },
  { name: 'prove', commands: [['tsx', 'conformance/proof/run.ts']] },
  { name: 'tests', commands: [['npm', 'run', '--silent', 'test:unit']] },
];
const fastSteps: readonly Step[] = [statics, { name: 'tests', commands: [['npm', 'run', '--silent', 'test:fast']] }];

// Tests start Node hundreds of times. Each start reuses what earlier ones compiled.
const COMPILE_CACHE = join(NODE_MODULES, '.cache/compiled');

const { values } = parseArgs({
  options: { only: { type: 'string' }, from: { type: 'string' }, fast: { type: 'boolean', default: false } },
});
const planned = values.fast ? fastSteps : steps;
const only = values.only?.split(',');
for (const name of [...(only ?? []), ...(values.from ? [values.from] : [])]) {
  if (!planned.some((step) => step.name === name)) {
    console.error(`There is no step "${name}". The steps are ${planned.map((step) => step.name).join(', ')}.`);
    process.exit(2);
  }
}

const first = planned.findIndex(({ name }) => name === (values.from ?? name));
for (const { name, commands } of planned.slice(first)) {
  if (only && !only.includes(name)) continue;
  const started = performance.now();
  console.log(`\n── ${name}: ${commands.map((command) => command.join(' ')).join(' | ')}`);
  const statuses = await Promise.all(commands.map((command) => run(command, commands.length === 1)));
  if (statuses.some((status) => status !== 0)) {
    console.error(`\n✗ ${name} failed. To continue after a fix: npm run check -- ${values.fast ? '--fast ' : ''}--from ${name}`);
    process.exit(1);
  }
  console.log(`── ${name}: passed, ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/** @param isAlone Otherwise the output is printed when the command ends, so that outputs do not mix. */
async function run([program, ...args]: Command, isAlone: boolean): Promise<number | null> {
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
