import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INTERRUPTED, runPlaywright } from '../../../src/cli/conformance/playwright.ts';
import type { Decisions } from '../../../src/contract/generated/decisions.ts';
import { createKit } from '../../../src/kit.ts';
import { parseResults } from '../../../src/report/read-results.ts';
import type { Results } from '../../../src/report/results.ts';
import { FORMS } from '../../../src/report/scope.ts';
import { version } from '../../../src/version.ts';
import type { RunSettings } from '../../runner/run-settings.ts';
import type { Turned } from './plan.ts';

export interface Ran {
  readonly results: Results;
  readonly inForce: Readonly<Decisions>;
}

/** Starts a kit with these decisions and runs the suite against it, or a part of it. */
export async function runSuite(
  set: Turned,
  part: Partial<Pick<RunSettings, 'rules' | 'observing' | 'notApplicable' | 'workers'>> = {},
): Promise<Ran> {
  const folder = await mkdtemp(join(tmpdir(), 'variants-'));
  const kit = await createKit({ port: 0, set });
  try {
    const resultsFile = join(folder, 'results.json');
    const shown = { baseUrl: kit.url, kind: 'kit' } as const;
    const run = { resultsFile, kit: version, target: shown, forms: FORMS, notApplicable: [], workers: 1, unwatched: true, ...part };
    const control = { url: kit.url, disposable: true } as const;
    const signalled = await runPlaywright(
      { baseUrl: kit.url, headers: {}, timeoutMs: 10_000, control, profile: {} },
      run,
      join(folder, 'run'),
    );
    if (signalled) process.exit(INTERRUPTED);
    return { results: parseResults(await readFile(resultsFile, 'utf8'), resultsFile), inForce: kit.decisions };
  } finally {
    await kit.close();
    await rm(folder, { recursive: true, force: true });
  }
}
