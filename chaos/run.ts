// npm run chaos [-- --minutes 5] [--kills 50] [--events 300] [--only default,sqlite,postgres,neighbours]
// default: concurrent writes, refused writes, snapshots and resets, in the store of a kit without options. The database must stay intact and equal to a model.
// sqlite, postgres: kits are killed while they write and deliver. Nothing that was acknowledged may be lost or stay undelivered.
// neighbours: bad subscribers must not slow down healthy ones.
// Exit status: 1 if something broke, 2 for an invalid option.
import { parseArgs } from 'node:util';
import { defaultStore } from './default-store.ts';
import { ENGINES, killing } from './kill.ts';
import { neighbours } from './neighbours.ts';
import { defaultStoreReport, killReport, neighbourReport, type Report } from './report.ts';

const PARTS = ['default', ...ENGINES, 'neighbours'] as const;
type Part = (typeof PARTS)[number];

const begun = performance.now();
const log = (text: string) => console.error(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}`);

interface Options {
  readonly minutes: number;
  readonly kills: number;
  readonly events: number;
  readonly only: readonly Part[];
}

/** @throws Error that names the invalid option */
function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '5' },
      kills: { type: 'string', default: '50' },
      events: { type: 'string', default: '300' },
      only: { type: 'string', default: PARTS.join() },
    },
  });
  const only = values.only.split(',');
  const unknown = only.find((name) => !(PARTS as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`--only: unknown part ${unknown}. The parts are ${PARTS.join(', ')}.`);
  return {
    minutes: positiveInteger('minutes', values.minutes),
    kills: positiveInteger('kills', values.kills),
    events: positiveInteger('events', values.events),
    only: only as Part[],
  };
}

function positiveInteger(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`--${name} must be an integer from 1 to 999999, not ${text}.`);
  return Number(text);
}

async function run(part: Part, { minutes, kills, events }: Options): Promise<Report> {
  log(part);
  if (part === 'default') return defaultStoreReport(await defaultStore(minutes, (text) => log(`${part}: ${text}`)));
  if (part === 'neighbours') return neighbourReport(await neighbours(events, (text) => log(`${part}: ${text}`)));
  return killReport(part, await killing(part, kills, (text) => log(`${part}: ${text}`)));
}

let options: Options;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
let broken = false;
for (const part of options.only) {
  const report = await run(part, options);
  console.log(`${report.lines.join('\n')}\n${report.broken ? '  BROKEN' : '  held'}\n`);
  broken ||= report.broken;
}
// Ends the PostgreSQL server, too, which would keep this process running.
process.exit(broken ? 1 : 0);
