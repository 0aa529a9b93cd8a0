import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call } from '../../checks/client/call.ts';
import { followCalls, type RecordedCalls } from '../../checks/client/journal.ts';
import { createClientResults } from '../../checks/client/results.ts';
import type { CheckName } from '../../checks/rules.ts';
import { findDeliveries } from '../../checks/service/deliveries.ts';
import { judgeService } from '../../checks/service/judge.ts';
import { createEndpointResults } from '../../checks/webhook/passed-deliveries.ts';
import { formatPlural } from '../../contract/format-plural.ts';
import type { Results } from '../../contract/generated/results.ts';
import { isLoopbackHost } from '../../events/destination.ts';
import type { Kit, KitHooks, KitSettings } from '../../kit.ts';
import { formatDecisionsFile } from '../../report/decisions-file.ts';
import { clearReports, writeReportFiles, writeReports, writeTextFile } from '../../report/write-reports.ts';
import { announceJudging } from '../announce-judging.ts';
import { formatLine } from '../banner.ts';
import { formatTable } from '../format.ts';
import { createEnvironment } from '../kit-environment.ts';
import { createWorldRecorder } from '../recorded-world.ts';
import { redactSecrets } from '../redact-secrets.ts';
import { readReportFlags } from '../reports/flags.ts';
import { runCommand } from '../run-command.ts';
import { closeOnSignal, openKit } from '../start.ts';
import { UsageError } from '../usage-error.ts';
import { createTwinPrinter } from './twin-printer.ts';

export interface ProxyFlags
  extends Pick<KitSettings, 'port' | 'host' | 'allowHost' | 'allowOrigin' | 'publicUrl' | 'reports' | 'controlToken' | 'logLevel'> {
  readonly to?: string;
  readonly authTo?: string;
  readonly events?: Readonly<Record<string, string>>;
  readonly timeout: number;
  readonly insecure?: boolean;
  readonly faultWrites?: boolean;
  readonly record?: string;
  readonly keepNames?: boolean;
  readonly verbose?: boolean;
  readonly twin?: boolean;
  readonly writeDecisions?: string;
  readonly reportDir: string;
  readonly json?: boolean;
}

/** The maximum number of requests in the journal while a command runs, because they may arrive faster than they are read. */
const JOURNAL_CAPACITY = 20_000;

/** Starts a proxy that runs until a signal. */
export async function startProxy(flags: ProxyFlags): Promise<void> {
  const proxy = await openProxy(flags);
  const { url, authUrl } = proxy;
  const followers = createFollowers(flags);
  const following =
    followers &&
    (await followCalls(getLocalUrl(proxy, flags), { controlToken: flags.controlToken, onCall: followers.add, keepsCalls: false }));
  closeOnSignal({
    async close() {
      await following?.stop();
      await followers?.stop();
      await proxy.close();
    },
  });
  const { authTo, events = {} } = flags;
  const hooks = Object.fromEntries(Object.keys(events).map((name) => [name, `${url}/hooks/${name}`]));
  console.log(
    flags.json
      ? JSON.stringify({ url, ...(authTo !== undefined && { authUrl }), ...(flags.events && { hooks }) })
      : formatBanner(proxy, flags),
  );
}

/**
 * Runs a command with the proxy's URL in its environment, and prints what passed the proxy.
 * @returns the exit code
 */
export async function runWithProxy(words: readonly string[], flags: ProxyFlags): Promise<number> {
  await using proxy = await openProxy(flags, { journalCapacity: JOURNAL_CAPACITY });
  const startedAt = new Date();
  const { controlToken } = flags;
  const url = getLocalUrl(proxy, flags);
  const { XPK_AUTH_URL: authUrl, ...environment } = await createEnvironment({ ...proxy, url, authUrl: `${url}/auth` }, { controlToken });
  const followers = createFollowers(flags);
  const following = await followCalls(url, { controlToken, ...(followers && { onCall: followers.add }) });
  const login = flags.authTo === undefined ? {} : { XPK_AUTH_URL: authUrl };
  const variables = { ...environment, ...readCredentials(process.env), ...login };
  const { status, error } = await runCommand(words, variables, { printsToStderr: flags.json === true });
  if (error !== undefined) console.error(`xpk: ${error}`);
  const recorded = await following.stop();
  const code = await report(recorded, flags, { name: redactSecrets(words.join(' ')), startedAt });
  await followers?.stop();
  if (recorded.calls.length === 0) console.error(NOTHING_PASSED);
  return status === 0 ? code : status;
}

const NOTHING_PASSED = 'xpk: No request passed the proxy. The command must send its requests to the URL in XPK_URL.';
const CHECK_OF_SIDE: Readonly<Record<string, CheckName>> = { client: 'client', endpoint: 'webhook' };

/** Prints what passed, and which rules all sides follow. @returns the exit code */
async function report(
  { calls, facts }: RecordedCalls,
  { to = '', events = {}, reportDir, json, verbose = false }: ProxyFlags,
  run: { readonly name: string; readonly startedAt: Date },
): Promise<number> {
  const outcomes = summarize(calls);
  announceJudging(calls);
  const results = {
    service: judgeService({ calls, url: to, missed: facts.missed }),
    client: createClientResults({
      ...run,
      calls,
      facts: { ...facts, complete: false },
      url: to,
      rules: undefined,
      options: { canProvoke: false },
    }),
    ...(findDeliveries(calls, to).length > 0 && {
      endpoint: createEndpointResults({ calls, url: Object.values(events).join(', ') || to, name: run.name, rules: undefined }),
    }),
  } satisfies Record<string, Results>;
  if (!json) console.log(formatSummary(calls.length, outcomes));
  const codes: number[] = [];
  const failed: Record<string, readonly string[]> = {};
  for (const [side, each] of Object.entries<Results>(results)) {
    const flags = { reportDir: join(reportDir, side), verbose };
    const { settings } = await readReportFlags(flags, CHECK_OF_SIDE[side]);
    await clearReports(settings);
    codes.push(json ? (await writeReportFiles(each, settings)).exitCode : await writeReports(each, settings));
    failed[side] = each.rules.flatMap(({ id, verdict }) => (verdict === 'failed' ? id : []));
  }
  if (json) console.log(JSON.stringify({ requests: calls.length, outcomes, failed }));
  return calls.length === 0 ? 1 : Math.max(...codes);
}

