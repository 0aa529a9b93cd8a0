import { createSeed } from '../../../conformance/runner/run-settings.ts';
import { INTERRUPTED_EXIT_CODE, runSuite } from '../../../conformance/runner/run-suite.ts';
import type { PathForm } from '../../contract/generated/operations.ts';
import type { Results } from '../../contract/generated/results.ts';
import { formatDecisionsFile } from '../../report/decisions-file.ts';
import { mergeRuns } from '../../report/merge-runs.ts';
import { clearReports, writeReports, writeTextFile } from '../../report/write-reports.ts';
import { type ReportFlagsResult, readReportFlags } from '../reports/flags.ts';
import type { ReportFlags } from '../reports/options.ts';
import { UsageError } from '../usage-error.ts';
import { openTarget, type TargetFlags } from './open-target.ts';

export interface RunFlags extends TargetFlags, ReportFlags {
  readonly form?: PathForm;
  readonly explore?: number;
  readonly seed?: number;
  readonly path?: string;
  /** How often to run the suite. Default: once. */
  readonly verify?: number;
}

/** @returns the exit code */
export async function runConformance(flags: RunFlags): Promise<number> {
  // The flags are read first, so that mistakes in them are reported before a kit starts.
  if (flags.path !== undefined && flags.seed === undefined) throw new UsageError('--path needs --seed. Copy both from the report.');
  const { rules, settings } = await readReportFlags(flags);
  const { runs, interrupted } = await runRepeatedly({ ...flags, seed: flags.seed ?? createSeed() }, { rules, settings });
  if (runs.length === 0) {
    process.stderr.write(interrupted ? 'The run was interrupted before it had results.\n' : 'The suite ended without results.\n');
    return interrupted ? INTERRUPTED_EXIT_CODE : 1;
  }
  const merged = mergeRuns(runs);
  const results = interrupted ? { ...merged, interrupted } : merged;
  if (flags.writeDecisions !== undefined) await writeTextFile(flags.writeDecisions, formatDecisionsFile(results));
  const code = await writeReports(results, settings);
  return interrupted ? INTERRUPTED_EXIT_CODE : code;
}

/** Runs the suite once, or as often as --verify says, each time with new entities, and after the first time in a random order. */
async function runRepeatedly(flags: RunFlags & { readonly seed: number }, { rules, settings }: ReportFlagsResult) {
  const { verify = 1, seed } = flags;
  const runs: Results[] = [];
  for (let number = 1; number <= verify; number += 1) {
    const target = await openTarget(flags);
    try {
      if (target.notice && number === 1) process.stderr.write(`${target.notice}\n`);
      if (number === 1) await clearReports(settings);
      if (verify > 1) process.stderr.write(`Run ${number} of ${verify}\n`);
      const { results, interrupted } = await runSuite(target.settings, {
        shown: target.shown,
        forms: flags.form === undefined ? target.forms : [flags.form],
        rules,
        // A run with --rule observes decisions only if --write-decisions is given.
        observing: rules === undefined || flags.writeDecisions !== undefined,
        notApplicable: target.notApplicable,
        explore: { ms: flags.explore, seed, path: flags.path },
        ...(verify > 1 && { verify: true }),
        ...(number > 1 && { shuffle: `${seed}-${number}`, observed: runs[0]!.observations }),
      });
      // A run that was interrupted would make the rules flaky that it did not test.
      if (results !== undefined && (!interrupted || runs.length === 0)) runs.push(results);
      if (results === undefined || interrupted) return { runs: results === undefined && !interrupted ? [] : runs, interrupted };
    } finally {
      await target.close();
    }
  }
  return { runs, interrupted: false };
}
