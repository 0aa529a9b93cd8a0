// Compares the built kit's speed with bare Express and Prism. Only the ratios are comparable between machines.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { COSTS } from './costs.ts';
import { EARLIER_RESULTS } from './history.ts';
import { addPeer, canPinToCore, resolveRepositoryFile } from './processes.ts';
import { formatAlignedTable, formatCells, formatMarkdownTable, formatVerdict, type Row, type Scenario } from './report.ts';
import { measureConsole } from './scenarios/console.ts';
import { measureDeliveries } from './scenarios/deliveries.ts';
import { measureDump, measureIdleKit, measureSecondKit, measureStreams, measureSubscriptions } from './scenarios/kit.ts';
import { measureMixed, measurePostgres } from './scenarios/mixed.ts';
import { measureProxy } from './scenarios/proxy.ts';
import { measureAssignability, measureCreate, measurePage, measureScale } from './scenarios/requests.ts';
import { measureColdStart, measureCommands, measureLargeStart, measureReset } from './scenarios/startup.ts';
import { measureSuite } from './scenarios/suite.ts';
import { measureWorlds } from './scenarios/worlds.ts';

const scenarios: Readonly<Record<string, Scenario>> = {
  ...{
    assignability: measureAssignability,
    page: measurePage,
    create: measureCreate,
    mixed: measureMixed,
    postgres: measurePostgres,
    scale: measureScale,
    deliveries: measureDeliveries,
    cold: measureColdStart,
    large: measureLargeStart,
    commands: measureCommands,
    second: measureSecondKit,
    reset: measureReset,
  },
  ...{
    idle: measureIdleKit,
    subscriptions: measureSubscriptions,
    dump: measureDump,
    streams: measureStreams,
    console: measureConsole,
    proxy: measureProxy,
    suite: measureSuite,
    worlds: measureWorlds,
  },
};
const SCENARIO_NAMES = Object.keys(scenarios).join();
const USAGE = `npm run bench -- [--rounds 5] [--seconds 1.5] [--only ${SCENARIO_NAMES}] [--no-build] [--json FILE] [--write] [--peer NAME=COMMAND]
  --write   write docs/performance.md
  --peer    also measure another mock server: a script for Node with its arguments, in which {port} and {contract} stand for the port and the OpenAPI document
One row in seconds: npm run bench -- --no-build --rounds 1 --seconds 0.5 --only second`;
const PAGE_PATH = 'docs/performance.md';

try {
  await runBenchmarks();
} catch (error) {
  console.error(`${(error as Error).message}\n${USAGE}`);
  process.exit(1);
}

