// The one check, the same here and in CI, fastest first. `--only name,name` runs some; `--from name` goes on after a failure.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

type Command = readonly [program: string, ...args: string[]];

interface Step {
  readonly name: string;
  /** Several run at once, as much of each is waiting. */
  readonly commands: readonly Command[];
}

const contract = ['openapi', 'asyncapi', 'authorization', 'control'].map((name) => `openapi/${name}.yaml`);

const steps: readonly Step[] = [
  {
    name: 'static',
    commands: [
      ['tsx', 'scripts/generate.ts', '--check'],
      ['redocly', 'lint', '--format=summary', ...contract],
      ['tsc', '--noEmit', '-p', 'tsconfig.json'],
      ['biome', 'check', '--error-on-warnings'],
      ['depcruise', 'src', '--config', '.dependency-cruiser.cjs'],
    ],
  },
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

// Tests start Node some hundred times: what it compiled of the sources is good for the next.
const COMPILED = join(import.meta.dirname, '../node_modules/.cache/compiled');

const { values } = parseArgs({ options: { only: { type: 'string' }, from: { type: 'string' } } });
const only = values.only?.split(',');
for (const name of [...(only ?? []), ...(values.from ? [values.from] : [])]) {
  if (!steps.some((step) => step.name === name)) {
    console.error(`There is no step "${name}"; they are ${steps.map((step) => step.name).join(', ')}.`);
    process.exit(2);
  }
}

let started = values.from === undefined;
for (const { name, commands } of steps) {
  started ||= name === values.from;
  if (!started || (only && !only.includes(name))) continue;
  const begun = performance.now();
  console.log(`\n── ${name}: ${commands.map((command) => command.join(' ')).join(' | ')}`);
  const statuses = await Promise.all(commands.map((command) => run(command, commands.length === 1)));
  if (statuses.some((status) => status !== 0)) {
    console.error(`\n✗ ${name} failed. Once mended: npm run check -- --from ${name}`);
    process.exit(1);
  }
  console.log(`── ${name}: good, ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

/** @param isAlone else what it says is shown when it ends, so that it is not mixed with what others say. */
async function run([program, ...args]: Command, isAlone: boolean): Promise<number | null> {
  const child = spawn(program, args, {
    stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', NODE_COMPILE_CACHE: COMPILED },
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => said.push(chunk));
  const [status] = (await once(child, 'close')) as [number | null];
  process.stdout.write(Buffer.concat(said));
  return status;
}
