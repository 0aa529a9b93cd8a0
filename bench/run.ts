// Compares the built kit with bare Express and Prism in one run, because ratios are comparable between machines and absolute figures are not.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { readOptions, type ScenarioName, USAGE } from './options.ts';
import { pinned, repositoryFile } from './processes.ts';
import { type Absolute, type Row, type Scenario, table, verdict } from './report.ts';
import { deliveries } from './scenarios/deliveries.ts';
import { assignability, create, page, scale } from './scenarios/requests.ts';
import { cold, reset } from './scenarios/startup.ts';
import { suite } from './scenarios/suite.ts';

const scenarios: Record<ScenarioName, Scenario> = { assignability, page, create, scale, cold, reset, deliveries, suite };

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.build) {
    console.error('building dist');
    execFileSync(process.execPath, [repositoryFile('scripts/build.ts')], { cwd: repositoryFile('.'), stdio: 'inherit' });
  }
  console.error(pinned ? 'servers on core 0, load on core 1' : 'processes are not pinned to cores: figures by requests/s mean little');
  // Other load on the machine distorts the figures by requests/s, and those by CPU time less.
  const load = `load average before ${loadavg()[0]!.toFixed(1)}`;
  console.error(load);
  const rows: Row[] = [];
  const absolutes: Absolute[] = [];
  for (const scenario of options.only) {
    const result = await scenarios[scenario](options, (text) => console.error(`${scenario}: ${text}`));
    rows.push(...result.rows);
    absolutes.push(...(result.absolutes ?? []).map((absolute) => ({ scenario, ...absolute })));
  }
  console.log(
    `${table(rows, absolutes)}\n\nmedian (min–max) of ${options.rounds} rounds; Node ${process.version}, ${cpus()[0]?.model}, ${load}`,
  );
  if (options.json !== undefined) {
    const withVerdicts = rows.map((row) => ({ ...row, verdict: verdict(row) }));
    writeFileSync(
      options.json,
      `${JSON.stringify({ node: process.version, cpu: cpus()[0]?.model, options, rows: withVerdicts, absolutes }, null, 2)}\n`,
    );
  }
}

main().catch((error: Error) => {
  console.error(`${error.message}\n${USAGE}`);
  process.exit(1);
});
