import { Command, InvalidArgumentError, Option } from 'commander';
import { DESTINATION_MODES } from '../events/destination-mode.ts';
import { RETRY_PROFILES } from '../events/schedule.ts';
import { LOG_LEVELS } from '../http/log.ts';
import { createKit, type Kit, type KitSettings } from '../kit.ts';
import { LOGIN_MODES } from '../oauth/login-mode.ts';
import { parseDecisions } from '../world/decisions-file.ts';
import { banner } from './banner.ts';
import { duration } from './control-options.ts';
import { reportFailure } from './failure.ts';

type Flags = Omit<KitSettings, 'set'> & { set?: string[]; json?: boolean };

/** `xpk start`: the service until Ctrl-C. Options that have a value have an environment variable of the same name. */
export function startCommand(): Command {
  const option = (flags: string, text: string, env: string) => new Option(flags, text).env(env);
  return new Command('start')
    .description('Starts the service and prints where it is and tokens that work.')
    .addOption(option('-p, --port <number>', 'port to listen on; 0 takes a free one', 'XPK_PORT').default(4010).argParser(portNumber))
    .addOption(option('--host <address>', 'address to listen on', 'XPK_HOST').default('127.0.0.1'))
    .addOption(
      option('--allow-host <names...>', 'further names that the Host header may have (kit.test, *.kit.test)', 'XPK_ALLOW_HOST').argParser(
        list,
      ),
    )
    .addOption(
      option(
        '--allow-origin <origins...>',
        'origins of pages that may use the control API from a browser (http://localhost:5173)',
        'XPK_ALLOW_ORIGIN',
      ).argParser(list),
    )
    .addOption(option('--fixtures <world>', 'the world to start with: demo, empty, or a YAML file', 'XPK_FIXTURES'))
    .addOption(option('--scenario <name>', 'a scenario: authorization-down, lagging-users, …, or a YAML file', 'XPK_SCENARIO'))
    .addOption(
      option(
        '--data <file>',
        'keep the state in this SQLite file; default: in memory (1.5 GB for 1,000,000 users), gone at the end',
        'XPK_DATA',
      ),
    )
    .addOption(option('--database <url>', 'keep the state in PostgreSQL: postgres://user:password@host/name', 'XPK_DATABASE'))
    .addOption(option('--public-url <url>', 'where clients reach the service, if not at its own address', 'XPK_PUBLIC_URL'))
    .addOption(
      option('--decisions <file>', 'YAML file of choices on what the specification leaves open (docs/decisions.md)', 'XPK_DECISIONS'),
    )
    .addOption(option('--set <id=value...>', 'a single choice, such as assignments.create.duplicate=422', 'XPK_SET').argParser(list))
    .addOption(
      option('--login <who>', 'who answers authorization requests: a person at the login page, the fixtures, or always no', 'XPK_LOGIN')
        .choices([...LOGIN_MODES])
        .default('page'),
    )
    .addOption(
      option(
        '--retries <profile>',
        'when deliveries of events are repeated, if not as decided: over a day, within seconds, or never',
        'XPK_RETRIES',
      ).choices([...RETRY_PROFILES]),
    )
    .addOption(
      option(
        '--destinations <mode>',
        'where events may be delivered to: also to this machine, or https at public addresses only',
        'XPK_DESTINATIONS',
      )
        .choices([...DESTINATION_MODES])
        .default('local'),
    )
    .addOption(
      option(
        '--delivery-timeout <duration>',
        'how long a delivery attempt may take, such as 2s; default: 15s, as the specification says',
        'XPK_DELIVERY_TIMEOUT',
      ).argParser(duration('1ms', '60s')),
    )
    .addOption(option('--control-token <secret>', 'ask everyone who uses the control API for this', 'XPK_CONTROL_TOKEN'))
    .addOption(new Option('--no-control', 'remove the control API'))
    .addOption(
      option('--log-level <level>', 'JSON lines on standard error', 'XPK_LOG_LEVEL')
        .choices([...LOG_LEVELS])
        .default('error'),
    )
    .addOption(new Option('--json', 'print one line of JSON instead of the banner'))
    .addHelpText('after', EXAMPLES)
    .action(async (flags: Flags) => {
      const { set, json, ...settings } = flags;
      const kit = await createKit({ ...settings, set: parseDecisions(set ?? [], '--set') });
      try {
        const tokens = await kit.tokens();
        if (!kit.fresh) console.error(keptWorld(kit, settings));
        console.log(
          json
            ? JSON.stringify({ url: kit.url, authUrl: kit.authUrl, tokens })
            : banner({ url: kit.url, tokens, ...(await facts(kit, settings)) }),
        );
      } catch (error) {
        await kit.close();
        throw error;
      }
      closeOnSignal(kit);
    });
}

