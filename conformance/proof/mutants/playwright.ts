import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runPlaywright } from '../../runner/playwright.ts';
import { type TargetSettings, targetEnvironment } from '../../target/target-settings.ts';
import { type Plan, sabotageEnvironment } from './plan.ts';
import type { Outcomes } from './reporter.ts';

// Much of the time is waiting: for rates, for what settles.
const WORKERS = 8;

interface Asked {
  readonly target: TargetSettings;
  /** Absent: no saboteur, and every check that is not costly once. */
  readonly plan?: Plan;
  /** Where what the checks sent and got is written down. */
  readonly notes?: string;
  /** Leaves out a check of a saboteur that is caught already, if it has caught another one. */
  readonly sparing?: boolean;
}

/** Runs checks before saboteurs, in one run of Playwright. @throws Error where Playwright itself fails. */
export async function runChecks({ target, plan, notes, sparing = false }: Asked): Promise<Outcomes> {
  const folder = await mkdtemp(join(tmpdir(), 'sabotage-'));
  try {
    const outcomes = join(folder, 'outcomes.json');
    const shown = sparing ? await mkdtemp(join(folder, 'shown-')) : undefined;
    const planFile = plan && join(folder, 'plan.json');
    if (planFile !== undefined) await writeFile(planFile, JSON.stringify(plan));
    const boundary = new URL('./boundary.ts', import.meta.url).href;
    await runPlaywright({
      reporter: fileURLToPath(new URL('./reporter.ts', import.meta.url)),
      output: join(folder, 'output'),
      environment: {
        ...targetEnvironment({ ...target, boundary }),
        ...sabotageEnvironment({ outcomes, ...(planFile && { plan: planFile }), ...(notes && { notes }), ...(shown && { shown }) }),
      },
      args: ['--timeout', '15000', '--workers', `${WORKERS}`],
    });
    return JSON.parse(await readFile(outcomes, 'utf8')) as Outcomes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
