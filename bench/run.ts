// Compares the built kit with bare Express and Prism, side by side in one run, since ratios travel between machines and figures do not.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { pinned, repositoryFile } from './child.ts';
import { readOptions, type ScenarioName, USAGE } from './options.ts';
import { type Absolute, type Row, table, verdict } from './report.ts';
import { assignability } from './scenarios/assignability.ts';
import { cold } from './scenarios/cold.ts';
import { create } from './scenarios/create.ts';
import { deliveries } from './scenarios/deliveries.ts';
import { page } from './scenarios/page.ts';
import { reset } from './scenarios/reset.ts';
import { scale } from './scenarios/scale.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { suite } from './scenarios/suite.ts';

const scenarios: Record<ScenarioName, Scenario> = { assignability, page, create, scale, cold, reset, deliveries, suite };

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.build) {
    console.error('building dist');
    execFileSync(process.execPath, [repositoryFile('scripts/build.ts')], { cwd: repositoryFile('.'), stdio: 'inherit' });
  }
  console.error(pinned ? 'servers on core 0, load on core 1' : 'without cores of their own: figures by requests/s mean little');
  // Who else works on this machine falsifies the figures by requests/s, and less so those by CPU time.
  const busy = `load average before ${loadavg()[0]!.toFixed(1)}`;
  console.error(busy);
  const rows: Row[] = [];
  const absolutes: Absolute[] = [];
  for (const scenario of options.only) {
    const result = await scenarios[scenario](options, (text) => console.error(`${scenario}: ${text}`));
    rows.push(...result.rows);
    absolutes.push(...(result.absolutes ?? []).map((absolute) => ({ scenario, ...absolute })));
  }
  console.log(
    `${table(rows, absolutes)}\n\nmedian (min–max) of ${options.rounds} rounds; Node ${process.version}, ${cpus()[0]?.model}, ${busy}`,
  );
  if (options.json !== undefined) {
    const shown = rows.map((row) => ({ ...row, verdict: verdict(row) }));
    writeFileSync(
      options.json,
      `${JSON.stringify({ node: process.version, cpu: cpus()[0]?.model, options, rows: shown, absolutes }, null, 2)}\n`,
    );
  }
}

main().catch((error: Error) => {
  console.error(`${error.message}\n${USAGE}`);
  process.exit(1);
});
