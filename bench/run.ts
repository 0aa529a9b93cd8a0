// Compares the speed of the built kit with the speed of bare Express and Prism. The ratios are comparable between machines, but the
// absolute figures are not.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { pinned, repositoryFile } from './processes.ts';
import { type Row, type Scenario, table, verdict } from './report.ts';
import { deliveries } from './scenarios/deliveries.ts';
import { assignability, create, page, scale } from './scenarios/requests.ts';
import { cold, commands, reset } from './scenarios/startup.ts';
import { suite } from './scenarios/suite.ts';

const scenarios: Readonly<Record<string, Scenario>> = { assignability, page, create, scale, cold, commands, reset, deliveries, suite };
const NAMES = Object.keys(scenarios).join();
const USAGE = `npm run bench -- [--rounds 5] [--seconds 1.5] [--only ${NAMES}] [--no-build] [--json FILE]`;

try {
  await main();
} catch (error) {
  console.error(`${(error as Error).message}\n${USAGE}`);
  process.exit(1);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '1.5' },
      only: { type: 'string', default: NAMES },
      build: { type: 'boolean', default: true },
      json: { type: 'string' },
    },
  });
  const options = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
  if (!(options.rounds > 0 && Number.isInteger(options.rounds)))
    throw new Error(`--rounds must be a positive integer, not ${values.rounds}.`);
  if (!(options.seconds > 0)) throw new Error(`--seconds must be a number above 0, not ${values.seconds}.`);
  const only = values.only.split(',');
  for (const name of only)
    if (!Object.hasOwn(scenarios, name)) throw new Error(`--only: unknown scenario ${name}. The scenarios are ${NAMES}.`);

  if (values.build) {
    console.error('building dist');
    execFileSync(process.execPath, [repositoryFile('scripts/build.ts')], { cwd: repositoryFile('.'), stdio: 'inherit' });
  }
  console.error(
    pinned ? 'servers on core 0, load on core 1' : 'processes are not pinned to cores, so figures by requests/s are not reliable',
  );
  // Print the load average, because other load on the machine distorts the figures. Figures for CPU time are distorted less than figures
  // for requests/s.
  const load = `load average before ${loadavg()[0]!.toFixed(1)}`;
  console.error(load);
  const rows: Row[] = [];
  for (const scenario of only) rows.push(...(await scenarios[scenario]!(options, (text) => console.error(`${scenario}: ${text}`))));
  const machine = { node: process.version, cpu: cpus()[0]?.model };
  console.log(`${table(rows)}\n\nmedian (min–max) of ${options.rounds} rounds; Node ${machine.node}, ${machine.cpu}, ${load}`);
  if (values.json === undefined) return;
  const withVerdicts = rows.map((row) => ({ ...row, verdict: verdict(row) }));
  writeFileSync(values.json, `${JSON.stringify({ ...machine, options, rows: withVerdicts }, null, 2)}\n`);
}
