import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { PathForm } from '../../contract/generated/operations.ts';
import { compareWithBaseline, type KnownFailure } from '../../report/baseline.ts';
import { decisionsFile } from '../../report/decisions-file.ts';
import { parseResults } from '../../report/read-results.ts';
import type { Results } from '../../report/results.ts';
import { FORMS } from '../../report/scope.ts';
import { terminalSummary } from '../../report/terminal.ts';
import { objections } from '../../report/totals.ts';
import { version } from '../../version.ts';
import { readBaseline } from './baseline-file.ts';
import { INTERRUPTED, runPlaywright } from './playwright.ts';
import { ruleIds } from './rule-ids.ts';
import { type Asked, type OpenTarget, openTarget } from './target.ts';
import { REPORTS, writeReports } from './write-reports.ts';

export interface RunFlags extends Asked {
  readonly rule?: readonly string[];
  readonly form?: PathForm;
  readonly strict?: boolean;
  readonly reportDir: string;
  readonly baseline?: string;
  readonly writeDecisions?: string;
}

/** Judges a target, writes the reports and prints the summary. @returns the exit code. */
export async function runConformance(flags: RunFlags): Promise<number> {
  // Whatever is wrong with what was given is said before anything is started.
  const rules = flags.rule && ruleIds(flags.rule);
  const known = flags.baseline === undefined ? [] : await readBaseline(flags.baseline);
  const target = await openTarget(flags);
  const folder = resolve(flags.reportDir);
  const resultsFile = join(folder, 'results.json');
  const work = join(folder, '.playwright');
  try {
    if (target.notice) process.stderr.write(`${target.notice}\n`);
    await mkdir(folder, { recursive: true });
    await rm(resultsFile, { force: true });
    const run = {
      resultsFile,
      kit: version,
      target: target.shown,
      forms: formsOf(flags, target),
      rules,
      // Whoever asks for what was seen wants it looked for, also beside a part of the rules.
      observing: rules === undefined || flags.writeDecisions !== undefined,
      notApplicable: target.notApplicable,
    };
    const signalled = await runPlaywright(target.settings, run, work);
    if (!existsSync(resultsFile)) {
      process.stderr.write(signalled ? 'Ended before there were results.\n' : 'The suite ended without results.\n');
      return signalled ? INTERRUPTED : 1;
    }
    const code = await conclude(parseResults(await readFile(resultsFile, 'utf8'), resultsFile), known, folder, flags);
    return signalled ? INTERRUPTED : code;
  } finally {
    await rm(work, { recursive: true, force: true });
    await target.close();
  }
}

function formsOf({ form }: RunFlags, { forms = FORMS }: OpenTarget): readonly PathForm[] {
  return form === undefined ? forms : [form];
}

async function conclude(
  results: Results,
  known: readonly KnownFailure[],
  folder: string,
  { strict = false, writeDecisions }: RunFlags,
): Promise<number> {
  const { tolerated, stale } = compareWithBaseline(results, known);
  const against = objections(results, { strict, tolerated, stale: stale.length });
  if (writeDecisions !== undefined) await writeFile(writeDecisions, decisionsFile(results));
  await writeReports(folder, results, against, tolerated);
  const notes = stale.map(({ rule, form }) => `Stale in the baseline: ${rule}${form ? ` (${form})` : ''} passes now. Remove the entry.`);
  const colour = process.stdout.isTTY === true && process.stdout.hasColors();
  console.log(terminalSummary({ results, colour, objections: against, tolerated, notes }));
  console.log(`\n  ${REPORTS.map((name) => relative(process.cwd(), join(folder, name))).join('   ')}\n`);
  return against.length > 0 ? 1 : 0;
}
