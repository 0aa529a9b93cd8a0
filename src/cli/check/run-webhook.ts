import { toResults } from '../../checks/results.ts';
import { chooseActors } from '../../checks/webhook/actors.ts';
import { checkWebhook, type WebhookCheckOptions } from '../../checks/webhook/check-webhook.ts';
import { CommandError } from '../../checks/webhook/commands.ts';
import type { Hook } from '../../checks/webhook/hooks.ts';
import { createRandomSettings } from '../../checks/webhook/random.ts';
import { DEFAULT_SECRET, SUBSCRIPTION_ID } from '../../checks/webhook/subscription.ts';
import type { StateSource } from '../../checks/webhook/view.ts';
import { createKit, type Kit } from '../../kit.ts';
import { clearReports, writeReports } from '../../report/write-reports.ts';
import { parseDecisions } from '../../world/decisions-file.ts';
import { type ControlClient, createCliClient } from '../control-client.ts';
import { readReportFlags } from '../reports/flags.ts';
import type { ReportFlags } from '../reports/options.ts';
import { UsageError } from '../usage-error.ts';
import { repeatFailures } from './repeat-failures.ts';

export interface WebhookFlags extends ReportFlags {
  readonly stateUrl?: string;
  readonly stateCommand?: string;
  readonly restart?: string;
  readonly loseStore?: string;
  readonly settle: number;
  readonly answerWithin: number;
  readonly timeLimit: number;
  readonly strictEndpoint?: boolean;
  readonly random: number;
  readonly seed?: number;
  readonly path?: string;
  readonly kitPort?: number;
  readonly set?: string[];
  readonly url?: string;
  readonly controlToken?: string;
  readonly provider?: string;
  readonly secret?: string;
  readonly journal?: string;
}

const INTERRUPTED_EXIT_CODE = 130;

/**
 * @param given the options to repeat in a command that repeats a failure
 * @returns the exit code
 */
export async function runWebhookCheck(url: string, flags: WebhookFlags, given: readonly string[]): Promise<number> {
  const { rules, settings } = await readReportFlags(flags, 'webhook');
  const state = parseStateSource(flags);
  if (flags.url !== undefined && (flags.kitPort !== undefined || flags.set !== undefined))
    throw new UsageError('--kit-port and --set configure the kit that the check starts. Omit them with --url.');
  if (flags.path !== undefined && flags.seed === undefined) throw new UsageError('--path needs --seed. Copy both from the report.');
  const { kit, control, close } = await connectKit(flags);
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    process.stderr.write(await formatCredentials(kit, control, flags));
    await clearReports(settings);
    const startedAt = new Date();
    const random = createRandomSettings(flags);
    const options: WebhookCheckOptions = {
      url,
      kit: { url: kit?.url ?? (flags.url as string).replace(/\/+$/, ''), control },
      consumerCallsKit: flags.url !== undefined || flags.kitPort !== undefined,
      state,
      restart: parseHook(flags.restart),
      loseStore: parseHook(flags.loseStore),
      settleMs: flags.settle,
      answerWithinMs: flags.answerWithin,
      strictEndpoint: flags.strictEndpoint,
      rules,
      random,
      timeLimitMs: flags.timeLimit,
      provider: flags.provider,
      subscriptionId: kit && SUBSCRIPTION_ID,
      secret: flags.secret,
      signal: interrupt.signal,
      onProgress: (line) => void process.stderr.write(`${line}\n`),
    };
    const { outcomes, notes } = await checkWebhook(options);
    const interrupted = interrupt.signal.aborted;
    const durationMs = Date.now() - startedAt.getTime();
    const command = ['xpk check webhook', url, ...given].map((word, at) => (at === 0 ? word : quoteForShell(word))).join(' ');
    // The repetitions take at most as long as the run.
    const leftMs = Math.min(flags.timeLimit - durationMs, durationMs);
    const selected = [...(flags.rule === undefined ? [] : ['--rule', ...flags.rule]), '--random', String(flags.random)].map(quoteForShell);
    const whole = [
      command,
      ...selected,
      ...(random === undefined ? [] : [`--seed ${random.seed}`]),
      ...(flags.path === undefined ? [] : ['--path', flags.path]),
    ].join(' ');
    const replayed = interrupted ? outcomes : await repeatFailures(outcomes, options, { command, whole, leftMs });
    const tested = flags.path === undefined ? rules : outcomes.map(({ rule }) => rule);
    const results = toResults({ check: 'webhook', url, outcomes: replayed, notes, startedAt, durationMs, rules: tested, interrupted });
    const code = await writeReports(results, settings);
    return interrupted ? INTERRUPTED_EXIT_CODE : code;
  } catch (error) {
    if (error instanceof CommandError && interrupt.signal.aborted) return INTERRUPTED_EXIT_CODE;
    throw error instanceof CommandError ? new UsageError(error.message) : error;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    await close();
  }
}

async function connectKit({ url, controlToken, kitPort = 0, set = [] }: WebhookFlags) {
  if (url !== undefined) return { kit: undefined, control: createCliClient(url, controlToken), close: async () => {} };
  const kit = await createKit({ port: kitPort, set: parseDecisions(set, '--set') });
  return { kit, control: createCliClient(kit.url), close: () => kit.close() };
}

function parseStateSource({ stateUrl, stateCommand }: WebhookFlags): StateSource | undefined {
  if (stateUrl !== undefined && stateCommand !== undefined) throw new UsageError('Give only one of --state-url and --state-command.');
  if (stateCommand !== undefined) return { command: stateCommand };
  if (stateUrl === undefined) return undefined;
  if (!isHttpUrl(stateUrl)) throw new UsageError('--state-url must be an http or https URL, such as http://127.0.0.1:3000/state.');
  return { url: stateUrl };
}

function parseHook(text: string | undefined): Hook | undefined {
  if (text === undefined) return undefined;
  return isHttpUrl(text) ? { url: text } : { command: text };
}

function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

async function formatCredentials(
  kit: Kit | undefined,
  control: ControlClient,
  { kitPort, provider, secret: given = DEFAULT_SECRET }: WebhookFlags,
): Promise<string> {
  const { decisions } = (await control.GET('/_control/info')).data;
  const isSigned = decisions['events.delivery.signature'] === 'standard-webhooks';
  const secret = isSigned ? [`  signing secret  ${given}, the same in every run`] : [];
  if (kit === undefined || kitPort === undefined) return secret.map((line) => `${line.trim()}\n\n`).join('');
  const { accounts, token } = await chooseActors(control, provider);
  const lines = [
    'The kit of this check, for your consumer:',
    `  API             ${kit.url}`,
    `  authorization   ${kit.authUrl}`,
    `  subscriptionId  ${SUBSCRIPTION_ID}`,
    ...secret,
    ...accounts.map(({ id, name }) => `  account         ${id}  ${name}`),
    `  access token    ${token}`,
  ];
  return `${lines.join('\n')}\n\n`;
}

function quoteForShell(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
