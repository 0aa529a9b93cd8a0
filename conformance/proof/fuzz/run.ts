// `npm run fuzz` fails if a generated request causes a 5xx, breaks the contract or damages data.
import { parseArgs } from 'node:util';
import type { Engine } from '../../../src/store/engine.ts';
import { recordFigures } from '../../../tools/scripts/figures.ts';
import { INTERFACES } from './operations.ts';
import { runCampaign, startSubject } from './subject.ts';

const USAGE = 'npm run fuzz -- [--requests 100000] [--seed N] [--engine sqlite|postgres|both] [--interface api|control|auth]';
const ENGINES: readonly Engine[] = ['sqlite', 'postgres'];

const stringOption = { type: 'string' } as const;
const { values } = parseArgs({ options: { requests: stringOption, seed: stringOption, engine: stringOption, interface: stringOption } });
const requests = Number(values.requests ?? 100_000);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const engines = ENGINES.filter((engine) => values.engine === 'both' || engine === (values.engine ?? 'sqlite'));
const interfaces = INTERFACES.filter((name) => values.interface === undefined || name === values.interface);
if (!(requests > 0) || !Number.isSafeInteger(seed) || engines.length === 0 || interfaces.length === 0) {
  console.error(USAGE);
  process.exit(2);
}

let failed = 0;
for (const engine of engines) {
  const subject = await startSubject(engine);
  const failures = await runCampaign(subject, seed, requests, interfaces);
  await subject.close();
  console.log(`${engine}, seed ${seed}: ${requests} requests, ${failures.length} different failures`);
  for (const failure of failures) console.log(`✗ ${failure}`);
  failed += failures.length;
}
recordFigures('fuzz', { requests: requests * engines.length, failures: failed });
// Exit explicitly, because the PostgreSQL child process would keep this process running.
process.exit(failed === 0 ? 0 : 1);
