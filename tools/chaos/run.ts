// Runs stress tests of kits. The exit status is 1 after a failed test, and 2 for an invalid option.
import { parseArgs } from 'node:util';
import { recordFigures } from '../scripts/figures.ts';
import { testDefaultStore } from './default-store.ts';
import { killRepeatedly } from './kill.ts';
import { testEndedWorlds, testHostileWorld } from './many-worlds.ts';
import { testBadSubscribers } from './neighbours.ts';
import { breakDatabase } from './outages.ts';
import { testProviders } from './providers.ts';
import { killReplicas } from './replicas.ts';
import { printReport, type Report } from './report.ts';
import { testMemory } from './soak.ts';
import { compareStores } from './twin.ts';
import { testWorlds } from './worlds.ts';

type Log = (line: string) => void;
type ChaosTest = (options: { readonly minutes: number; readonly kills: number; readonly events: number }, log: Log) => Promise<Report>;

const TESTS: Readonly<Record<string, ChaosTest>> = {
  default: ({ minutes }, log) => testDefaultStore(minutes, log),
  sqlite: ({ kills }, log) => killRepeatedly(kills, log),
  replicas: ({ kills }, log) => killReplicas(kills, log),
  outages: (_, log) => breakDatabase(log),
  providers: ({ minutes }, log) => testProviders({ providers: 50, seconds: minutes * 60 }, log),
  neighbours: ({ events }, log) => testBadSubscribers(events, log),
  memory: ({ minutes }, log) => testMemory(minutes, log),
  twin: ({ minutes }, log) => compareStores(minutes, log),
  worlds: (_, log) => testWorlds(log),
  'hostile-world': (_, log) => testHostileWorld(log),
  'ended-worlds': (_, log) => testEndedWorlds(log),
};
const TEST_NAMES = Object.keys(TESTS).join();

const USAGE = `npm run chaos -- [--minutes 5] [--kills 50] [--events 300] [--only ${TEST_NAMES}]
  default            Sends concurrent valid and forbidden writes, snapshots and resets to a kit with the default store. The database must
                     not be corrupted, and its content must equal a model's prediction.
  sqlite             Kills a kit while it writes and delivers. No acknowledged write may be lost, and every event must be delivered.
  replicas           Kills each of three replicas on one PostgreSQL, with SIGKILL or SIGTERM, behind a proxy. In addition, the rate limit must
                     hold for all replicas together, the journal must contain every acknowledged change, and no code may be redeemed twice.
  outages            Restarts PostgreSQL, freezes it for 20 s, and ends all its connections, under the same load. Requests must be answered in time.
  providers          50 providers, each with its own Experience, account and subscriber, share three replicas on one PostgreSQL. No
                     provider may see another provider's entities or events, and the replicas' memory use must stay bounded.
  neighbours         Bad subscribers must not slow down the deliveries to healthy subscribers.
  memory             A kit with seven kinds of receivers, streams and resets must stop using more memory at a constant load. Its caches are full
                     after a few minutes, so use at least --minutes 20.
  twin               Kits in memory, in a file and on three replicas get the same random sequences as a twin, and must give the same answers and events.
  worlds             Tests in ten workers of Playwright, and in ten processes of Python, share one kit. No test may disturb another one.
  hostile-world      The answers in 49 worlds must be the same beside a world with resets, faults, clock jumps and bad receivers as without it.
  ended-worlds       10,000 worlds are created, used and ended. The kit must neither need more memory nor keep open files.`;

const createStringOption = (defaultValue: string) => ({ type: 'string', default: defaultValue }) as const;
const flags = readFlags();
if (flags.help) {
  console.log(USAGE);
  process.exit(0);
}
const tests = flags.only.split(',').map((name) => {
  const test = Object.hasOwn(TESTS, name) ? TESTS[name] : undefined;
  return { name, run: test ?? exitWithUsageError(`--only: unknown test ${name}. The tests are ${TEST_NAMES}.`) };
});
const options = { minutes: parsePositiveInteger('minutes'), kills: parsePositiveInteger('kills'), events: parsePositiveInteger('events') };

let hasFailed = false;
for (const { name, run } of tests) {
  const report = await run(options, (line) => console.error(`${performance.now().toFixed(0).padStart(8)} ms  ${name}: ${line}`));
  const failed = printReport(name, report);
  const counts = Object.entries(report.counts).flatMap(([count, value]) => (typeof value === 'number' ? [[count, value] as const] : []));
  recordFigures(`chaos-${name}`, { ...Object.fromEntries(counts), failures: failed ? 1 : 0 });
  hasFailed ||= failed;
}
// Exit explicitly, because the PostgreSQL server's child process would keep this process running.
process.exit(hasFailed ? 1 : 0);

function readFlags() {
  const options = {
    minutes: createStringOption('5'),
    kills: createStringOption('50'),
    events: createStringOption('300'),
    only: createStringOption(TEST_NAMES),
  };
  try {
    return parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h', default: false } } }).values;
  } catch (error) {
    return exitWithUsageError(`${(error as Error).message}\n${USAGE}`);
  }
}

function parsePositiveInteger(option: 'minutes' | 'kills' | 'events'): number {
  if (!/^[1-9]\d{0,5}$/.test(flags[option])) exitWithUsageError(`--${option} must be an integer from 1 to 999999, not ${flags[option]}.`);
  return Number(flags[option]);
}

function exitWithUsageError(message: string): never {
  console.error(message);
  process.exit(2);
}
