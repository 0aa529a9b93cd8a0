import module from 'node:module';
import { Command, InvalidArgumentError, Option } from 'commander';
import { DESTINATION_MODES } from '../events/destination.ts';
import { RETRY_PROFILES } from '../events/schedule.ts';
import type { LogLevel } from '../http/log.ts';
import type { Kit, KitHooks, KitSettings } from '../kit.ts';
import { LOGIN_MODES } from '../oauth/server/context.ts';
import { createDurationParser } from './command.ts';
import { reportFailure } from './failure.ts';
import { withNotice } from './notice.ts';
import { endWithNpm } from './npm-signals.ts';

const LOG_LEVELS: Readonly<Record<LogLevel, true>> = { silent: true, error: true, warn: true, info: true, debug: true };

export type StartFlags = Omit<KitSettings, 'set'> & { set?: string[]; json?: boolean; watch?: boolean };

/** Environment variables, such as XPK_PORT, can also set the options. */
const OPTIONS: readonly (readonly [flags: string, description: string, configure?: (option: Option) => Option])[] = [
  ['-p, --port <number>', 'port to listen on; 0 for a free port', (option) => option.default(4010).argParser(parsePort)],
  ['--host <address>', 'address to listen on', (option) => option.default('127.0.0.1')],
  [
    '--allow-host <names...>',
    'additional names to accept in the Host header (kit.test, *.kit.test)',
    (option) => option.argParser(parseList),
  ],
  [
    '--allow-origin <origins...>',
    'origins of pages that may use the control API from a browser (http://localhost:5173)',
    (option) => option.argParser(parseList),
  ],
  ['--fixtures <world>', 'the world to start with: demo, empty, or a YAML file'],
  ['--scenario <name>', 'a preset of faults and decisions: authorization-down, lagging-users, …, or a YAML file'],
  [
    '--data <file>',
    'keep the state in this SQLite file; default: in memory (a temporary file for over 100,000 users), until the kit stops',
  ],
  ['--database <url>', 'keep the state in PostgreSQL: postgres://user:password@host/name'],
  ['--public-url <url>', 'the URL that clients use, if it differs from the address that the service listens on'],
  ['--decisions <file>', 'YAML file with decisions about open points in the specification (docs/decisions.md)'],
  ['--set <id=value...>', 'a single decision, such as assignments.create.duplicate=422', (option) => option.argParser(parseList)],
  [
    '--login <who>',
    'who answers authorization requests: a person at the login page, the fixtures, or nobody (always denied)',
    (option) => option.choices([...LOGIN_MODES]).default('page'),
  ],
  [
    '--retries <profile>',
    'when failed deliveries are repeated: over a day, within seconds, or never; default: as the decisions define',
    (option) => option.choices([...RETRY_PROFILES]),
  ],
  [
    '--destinations <mode>',
    'allowed event destinations: any, including this machine, or only https at public addresses',
    (option) => option.choices([...DESTINATION_MODES]).default('local'),
  ],
  [
    '--delivery-timeout <duration>',
    'how long a delivery attempt may take, such as 2s; default: 15s, as the specification says',
    (option) => option.argParser(createDurationParser('1ms', '60s')),
  ],
  [
    '--drain <duration>',
    'how long to accept requests after a stop signal (the status draining in xpk health); default: 0s',
    (option) => option.argParser(createDurationParser('0ms', '10m')),
  ],
  ['--database-connections <number>', 'the maximum number of connections to PostgreSQL; default: 10', (option) => option.argParser(Number)],
  ['--max-worlds <number>', 'how many worlds xpk world create may create; default: 1000', (option) => option.argParser(Number)],
  ['--reports <folder>', 'the folder in which the console finds reports of xpk conformance and xpk check; default: the current folder'],
  ['--control-token <secret>', 'require this token for the control API'],
  [
    '--log-level <level>',
    'which log entries to write to standard error, as JSON lines',
    (option) => option.choices(Object.keys(LOG_LEVELS)).default('error'),
  ],
];