/** Reports a wrong path before anything is recorded. @throws Error with a message for the user */
function checkWritable(file: string): void {
  if (existsSync(file)) closeSync(openSync(file, 'r+'));
  else accessSync(dirname(file), constants.W_OK);
}

/** What reads each request that passes. @returns undefined if there is none */
function createFollowers({ to = '', record, keepNames = false, twin: printsTwin, writeDecisions }: ProxyFlags) {
  if (record === undefined && !printsTwin && writeDecisions === undefined) return undefined;
  const recorder = record === undefined ? undefined : createWorldRecorder(record, keepNames);
  const startedAt = new Date().toISOString();
  const twin = printsTwin || writeDecisions !== undefined ? createTwinPrinter(to, printsTwin ? console.error : undefined) : undefined;
  return {
    add(call: Call): void {
      recorder?.add(call);
      twin?.add(call);
    },
    async stop(): Promise<void> {
      const observations = twin?.stop() ?? [];
      if (recorder) console.error((await recorder.write()).text);
      if (writeDecisions !== undefined) {
        await writeTextFile(writeDecisions, formatDecisionsFile({ observations, target: { baseUrl: to }, startedAt }));
        console.error(
          `Wrote ${writeDecisions}: ${formatPlural(observations.length, 'decision')}. Start a mock with it: xpk start --decisions ${writeDecisions}`,
        );
      }
    },
  };
}

/** The public URL is for the target's deliveries. */
const getLocalUrl = ({ url, port }: Kit, { publicUrl, host = '127.0.0.1' }: ProxyFlags): string =>
  publicUrl === undefined ? url : `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

function openProxy({ to, authTo, events, timeout, insecure, faultWrites, ...flags }: ProxyFlags, hooks: KitHooks = {}): Promise<Kit> {
  const {
    json: _,
    record: __,
    keepNames: ___,
    reportDir: ____,
    twin: _____,
    writeDecisions: ______,
    verbose: _______,
    ...settings
  } = flags;
  for (const file of [flags.record, flags.writeDecisions]) if (file !== undefined) checkWritable(file);
  const target = URL.parse(to!);
  if (target !== null && isLoopbackHost(target.hostname) && settings.port !== 0 && target.port === String(settings.port))
    throw new UsageError(`--to ${to} is the address of the proxy itself. Give the address of the real service, or another --port.`);
  const upstream = {
    ...{ api: to!, timeoutMs: timeout },
    ...(authTo !== undefined && { auth: authTo }),
    ...(events && { events }),
    ...(insecure && { insecure }),
    ...(faultWrites && { faultWrites }),
  };
  return openKit({ ...settings, upstream }, hooks);
}

/** Only the target knows the credentials, so the command keeps those that it has got. */
const readCredentials = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => /^XPK_(TOKEN(_\w+)?|CLIENT_ID|CLIENT_SECRET|REDIRECT_URI|LOGIN_HINT)$/.test(name)),
  );

function formatBanner({ url, authUrl }: Kit, { to, authTo, events = {} }: ProxyFlags): string {
  const lines = [
    formatLine('Console', `${url}/_console`, 'shows requests and responses; Ctrl-C stops the proxy'),
    formatLine('API', url, `forwards to ${to}`),
    ...(authTo === undefined
      ? [formatLine('Login', 'at the real server', '--auth-to forwards /auth')]
      : [formatLine('Login', authUrl, `forwards to ${authTo}`)]),
    ...Object.entries(events).map(([name, endpoint]) => formatLine('Events', `${url}/hooks/${name}`, `forwards to ${endpoint}`)),
  ];
  return ['', ...lines, ''].join('\n');
}

/** The number of requests by operation and outcome. */
type Summary = Readonly<Record<string, Readonly<Record<string, number>>>>;

function summarize(calls: readonly Call[]): Summary {
  const groups = [...Map.groupBy(calls, ({ operationId, path }) => operationId ?? /^\/hooks\/[^/?]+/.exec(path)?.[0] ?? 'other requests')];
  return Object.fromEntries(groups.map(([name, group]) => [name, countOutcomes(group)]));
}

const countOutcomes = (calls: readonly Call[]): Summary[string] =>
  Object.fromEntries([...Map.groupBy(calls, describeOutcome)].map(([outcome, { length }]) => [outcome, length]));

const describeOutcome = ({ status, problem }: Call): string =>
  `${status ?? 'no response'}${problem?.type?.startsWith('/problems/proxy.') ? ' by the proxy' : ''}`;

function formatSummary(requests: number, summary: Summary): string {
  const rows = Object.entries(summary).map(([name, outcomes]) => [
    name,
    Object.entries(outcomes)
      .map(([outcome, count]) => (count === 1 ? outcome : `${outcome} × ${count}`))
      .join(', '),
  ]);
  return `${formatPlural(requests, 'request')} passed the proxy${rows.length > 0 ? `:\n${formatTable(rows)}` : '.'}`;
}
