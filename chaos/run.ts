// npm run chaos [-- --minutes 5] [--kills 50] [--events 300] [--only default,sqlite,postgres,neighbours]
// default: writes, refused writes, snapshots and resets at once, in the store of a kit without options. The database must stay intact and equal to a model.
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
const say = (text: string) => console.error(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}`);

interface Options {
  readonly minutes: number;
  readonly kills: number;
  readonly events: number;
  readonly only: readonly Part[];
}

/** @throws Error that says which option cannot be */
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
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}; there are ${PARTS.join(', ')}.`);
  return {
    minutes: whole('minutes', values.minutes),
    kills: whole('kills', values.kills),
    events: whole('events', values.events),
    only: only as Part[],
  };
}

function whole(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`--${name} is a whole number from 1 to 999999, not ${text}.`);
  return Number(text);
}

async function run(part: Part, { minutes, kills, events }: Options): Promise<Report> {
  say(part);
  if (part === 'default') return defaultStoreReport(await defaultStore(minutes, (text) => say(`${part}: ${text}`)));
  if (part === 'neighbours') return neighbourReport(await neighbours(events, (text) => say(`${part}: ${text}`)));
  return killReport(part, await killing(part, kills, (text) => say(`${part}: ${text}`)));
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
// The database of the kills is a process of its own.
process.exit(broken ? 1 : 0);