interface StartOptions {
  /** The names of the options to add; by default, all. */
  readonly names?: readonly string[];
  /** Values that replace the defaults of xpk start, by option name. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

export function addStartOptions(command: Command, { names, defaults = {} }: StartOptions = {}): Command {
  for (const [flags, description, configure = (option: Option) => option] of OPTIONS) {
    const option = new Option(flags, description);
    if (names !== undefined && !names.includes(option.name())) continue;
    configure(option.env(`XPK_${option.name().toUpperCase().replaceAll('-', '_')}`));
    if (Object.hasOwn(defaults, option.name())) option.default(defaults[option.name()]);
    command.addOption(option);
  }
  return command;
}

export function createStartCommand(): Command {
  const command = new Command('start').description('Starts the service and prints its addresses, a client, and how to get a token.');
  return addStartOptions(command)
    .option('--no-control', 'disable the control API')
    .option('--watch', 'load the world file of --fixtures again whenever it is saved; its mistakes are printed')
    .option('--json', 'print one line of JSON instead of the banner')
    .addHelpText('after', EXAMPLES)
    .action(startKit);
}

/** Imports the kit only here, so that other commands start faster. */
export async function openKit({ set, ...flags }: StartFlags, hooks: KitHooks = {}): Promise<Kit> {
  endWithNpm();
  const { json: _json, watch: _watch, ...settings } = flags;
  const [{ createKit }, { parseDecisions }] = await Promise.all([import('../kit.ts'), import('../world/decisions-file.ts')]);
  const kit = await withNotice('Creating the world.', createKit({ ...settings, set: parseDecisions(set ?? [], '--set') }, hooks));
  if (!kit.fresh) console.error(describeKeptWorld(kit.world(), settings));
  return kit;
}

async function startKit(flags: StartFlags): Promise<void> {
  const watching = flags.watch ? await import('./watch.ts') : undefined;
  const watched = watching?.checkWatchedFile(flags.fixtures);
  const [kit, { formatBanner, collectBannerFacts }] = await Promise.all([openKit(flags), import('./banner.ts')]);
  closeOnSignal(kit);
  try {
    if (watched !== undefined) await watching?.watchWorldFile(watched, kit);
    const facts = await collectBannerFacts(kit, flags);
    console.log(flags.json ? JSON.stringify({ url: facts.url, authUrl: facts.authUrl, tokens: facts.tokens }) : formatBanner(facts));
  } catch (error) {
    await kit.close();
    throw error;
  }
  // Stores the compiled code now, because a killed process would not store it. Deno has no such function.
  module.flushCompileCache?.();
}

export function describeKeptWorld(world: string, { data, fixtures, scenario }: KitSettings): string {
  const requested = fixtures ?? scenario;
  const notice = `${data ?? 'The database'} already has the world "${world}", so the kit uses the stored world.`;
  if (requested !== undefined) return `${notice} xpk reset loads ${String(requested)}.`;
  return world === 'demo' ? notice : `${notice} xpk reset loads the demo world instead, unless you start with --fixtures.`;
}

const EXAMPLES = `
Options with an environment variable can also be set in the environment: XPK_PORT=4011, XPK_SET="a=1 b=2".

Examples:
  xpk start                                        the demo world on http://127.0.0.1:4010
  xpk start --fixtures ./our-world.yaml            your own accounts, users and numbers
  xpk start --watch --fixtures ./our-world.yaml    loads the file again whenever you save it
  xpk start --scenario authorization-down          users endpoints fail closed with 503
  xpk start --login auto                           logins are approved by the fixtures, for CI
  xpk start --data kit.db                          state that survives a restart
  xpk start --set assignments.create.duplicate=422 change a decision`;

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535) throw new InvalidArgumentError('The value must be a whole number from 0 to 65535.');
  return Number(text);
}

/** Splits the text at spaces, because an environment variable contains all values. */
function parseList(text: string, before: string[] = []): string[] {
  // Keeps an empty string, so that settings validation refuses it.
  return [...before, ...text.trim().split(/\s+/)];
}

export function closeOnSignal(kit: Pick<Kit, 'close'>): void {
  let closing = false;
  const close = (signal: NodeJS.Signals) => {
    // After the first signal, the process waits for open requests. The second signal ends the process at once.
    if (closing) process.exit(130);
    closing = true;
    kit.close().then(
      () => process.exit(signal === 'SIGINT' ? 130 : 0),
      (error: unknown) => {
        reportFailure(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
}
