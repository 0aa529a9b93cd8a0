import { constants } from 'node:os';
import { computeCoverage } from '../../checks/client/coverage.ts';
import { followCalls, type RecordedCalls, readCalls } from '../../checks/client/journal.ts';
import { judgeCalls } from '../../checks/client/judge.ts';
import { ALL_PROVOCATIONS, PROVOCATIONS, type Provocation } from '../../checks/client/provocations.ts';
import { toResults } from '../../checks/results.ts';
import { createKit, type KitSettings } from '../../kit.ts';
import { clearReports, writeReports } from '../../report/write-reports.ts';
import { parseDecisions } from '../../world/decisions-file.ts';
import { createClient } from '../command.ts';
import { createEnvironment } from '../kit-environment.ts';
import { readReportFlags } from '../reports/flags.ts';
import type { ReportFlags } from '../reports/options.ts';
import { runCommand } from '../run-command.ts';
import { UsageError } from '../usage-error.ts';

export interface CheckClientFlags extends ReportFlags, Pick<KitSettings, 'fixtures' | 'scenario' | 'decisions' | 'login'> {
  readonly set?: string[];
  readonly url?: string;
  readonly controlToken?: string;
  readonly since?: number | Date;
  readonly provoke?: Provocation[] | true;
  readonly wholeLists?: boolean;
  readonly redirectUri?: string;
}

/** The maximum number of calls in the kit's journal. High, because calls may arrive faster than they are read. */
const JOURNAL_CAPACITY = 20_000;

interface ClientRun extends RecordedCalls {
  readonly url: string;
  readonly name?: string;
  readonly startedAt: Date;
  readonly interrupted?: boolean;
}

/** @returns the exit code */
export async function checkClientCommand(commandWords: readonly string[], flags: CheckClientFlags): Promise<number> {
  const reporting = await readReportFlags(flags, 'client');
  const startedAt = new Date();
  const { fixtures, scenario, decisions, login = 'auto', set } = flags;
  const settings = { fixtures, scenario, decisions, login, set: parseDecisions(set ?? [], '--set'), port: 0 };
  await using kit = await createKit(settings, { journalCapacity: JOURNAL_CAPACITY });
  const environment = await createEnvironment(kit, flags.redirectUri);
  for (const name of listProvocations(flags)) for (const fault of PROVOCATIONS[name]) await kit.fault(fault);
  const following = await followCalls(kit.url);
  await clearReports(reporting.settings);
  const ended = await runCommand(commandWords, environment, flags.json === true);
  if (ended.error !== undefined) throw new UsageError(ended.error);
  const interrupted = ended.signal !== undefined;
  const status = ended.signal === undefined ? ended.status : 128 + constants.signals[ended.signal];
  const code = await reportCalls(
    { ...(await following.stop()), url: kit.url, name: commandWords.join(' '), startedAt, interrupted },
    flags,
    reporting,
  );
  if (status !== 0 && !interrupted) console.error(`The command ended with the exit status ${status}.`);
  return status === 0 ? code : status;
}

/** @returns the exit code */
export async function checkRunningKit(url: string, flags: CheckClientFlags): Promise<number> {
  const reporting = await readReportFlags(flags, 'client');
  const control = createClient({ url, ...(flags.controlToken !== undefined && { controlToken: flags.controlToken }) });
  const recorded = await readCalls(control, flags.since);
  await clearReports(reporting.settings);
  return reportCalls({ ...recorded, url, startedAt: new Date() }, flags, reporting);
}

const listProvocations = ({ provoke = [] }: CheckClientFlags) => (provoke === true ? ALL_PROVOCATIONS : provoke);

async function reportCalls(
  { calls, facts, url, name, startedAt, interrupted = false }: ClientRun,
  flags: CheckClientFlags,
  { rules, settings }: Awaited<ReturnType<typeof readReportFlags>>,
): Promise<number> {
  const { missed } = facts;
  const outcomes = judgeCalls(calls, { ...facts, wholeLists: flags.wholeLists === true, provoked: listProvocations(flags) });
  const results = toResults({
    check: 'client',
    url,
    name,
    outcomes: outcomes.filter(({ rule }) => rules === undefined || rules.includes(rule)),
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
    rules,
    interrupted,
    incomplete:
      missed === 0
        ? undefined
        : `the kit's journal deleted ${missed === 1 ? '1 call' : `${missed} calls`} before ${missed === 1 ? 'it' : 'they'} could be checked`,
    coverage: computeCoverage(calls),
  });
  return writeReports(results, settings);
}
