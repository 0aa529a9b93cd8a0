import { judgeJournal, judgeService } from '../../checks/service/judge.ts';
import type { Results } from '../../contract/generated/results.ts';
import { toKebabCase } from '../../contract/kebab-case.ts';
import { formatDecisionsFile } from '../../report/decisions-file.ts';
import { clearReports, writeReports, writeTextFile } from '../../report/write-reports.ts';
import { announceJudging } from '../announce-judging.ts';
import { createClient } from '../command.ts';
import { readHarCalls } from '../har-calls.ts';
import { readReportFlags } from '../reports/flags.ts';
import { UsageError } from '../usage-error.ts';
import type { RunFlags } from './run.ts';

export interface TrafficFlags {
  readonly har?: string;
  readonly journal?: string;
}

/** What only a suite that sends requests can use. */
const FLAGS_OF_SUITE = ['profile', 'receiver', 'form', 'interactive', 'explore', 'seed', 'verify', 'targetVersion'] as const;

/** Judges a service by its traffic with other clients. @returns the exit code */
export async function judgeTraffic(flags: RunFlags & TrafficFlags): Promise<number> {
  const { har, journal, baseUrl, controlToken } = flags;
  const source = har === undefined ? '--journal' : '--har';
  const unused = FLAGS_OF_SUITE.find((name) => flags[name] !== undefined);
  if (unused !== undefined) throw new UsageError(`${source} sends no requests, so omit --${toKebabCase(unused)}.`);
  if (har !== undefined && journal !== undefined) throw new UsageError('Give either --har or --journal.');
  const { rules, settings } = await readReportFlags(flags);
  let results: Results;
  if (har === undefined) {
    const control = createClient({ url: journal!, ...(controlToken !== undefined && { controlToken }) });
    results = await judgeJournal(control, journal!, { rules });
  } else {
    const { calls, baseUrl: url } = await readHarCalls(har, baseUrl);
    announceJudging(calls);
    results = judgeService({ calls, url, name: `${url}, by ${har}`, rules });
  }
  if (flags.writeDecisions !== undefined) await writeTextFile(flags.writeDecisions, formatDecisionsFile(results));
  await clearReports(settings);
  return writeReports(results, settings);
}
