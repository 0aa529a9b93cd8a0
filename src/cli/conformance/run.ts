import { INTERRUPTED_EXIT_CODE, runSuite } from '../../../conformance/runner/run-suite.ts';
import type { PathForm } from '../../contract/generated/operations.ts';
import { formatDecisionsFile } from '../../report/decisions-file.ts';
import { clearReports, writeReports, writeTextFile } from '../../report/write-reports.ts';
import { readReportFlags } from '../reports/flags.ts';
import type { ReportFlags } from '../reports/options.ts';
import { UsageError } from '../usage-error.ts';
import { openTarget, type TargetFlags } from './open-target.ts';

export interface RunFlags extends TargetFlags, ReportFlags {
  readonly form?: PathForm;
  readonly explore?: number;
  readonly seed?: number;
  readonly path?: string;
}

/** @returns the exit code */
export async function runConformance(flags: RunFlags): Promise<number> {
  // The flags are read first, so that mistakes in them are reported before a kit starts.
  if (flags.path !== undefined && flags.seed === undefined) throw new UsageError('--path needs --seed. Copy both from the report.');
  const { rules, settings } = await readReportFlags(flags);
  const target = await openTarget(flags);
  try {
    if (target.notice) process.stderr.write(`${target.notice}\n`);
    await clearReports(settings);
    const { results, interrupted } = await runSuite(target.settings, {
      shown: target.shown,
      forms: flags.form === undefined ? target.forms : [flags.form],
      rules,
      // A run with --rule observes decisions only if --write-decisions is given.
      observing: rules === undefined || flags.writeDecisions !== undefined,
      notApplicable: target.notApplicable,
      explore: { ms: flags.explore, seed: flags.seed, path: flags.path },
    });
    if (results === undefined) {
      process.stderr.write(interrupted ? 'The run was interrupted before it had results.\n' : 'The suite ended without results.\n');
      return interrupted ? INTERRUPTED_EXIT_CODE : 1;
    }
    if (flags.writeDecisions !== undefined) await writeTextFile(flags.writeDecisions, formatDecisionsFile(results));
    const code = await writeReports(results, settings);
    return interrupted ? INTERRUPTED_EXIT_CODE : code;
  } finally {
    await target.close();
  }
}
