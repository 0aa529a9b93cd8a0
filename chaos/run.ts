// Stresses kits. The exit status is 1 if a part failed, and 2 if an option is invalid.
import { parseArgs } from 'node:util';
import { defaultStore } from './default-store.ts';
import { killing } from './kill.ts';
import { neighbours } from './neighbours.ts';
import { print, type Report } from './report.ts';

type Log = (text: string) => void;
type Part = (options: { readonly minutes: number; readonly kills: number; readonly events: number }, log: Log) => Promise<Report>;

const PARTS: Readonly<Record<string, Part>> = {
  default: ({ minutes }, log) => defaultStore(minutes, log),
  sqlite: ({ kills }, log) => killing('sqlite', kills, log),
  postgres: ({ kills }, log) => killing('postgres', kills, log),
  neighbours: ({ events }, log) => neighbours(events, log),
};
const NAMES = Object.keys(PARTS).join();

const USAGE = `npm run chaos -- [--minutes 5] [--kills 50] [--events 300] [--only ${NAMES}]
  default            A kit with the default store gets concurrent writes, refused writes, snapshots and resets. The database must not be
                     corrupted, and its content must equal the content of a model.
  sqlite, postgres   Kits are killed while they write and deliver. No acknowledged write may be lost, and every event must be delivered.
  neighbours         Bad subscribers must not slow down the deliveries to healthy subscribers.`;

const text = (standard: string) => ({ type: 'string', default: standard }) as const;
const values = readFlags();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const parts = values.only.split(',').map((name) => {
  const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  return { name, run: part ?? usageError(`--only: unknown part ${name}. The parts are ${NAMES}.`) };
});
const options = { minutes: positiveInteger('minutes'), kills: positiveInteger('kills'), events: positiveInteger('events') };

let isBroken = false;
for (const { name, run } of parts) {
  const report = await run(options, (line) => console.error(`${performance.now().toFixed(0).padStart(8)} ms  ${name}: ${line}`));
  isBroken = print(name, report) || isBroken;
}
// Exit explicitly, because the PostgreSQL server is a child process that keeps this process running.
process.exit(isBroken ? 1 : 0);

function readFlags() {
  const flags = { minutes: text('5'), kills: text('50'), events: text('300'), only: text(NAMES) };
  try {
    return parseArgs({ options: { ...flags, help: { type: 'boolean', short: 'h', default: false } } }).values;
  } catch (error) {
    return usageError(`${(error as Error).message}\n${USAGE}`);
  }
}

function positiveInteger(option: 'minutes' | 'kills' | 'events'): number {
  if (!/^[1-9]\d{0,5}$/.test(values[option])) usageError(`--${option} must be an integer from 1 to 999999, not ${values[option]}.`);
  return Number(values[option]);
}

function usageError(message: string): never {
  console.error(message);
  process.exit(2);
}
