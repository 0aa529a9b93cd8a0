import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { INTERRUPTED, runSuite } from '../../../conformance/runner/run-suite.ts';
import type { PathForm } from '../../contract/generated/operations.ts';
import type { Results } from '../../contract/generated/results.ts';
import { decisionsFile } from '../../report/decisions-file.ts';
import { htmlReport } from '../../report/html.ts';
import { junitReport } from '../../report/junit.ts';
import { markdownReport } from '../../report/markdown.ts';
import { terminalSummary } from '../../report/terminal.ts';
import { type Counts, compareWithBaseline, failureReasons, type KnownFailure } from '../../report/totals.ts';
import { readBaseline } from './baseline-file.ts';
import { openTarget, type TargetFlags } from './open-target.ts';
import { ruleIds } from './rule-ids.ts';

export interface RunFlags extends TargetFlags {
  readonly rule?: readonly string[];
  readonly form?: PathForm;
  readonly strict?: boolean;
  /** Which failed rules make the run fail: `documented` (the default), `implied` (every rule), or rule ids. */
  readonly failOn?: readonly string[];
  readonly reportDir: string;
  readonly baseline?: string;
  readonly writeDecisions?: string;
}

/** Tests a target, writes the reports and prints the summary. @returns the exit code */
export async function runConformance(flags: RunFlags): Promise<number> {
  // The rule ids and the baseline are read before the kit starts, so that errors in them are reported at once.
  const rules = flags.rule && ruleIds(flags.rule);
  const counts = countsOf(flags);
  const known = flags.baseline === undefined ? [] : await readBaseline(flags.baseline);
  const target = await openTarget(flags);
  const folder = resolve(flags.reportDir);
  try {
    if (target.notice) process.stderr.write(`${target.notice}\n`);
    await mkdir(folder, { recursive: true });
    await rm(join(folder, 'results.json'), { force: true });
    const { results, interrupted } = await runSuite(target.settings, {
      shown: target.shown,
      forms: flags.form === undefined ? target.forms : [flags.form],
      rules,
      // Decisions are not observed in a run with --rule, unless --write-decisions asks for the observed decisions.
      observing: rules === undefined || flags.writeDecisions !== undefined,
      notApplicable: target.notApplicable,
    });
    if (results === undefined) {
      process.stderr.write(interrupted ? 'The run was stopped before it had results.\n' : 'The suite ended without results.\n');
      return interrupted ? INTERRUPTED : 1;
    }
    const code = await report(results, { known, counts }, folder, flags);
    return interrupted ? INTERRUPTED : code;
  } finally {
    await target.close();
  }
}

/** @throws UsageError for an unknown rule */
function countsOf({ strict = false, failOn = ['documented'] }: RunFlags): Counts {
  const isLevel = (text: string) => text === 'documented' || text === 'implied';
  const ids = new Set<string>(
    ruleIds(
      failOn.filter((text) => !isLevel(text)),
      '--fail-on',
    ),
  );
  const isEvery = strict || failOn.includes('implied');
  return ({ id, level }) => isEvery || ids.has(id) || (level === 'documented' && failOn.includes('documented'));
}

async function report(
  results: Results,
  { known, counts }: { readonly known: readonly KnownFailure[]; readonly counts: Counts },
  folder: string,
  { strict = false, writeDecisions }: RunFlags,
): Promise<number> {
  const { tolerated, stale } = compareWithBaseline(results, known);
  const against = failureReasons(results, { strict, counts, tolerated, stale: stale.length });
  if (writeDecisions !== undefined) await writeFile(writeDecisions, decisionsFile(results));
  const reports = {
    'index.html': htmlReport({ results, failureReasons: against, tolerated }),
    'report.md': markdownReport(results),
    'junit.xml': junitReport(results, tolerated, counts),
    'results.json': `${JSON.stringify(results, undefined, 2)}\n`,
  };
  await Promise.all(Object.entries(reports).map(([name, text]) => writeFile(join(folder, name), text)));
  const notes = stale.map(({ rule, form }) => `Stale baseline entry: ${rule}${form ? ` (${form})` : ''} passes now. Remove the entry.`);
  const colour = process.stdout.isTTY === true && process.stdout.hasColors();
  console.log(terminalSummary({ results, colour, failureReasons: against, tolerated, notes }));
  const paths = Object.keys(reports).map((name) => relative(process.cwd(), join(folder, name)));
  console.log(`\n  ${paths.join('   ')}\n`);
  return against.length > 0 ? 1 : 0;
}
