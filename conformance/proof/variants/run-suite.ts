import type { Decisions } from '../../../src/contract/generated/decisions.ts';
import { createKit } from '../../../src/kit.ts';
import type { Results } from '../../../src/report/results.ts';
import { INTERRUPTED, runSuite as run, type SuiteOptions } from '../../runner/run-suite.ts';
import type { Turned } from './plan.ts';

export interface Ran {
  readonly results: Results;
  readonly inForce: Readonly<Decisions>;
}

/** Starts a kit with these decisions and runs the suite against it, or a part of it. */
export async function runSuite(
  set: Turned,
  part: Partial<Pick<SuiteOptions, 'rules' | 'observing' | 'notApplicable' | 'workers'>> = {},
): Promise<Ran> {
  const kit = await createKit({ port: 0, set });
  try {
    const target = { baseUrl: kit.url, headers: {}, timeoutMs: 10_000, control: { url: kit.url, disposable: true }, profile: {} } as const;
    const { results, interrupted } = await run(target, { shown: { baseUrl: kit.url, kind: 'kit' }, workers: 1, unwatched: true, ...part });
    if (interrupted) process.exit(INTERRUPTED);
    if (results === undefined) throw new Error('The suite ended without results.');
    return { results, inForce: kit.decisions };
  } finally {
    await kit.close();
  }
}
