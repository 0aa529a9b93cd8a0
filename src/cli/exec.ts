import { Command, Option } from 'commander';
import { getKitOfWorld } from '../contract/world-url.ts';
import { createUrlOption } from './command.ts';
import { findWorld } from './find-world.ts';
import { addStartOptions, openKit, type StartFlags } from './start.ts';
import { UsageError } from './usage-error.ts';

interface ExecFlags extends StartFlags {
  readonly url: string;
  /** True: a new world. */
  readonly world?: string | true;
}

const HELP = `
COMMAND gets these environment variables:
  XPK_URL             the kit's base URL, which xpk commands use, too
  XPK_AUTH_URL        the URL of the kit's authorization server
  XPK_TOKEN           the world's first ready-made token; XPK_TOKEN_<NAME>: each ready-made token
  XPK_CLIENT_ID       an OAuth client of the world, with XPK_CLIENT_SECRET and XPK_REDIRECT_URI
  XPK_LOGIN_HINT      the phone number of a user who can log in
  XPK_CONTROL_TOKEN   the control token, if the kit requires one
  XPK_WORLD           with --world: the name of the world

Exit status: COMMAND's exit status, or 128 plus the number of the signal that ended COMMAND; 127 if COMMAND does not exist; 126 if it cannot be started; as for
xpk start if the kit cannot be started. A SIGINT or SIGTERM is passed on to COMMAND.

Examples:
  xpk exec -- npm test
  xpk exec -- pytest -q
  xpk exec --fixtures ./our-world.yaml --retries fast -- ./gradlew test
  xpk exec --world -- pytest -q                     in a new world of a running kit
  xpk exec -- sh -c 'curl -s "$XPK_URL/experience/connections?accountId=$ACCOUNT" -H "authorization: Bearer $XPK_TOKEN"'`;

export function createExecCommand(): Command {
  const command = new Command('exec')
    .description("Starts a kit on a free port, runs a command with the kit's addresses in its environment, and stops the kit.")
    .argument('<command...>', 'the command and its arguments, after --')
    .passThroughOptions()
    .addOption(
      new Option('--world [name]', 'use a world of the running kit at --url instead of a new kit: a new world, or the one with this name'),
    )
    .addOption(createUrlOption('with --world: the address of the running kit'));
  return addStartOptions(command, { defaults: { port: 0, login: 'auto' } })
    .addHelpText('after', HELP)
    .action(async (words: string[], { url, world, ...flags }: ExecFlags) => {
      const [{ createEnvironment }, { runCommand }] = await Promise.all([import('./kit-environment.ts'), import('./run-command.ts')]);
      if (world !== undefined) checkOptions(command);
      await using kit = world === undefined ? await openKit(flags) : await openWorld(url, world, words, flags);
      const environment = await createEnvironment(kit, { controlToken: flags.controlToken });
      const { status, error } = await runCommand(words, environment);
      if (error !== undefined) console.error(`xpk: ${error}`);
      process.exitCode = status;
    });
}

/** @throws UsageError if an option of a new kit is given */
function checkOptions(command: Command): void {
  const used = ['world', 'url', 'controlToken', 'config'];
  const other = command.options.find(
    (option) => command.getOptionValueSource(option.attributeName()) === 'cli' && !used.includes(option.attributeName()),
  );
  if (other !== undefined) throw new UsageError(`${other.long} is for a new kit, but --world uses a running kit.`);
}

/** Returns a world, which ends with the command if it is new. */
async function openWorld(url: string, name: string | true, words: readonly string[], { controlToken }: StartFlags) {
  const { connectKit } = await import('../sdk/connect.ts');
  const given = controlToken === undefined ? {} : { controlToken };
  if (name === true) return connectKit(getKitOfWorld(url), given).createWorld({ label: words.join(' ').slice(0, 200) });
  return { ...connectKit(await findWorld(url, name, controlToken), given), name };
}
