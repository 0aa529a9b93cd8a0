import { parseArgs } from 'node:util';
import type { Engine } from '../../src/store/engine.ts';
import { runCampaign } from './campaign.ts';
import { pastValidation, percentage, statusHistogram, stepHistogram, verdict } from './report.ts';
import { startSubject } from './subject.ts';

const USAGE = `npm run fuzz -- [--requests 100000] [--seed N] [--engine sqlite|postgres|both]`;
const IN_FLIGHT = 32;
/** Slower than this and something hangs: the campaign ends early, and fails for it. */
const LEAST_PER_SECOND = 100;

const { requests, seed, engines } = options();
let ok = true;
for (const engine of engines) ok = (await fuzz(engine)) && ok;
// The PostgreSQL of a run goes with the process.
process.exit(ok ? 0 : 1);

async function fuzz(engine: Engine): Promise<boolean> {
  const subject = await startSubject(engine, IN_FLIGHT);
  console.log(`engine ${engine}, seed ${seed}`);
  const started = performance.now();
  let shown = started;
  const onProgress = (sent: number) => {
    if (performance.now() - shown < 2_000) return;
    shown = performance.now();
    console.error(`${sent} of ${requests}, ${rate(sent, started)} requests/s, ${subject.statuses.get(500) ?? 0} times 500`);
  };
  const deadlineMs = 30_000 + (requests / LEAST_PER_SECOND) * 1_000;
  const failures = await runCampaign(subject, { requests, seed, inFlight: IN_FLIGHT, deadlineMs, onProgress });
  const { ok: well, text } = verdict(subject, failures);
  console.log(`${rate(subject.issued, started)} requests/s\n\n${statusHistogram(subject)}\n\n${stepHistogram(subject)}\n`);
  console.log(`${percentage(pastValidation(subject))} got past validation`);
  if (subject.issued < requests) console.log(`too slow: only ${subject.issued} of ${requests} were sent`);
  console.log(text);
  await subject.close();
  return well && subject.issued >= requests;
}

function rate(sent: number, since: number): number {
  return Math.round(sent / ((performance.now() - since) / 1_000));
}

function options(): { requests: number; seed: number; engines: readonly Engine[] } {
  const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' }, engine: { type: 'string' } } });
  const { requests = '100000', seed = String(Date.now() % 1_000_000), engine = 'sqlite' } = values;
  const engines = { sqlite: ['sqlite'], postgres: ['postgres'], both: ['sqlite', 'postgres'] } as const;
  if (!/^[1-9]\d{0,8}$/.test(requests) || !/^\d{1,9}$/.test(seed) || !Object.hasOwn(engines, engine)) {
    console.error(USAGE);
    process.exit(2);
  }
  return { requests: Number(requests), seed: Number(seed), engines: engines[engine as keyof typeof engines] };
}
