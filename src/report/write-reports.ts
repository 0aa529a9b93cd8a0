import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { styleText } from 'node:util';
import type { Results } from '../contract/generated/results.ts';
import { formatHtmlReport } from './html.ts';
import { formatJunitReport } from './junit.ts';
import { formatMarkdownReport } from './markdown.ts';
import { toPrintable } from './printable.ts';
import { applyRequirements, type Requirements } from './requirements.ts';
import { createRunView, type RunView } from './run-view.ts';
import { formatTerminalSummary } from './terminal.ts';
import { compareWithBaseline, countLostRules, type FailurePredicate, type KnownFailure, listFailureReasons } from './totals.ts';

export interface ReportSettings {
  readonly folder: string;
  readonly strict: boolean;
  readonly makesRunFail: FailurePredicate;
  readonly known: readonly KnownFailure[];
  /** Default: every rule of this version of the kit. */
  readonly requirements?: Requirements | undefined;
  readonly json: boolean;
  /** Whether the summary in the terminal lists every rule. */
  readonly verbose: boolean;
}

/** Removes earlier reports, so that an interrupted run leaves no outdated ones. */
export async function clearReports({ folder }: Pick<ReportSettings, 'folder'>): Promise<void> {
  await mkdir(folder, { recursive: true });
  await rm(join(folder, 'results.json'), { force: true });
}

/** The error for a full disk has no path, so this function adds it. */
export async function writeTextFile(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: Error) => {
    throw Object.assign(error, { path });
  });
}

/** Puts the lists last, and the number of rules with each verdict before them, so that `listReports` reads only the start of the file. */
export function formatResults(results: Results): string {
  return toPrintable(`${JSON.stringify(countVerdicts(results), undefined, 2)}\n`);
}

export function countVerdicts(results: Results): Results {
  const { rules, observations, leftovers, errors, notes, coverage, ...facts } = results;
  const verdicts: Record<string, number> = {};
  for (const { verdict } of rules) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  return { ...facts, verdicts, rules, observations, leftovers, errors, ...(notes && { notes }), ...(coverage && { coverage }) };
}

export interface JudgedRun {
  readonly run: RunView;
  readonly failureReasons: readonly string[];
  /** 1 if the run failed, 3 if a fault left most rules untested, otherwise 0. */
  readonly exitCode: 0 | 1 | 3;
  /** The known failures that now pass. */
  readonly stale: readonly KnownFailure[];
}

export function judgeRun(
  results: Results,
  { strict, makesRunFail, known }: Omit<ReportSettings, 'folder' | 'requirements' | 'json' | 'verbose'>,
): JudgedRun {
  const { tolerated, stale } = compareWithBaseline(results, known);
  const failureReasons = listFailureReasons(results, { strict, makesRunFail, tolerated, stale: stale.map(({ rule }) => rule) });
  const exitCode = failureReasons.length > 0 ? 1 : countLostRules(results) > 0 ? 3 : 0;
  return { run: createRunView(results, { failureReasons, tolerated }), failureReasons, exitCode, stale };
}

/** Writes the reports, and prints nothing. */
export async function writeReportFiles(given: Results, { folder, requirements, ...settings }: Omit<ReportSettings, 'json' | 'verbose'>) {
  const results = applyRequirements(given, requirements);
  const judged = judgeRun(results, settings);
  const { run } = judged;
  const reports = {
    'index.html': formatHtmlReport(run),
    'report.md': formatMarkdownReport(run),
    'junit.xml': formatJunitReport(run, settings.makesRunFail),
    'results.json': formatResults(results),
  };
  await Promise.all(Object.entries(reports).map(([name, text]) => writeTextFile(join(folder, name), text)));
  return { ...judged, reports };
}

/** @returns the exit code of `judgeRun` */
export async function writeReports(results: Results, { json, verbose, ...settings }: ReportSettings): Promise<number> {
  const { folder } = settings;
  const { run, exitCode, stale, reports } = await writeReportFiles(results, settings);
  if (json) {
    process.stdout.write(reports['results.json']);
    return exitCode;
  }
  const notes = stale.map(({ rule, form }) => `Stale baseline entry: ${rule}${form ? ` (${form})` : ''} now passes. Remove the entry.`);
  // `styleText` respects FORCE_COLOR and NO_COLOR. Otherwise, only a terminal gets colours.
  const colour = styleText('bold', ' ') !== ' ';
  console.log(formatTerminalSummary(run, { colour, verbose, notes }));
  const [page, ...others] = Object.keys(reports);
  console.log(`\n  Report: ${relative(process.cwd(), join(folder, page!))} (beside it: ${others.join(', ')})\n`);
  return exitCode;
}
