import { constants } from 'node:os';
import { followCalls, readCalls } from '../../checks/client/journal.ts';
import {
  ALL_PROVOCATIONS,
  chooseDecisions,
  PROVOCATIONS,
  type Provocation,
  SHORT_TOKEN_LIFETIME_S,
} from '../../checks/client/provocations.ts';
import { type ClientRun, createClientResults } from '../../checks/client/results.ts';
import { defaultDecisions } from '../../contract/generated/decisions.ts';
import { createKit, type KitSettings } from '../../kit.ts';
import { clearReports, writeReports } from '../../report/write-reports.ts';
import { parseDecisions, readDecisionsFile } from '../../world/decisions-file.ts';
import { createClient } from '../command.ts';
import { formatDuration } from '../format.ts';
import { readHarCalls } from '../har-calls.ts';
import { createEnvironment } from '../kit-environment.ts';
import { redactSecrets } from '../redact-secrets.ts';
import { readReportFlags } from '../reports/flags.ts';
import type { ReportFlags } from '../reports/options.ts';
import { runCommand } from '../run-command.ts';
import { UsageError } from '../usage-error.ts';

export interface CheckClientFlags extends ReportFlags, Pick<KitSettings, 'fixtures' | 'scenario' | 'decisions' | 'login'> {
  readonly set?: string[];
  readonly url?: string;
  readonly har?: string;
  readonly baseUrl?: string;
  readonly controlToken?: string;
  readonly since?: number | Date;
  readonly timeLimit: number;
  readonly provoke?: Provocation[] | true;
  readonly wholeLists?: boolean;
  readonly oneSession?: boolean;
  readonly redirectUri?: string;
}

/** The maximum number of calls in the kit's journal. High, because calls may arrive faster than they are read. */
const JOURNAL_CAPACITY = 20_000;

/** @returns the exit code */
export async function checkClientCommand(commandWords: readonly string[], flags: CheckClientFlags): Promise<number> {
  const reporting = await readReportFlags(flags, 'client');
  const startedAt = new Date();
  const { fixtures, scenario, decisions, login = 'auto', set } = flags;
  const provoked = listProvocations(flags);
  const chosen = { ...(decisions !== undefined && (await readDecisionsFile(decisions))), ...parseDecisions(set ?? [], '--set') };
  const settings = { fixtures, scenario, login, set: { ...chooseDecisions(provoked), ...chosen }, port: 0 };
  await using kit = await createKit(settings, { journalCapacity: JOURNAL_CAPACITY });
  const environment = await createEnvironment(kit, { redirectUri: flags.redirectUri });
  for (const name of provoked) for (const fault of PROVOCATIONS[name]) await kit.fault(fault);
  const { XPK_CLIENT_ID: clientId } = environment;
  const lifetime = chosen['oauth.access-token-lifetime'] ?? defaultDecisions['oauth.access-token-lifetime'];
  let isShort = provoked.includes('expiry') && clientId !== undefined && lifetime > SHORT_TOKEN_LIFETIME_S;
  const setLifetime = (accessTokenLifetime: number) => kit.state.set('clients', clientId!, { accessTokenLifetime });
  if (isShort) await setLifetime(SHORT_TOKEN_LIFETIME_S);
  const following = await followCalls(kit.url, {
    onCall({ oauth }) {
      if (!isShort || oauth?.issued?.accessToken?.clientId !== clientId) return;
      isShort = false;
      void setLifetime(lifetime);
    },
  });
  await clearReports(reporting.settings);
  const limit = AbortSignal.timeout(flags.timeLimit);
  const ended = await runCommand(commandWords, environment, { printsToStderr: flags.json === true, limit });
  if (ended.error !== undefined) throw new UsageError(ended.error);
  const interrupted = ended.signal !== undefined;
  const endedBy =
    limit.aborted && !interrupted ? `the command did not end within ${formatDuration(flags.timeLimit)} (--time-limit)` : undefined;
  const status = interrupted ? 128 + constants.signals[ended.signal!] : endedBy === undefined ? ended.status : 0;
  const code = await reportCalls(
    { ...(await following.stop()), url: kit.url, name: redactSecrets(commandWords.join(' ')), startedAt, interrupted, incomplete: endedBy },
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
  const { upstream } = (await control.GET('/_control/info')).data;
  const recorded = await readCalls(control, flags.since);
  await clearReports(reporting.settings);
  return reportCalls({ ...recorded, url, startedAt: new Date() }, { ...flags, canProvoke: upstream === undefined }, reporting);
}

/** @returns the exit code */
export async function checkHar(file: string, flags: CheckClientFlags): Promise<number> {
  const reporting = await readReportFlags(flags, 'client');
  const { calls, baseUrl } = await readHarCalls(file, flags.baseUrl);
  await clearReports(reporting.settings);
  const recorded = { calls, facts: { missed: 0, complete: false } };
  return reportCalls({ ...recorded, url: baseUrl, name: file, startedAt: new Date() }, { ...flags, canProvoke: false }, reporting);
}

const listProvocations = ({ provoke = [] }: Pick<CheckClientFlags, 'provoke'>): readonly Provocation[] =>
  ALL_PROVOCATIONS.filter((name) => provoke === true || provoke.includes(name));

async function reportCalls(
  run: Omit<ClientRun, 'options' | 'rules'>,
  { wholeLists, oneSession, canProvoke = true, ...flags }: CheckClientFlags & { readonly canProvoke?: boolean },
  { rules, settings }: Awaited<ReturnType<typeof readReportFlags>>,
): Promise<number> {
  const options = { wholeLists, oneSession, provoked: listProvocations(flags), canProvoke };
  return writeReports(createClientResults({ ...run, rules, options }), settings);
}