async function facts(kit: Kit, { control = true, login = 'page' }: KitSettings) {
  const { db } = kit.store;
  const [first] = await db.selectFrom('telephone_numbers').select('number').orderBy('number').limit(1).execute();
  return { authUrl: kit.authUrl, login, control, number: first?.number, clients: await clientsToTry(kit) };
}

/** One that authenticates with a secret and one that does with a key: the first of each by alias that may have codes. */
async function clientsToTry({ store: { db } }: Kit) {
  const rows = await db.selectFrom('clients').select(['alias', 'id', 'settings']).orderBy('alias').execute();
  const clients = rows.map(({ alias, id, settings }) => ({ alias, id, ...(JSON.parse(settings) as ClientSettings) }));
  const usable = clients.filter(({ redirectUris }) => redirectUris.length > 0);
  const withSecret = usable.find(({ secret, publicKey }) => secret !== undefined && publicKey === undefined);
  const withKey = usable.find(({ secret, publicKey }) => publicKey !== undefined && secret === undefined);
  return [
    ...(withSecret ? [{ ...withSecret, shows: 'client_secret' as const }] : []),
    ...(withKey ? [{ ...withKey, shows: 'client_assertion' as const }] : []),
  ];
}

/** What the store keeps of a client, beside its name. */
interface ClientSettings {
  readonly secret?: string;
  readonly publicKey?: unknown;
  readonly redirectUris: readonly string[];
}

/** What somebody has to know who starts on a store that has a world already. */
function keptWorld(kit: Kit, { data, fixtures, scenario }: KitSettings): string {
  const asked = fixtures ?? scenario;
  const unused = asked === undefined ? '' : ` ${String(asked)} is what a reset goes back to.`;
  return `${data ?? 'The database'} already holds the world ${kit.world()}: it is served as it was left.${unused}`;
}

const EXAMPLES = `
Options that name their variable can be set in the environment, too: XPK_PORT=4011, XPK_SET="a=1 b=2".

Examples:
  xpk start                                        the demo world on http://127.0.0.1:4010
  xpk start --fixtures ./our-world.yaml            your own accounts, users and numbers
  xpk start --scenario authorization-down          users endpoints fail closed with 503
  xpk start --login auto                           logins are approved by the fixtures, for CI
  xpk start --data kit.db                          state that is still there tomorrow
  xpk start --set assignments.create.duplicate=422 decide an open point otherwise`;

function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535) throw new InvalidArgumentError('It is a whole number from 0 to 65535.');
  return Number(text);
}

/** Values of an option that may be repeated, or that an environment variable gives with spaces between them. */
function list(text: string, before: string[] = []): string[] {
  // An empty text stays: it is refused, as it may come from an unset variable.
  return [...before, ...text.trim().split(/\s+/)];
}

function closeOnSignal(kit: Kit): void {
  let closing = false;
  const close = () => {
    // A second signal does not wait for answers under way.
    if (closing) process.exit(130);
    closing = true;
    kit.close().then(
      () => process.exit(0),
      (error: unknown) => {
        reportFailure(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
}
