// The one check, the same here and in CI, fastest first. `--only name,name` runs some; `--from name` goes on after a failure.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const steps: readonly { name: string; command: readonly string[] }[] = [
  { name: 'generated', command: ['tsx', 'scripts/generate.ts', '--check'] },
  {
    name: 'contract',
    command: [
      'redocly',
      'lint',
      '--format=summary',
      'openapi/openapi.yaml',
      'openapi/asyncapi.yaml',
      'openapi/authorization.yaml',
      'openapi/control.yaml',
    ],
  },
  { name: 'types', command: ['tsc', '--noEmit', '-p', 'tsconfig.json'] },
  { name: 'style', command: ['biome', 'check', '--error-on-warnings'] },
  { name: 'imports', command: ['depcruise', 'src', '--config', '.dependency-cruiser.cjs'] },
  { name: 'build', command: ['node', 'scripts/build.ts'] },
  { name: 'conformance', command: ['node', 'bin/xpk.cjs', 'conformance', '--strict', '--report-dir', 'conformance-report'] },
  { name: 'sabotage', command: ['tsx', 'conformance/sabotage/run.ts'] },
  { name: 'variants', command: ['tsx', 'conformance/variants/run.ts'] },
  { name: 'golden', command: ['tsx', 'conformance/golden/run.ts'] },
  { name: 'second-opinion', command: ['tsx', 'conformance/second-opinion/run.ts'] },
  { name: 'tarball', command: ['tsx', 'scripts/tarball.ts'] },
  { name: 'tests', command: ['npm', 'run', '--silent', 'test:unit'] },
];

const { values } = parseArgs({ options: { only: { type: 'string' }, from: { type: 'string' } } });
const only = values.only?.split(',');
for (const name of [...(only ?? []), ...(values.from ? [values.from] : [])]) {
  if (!steps.some((step) => step.name === name)) {
    console.error(`There is no step "${name}"; they are ${steps.map((step) => step.name).join(', ')}.`);
    process.exit(2);
  }
}

let started = values.from === undefined;
for (const { name, command } of steps) {
  started ||= name === values.from;
  if (!started || (only && !only.includes(name))) continue;
  const begun = performance.now();
  console.log(`\n── ${name}: ${command.join(' ')}`);
  const [program, ...args] = command as [string, ...string[]];
  const { status } = spawnSync(program, args, {
    stdio: 'inherit',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
  });
  if (status !== 0) {
    console.error(`\n✗ ${name} failed. Once mended: npm run check -- --from ${name}`);
    process.exit(1);
  }
  console.log(`── ${name}: good, ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}
