import { parseArgs } from 'node:util';
import type { Engine } from '../../../src/store/engine.ts';
import { runCampaign } from './campaign.ts';
import { DOORS, type Door } from './operations.ts';
import { formatFailure, histogram } from './report.ts';
import { startSubject } from './subject.ts';

const USAGE = `npm run fuzz -- [--requests 100000] [--seed N] [--engine sqlite|postgres|both] [--door api|control|auth]`;
const ENGINES: Readonly<Record<string, readonly Engine[]>> = { sqlite: ['sqlite'], postgres: ['postgres'], both: ['sqlite', 'postgres'] };
const IN_FLIGHT = 32;

const { requests, seed, engines, doors } = options();
let ok = true;
for (const engine of engines) ok = (await fuzz(engine)) && ok;
// PostgreSQL ends with the process.
process.exit(ok ? 0 : 1);

async function fuzz(engine: Engine): Promise<boolean> {
  // Both ways of logging in are covered by two seeds.
  const login = seed % 2 === 0 ? 'page' : 'auto';
  const subject = await startSubject({ engine, login, connections: IN_FLIGHT });
  console.log(`engine ${engine}, login ${login}, seed ${seed}`);
  const started = performance.now();
  const rate = (sent: number) => `${Math.round((sent / (performance.now() - started)) * 1_000)} requests/s`;
  const onRound = (sent: number, failures: number) => console.error(`${sent} of ${requests}, ${rate(sent)}, ${failures} failures`);
  const failures = await runCampaign(subject, { requests, seed, doors, inFlight: IN_FLIGHT, onRound });
  console.log(`${histogram(subject)}\n${rate(requests)}`);
  for (const failure of failures) console.log(formatFailure(subject.url, failure));
  console.log(failures.length === 0 ? `${requests} requests: no 5xx, no broken content` : `${failures.length} failures`);
  await subject.close();
  return failures.length === 0;
}

function options(): { requests: number; seed: number; engines: readonly Engine[]; doors: readonly Door[] } {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { requests: text, seed: text, engine: text, door: text } });
  const { requests = '100000', seed = String(Date.now() % 1_000_000), engine = 'sqlite', door } = values;
  const doors = DOORS.filter((one) => door === undefined || one === door);
  if (!/^[1-9]\d{0,8}$/.test(requests) || !/^\d{1,9}$/.test(seed) || !Object.hasOwn(ENGINES, engine) || doors.length === 0) {
    console.error(USAGE);
    process.exit(2);
  }
  return { requests: Number(requests), seed: Number(seed), engines: ENGINES[engine]!, doors };
}