async function runBenchmarks(): Promise<void> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '1.5' },
      only: { type: 'string', default: SCENARIO_NAMES },
      build: { type: 'boolean', default: true },
      json: { type: 'string' },
      write: { type: 'boolean', default: false },
      peer: { type: 'string', multiple: true, default: [] },
    },
  });
  const options = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
  if (!(options.rounds > 0 && Number.isInteger(options.rounds)))
    throw new Error(`--rounds must be a positive integer, not ${values.rounds}.`);
  if (!(options.seconds > 0)) throw new Error(`--seconds must be a number above 0, not ${values.seconds}.`);
  const only = values.only.split(',');
  for (const name of only)
    if (!Object.hasOwn(scenarios, name)) throw new Error(`--only: unknown scenario ${name}. The scenarios are ${SCENARIO_NAMES}.`);

  for (const peer of values.peer) addPeer(peer);

  if (values.build) {
    console.error('building dist');
    execFileSync(process.execPath, [resolveRepositoryFile('tools/scripts/build.ts')], {
      cwd: resolveRepositoryFile('.'),
      stdio: 'inherit',
    });
  }
  console.error(
    canPinToCore ? 'servers on core 0, load on core 1' : 'processes are not pinned to cores, so requests/s figures are not reliable',
  );
  // Print the load average, because other processes distort the figures, especially requests/s.
  const load = `load average before the run: ${loadavg()[0]!.toFixed(1)}`;
  console.error(load);
  const rows: Row[] = [];
  for (const scenario of only) {
    try {
      rows.push(...(await scenarios[scenario]!(options, (text) => console.error(`${scenario}: ${text}`))));
    } catch (error) {
      // The other rows took minutes, and are right.
      console.error(`${scenario}: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  }
  const machine = { node: process.version, cpu: cpus()[0]?.model };
  const cells = formatCells(rows, EARLIER_RESULTS);
  const conditions = `Median (min–max) of ${options.rounds} rounds; Node ${machine.node}, ${cpus().length} × ${machine.cpu}, ${load}`;
  console.log(`${formatAlignedTable(cells)}\n\n${conditions}`);
  const date = new Date().toISOString().slice(0, 10);
  if (values.write) {
    const page = resolveRepositoryFile(PAGE_PATH);
    const isWhole = only.length === Object.keys(scenarios).length && process.exitCode === undefined;
    const text = isWhole
      ? formatPage(formatMarkdownTable(cells), `${conditions}. Measured on ${date}`)
      : replaceRows(readFileSync(page, 'utf8'), cells.slice(1), date);
    writeFileSync(page, text);
  }
  if (values.json === undefined) return;
  const withVerdicts = rows.map((row) => ({ ...row, verdict: formatVerdict(row) }));
  writeFileSync(values.json, `${JSON.stringify({ ...machine, options, rows: withVerdicts }, null, 2)}\n`);
}

/** Each new row names its date, because the other rows keep theirs. */
function replaceRows(page: string, rows: readonly (readonly string[])[], date: string): string {
  const lines = page.split('\n');
  const isMeasured = (line: string) => rows.some(([name]) => line.startsWith(`| ${name} |`) || line.startsWith(`| ${name} (measured on `));
  const [start, end] = [lines.findIndex((line) => line.startsWith('|')), lines.findIndex((line) => line.startsWith('Median'))];
  const kept = lines.slice(start, end - 1).filter((line) => !isMeasured(line));
  const added = rows.map(([name, ...cells]) => `| ${[`${name} (measured on ${date})`, ...cells].join(' | ')} |`);
  return formatPage([...kept, ...added].join('\n'), lines[end]!.slice(0, -1));
}

function formatPage(table: string, conditions: string): string {
  return `<!-- Written by \`npm run bench -- --write\`. Do not edit. -->

# Performance

One run measures the kit and the other servers side by side. Bare Express is an application that validates and stores nothing. A ratio of 0.5 means that the
kit is half as fast as the other server. *requests/s* compares the answered requests per second. *CPU/request* compares the server process's CPU time
per request. *p99* compares the 99th percentile of the response times. *CPU time* shows what the kit's process spends its time on: Node.js reads requests and writes
responses, for bare Express, too. Ratios are comparable between machines, but durations are not.

${table}

${conditions}.

\`npm run bench -- --only page --rounds 1 --seconds 0.5 --no-build\` measures one row in a few seconds. \`--peer NAME=COMMAND\` also measures
another mock server, for example \`--peer 'Mockoon=PATH/@mockoon/cli/bin/run.js start --disable-log-to-file --data {contract} --port {port}'\`. These servers respond with a fixed example.

## SQL

Each operation executes at most this many SQL statements, and waits for at most this many round trips to PostgreSQL. A test counts them. What a
read remembers of SQLite needs no statement until something is written.

${formatMarkdownTable([
  ['operation', 'statements on SQLite', 'statements on PostgreSQL', 'round trips'],
  ...COSTS.map(({ operation, statements, onPostgres }) => [
    operation,
    ...[statements, onPostgres.statements, onPostgres.roundTrips].map(String),
  ]),
])}

## What limits the rest

${readFileSync(resolveRepositoryFile('tools/bench/limits.md'), 'utf8').trim()}
`;
}
