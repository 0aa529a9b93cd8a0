import { Command } from 'commander';
import { addStartOptions, openKit, type StartFlags } from './start.ts';

const HELP = `
COMMAND gets these environment variables:
  XPK_URL             the kit's base URL, which xpk commands use, too
  XPK_AUTH_URL        the URL of the kit's authorization server
  XPK_TOKEN           the world's first ready-made token; XPK_TOKEN_<NAME>: each ready-made token
  XPK_CLIENT_ID       an OAuth client of the world, with XPK_CLIENT_SECRET and XPK_REDIRECT_URI
  XPK_LOGIN_HINT      the phone number of a user who can log in
  XPK_CONTROL_TOKEN   the control token, if the kit requires one

Exit status: COMMAND's exit status, or 128 plus the number of the signal that ended COMMAND; 127 if COMMAND does not exist; 126 if it cannot be started; as for
xpk start if the kit cannot be started. A SIGINT or SIGTERM is passed on to COMMAND.

Examples:
  xpk exec -- npm test
  xpk exec -- pytest -q
  xpk exec --fixtures ./our-world.yaml --retries fast -- ./gradlew test
  xpk exec -- sh -c 'curl -s "$XPK_URL/experience/connections?accountId=$ACCOUNT" -H "authorization: Bearer $XPK_TOKEN"'`;

export function createExecCommand(): Command {
  const command = new Command('exec')
    .description("Starts a kit on a free port, runs a command with the kit's addresses in its environment, and stops the kit.")
    .argument('<command...>', 'the command and its arguments, after --')
    .passThroughOptions();
  return addStartOptions(command, { defaults: { port: 0, login: 'auto' } })
    .addHelpText('after', HELP)
    .action(async (words: string[], flags: StartFlags) => {
      const [{ createEnvironment }, { runCommand }] = await Promise.all([import('./kit-environment.ts'), import('./run-command.ts')]);
      await using kit = await openKit(flags);
      const environment = await createEnvironment(kit);
      if (flags.controlToken !== undefined) environment.XPK_CONTROL_TOKEN = flags.controlToken;
      const { status, error } = await runCommand(words, environment);
      if (error !== undefined) console.error(`xpk: ${error}`);
      process.exitCode = status;
    });
}
