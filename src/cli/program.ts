import { Command } from 'commander';
import { version } from '../version.ts';
import { assertionCommand } from './assertion.ts';
import { clockCommand } from './clock.ts';
import { conformanceCommand } from './conformance.ts';
import { deliveriesCommand } from './deliveries.ts';
import { explainCommand } from './explain.ts';
import { faultCommand } from './fault.ts';
import { fixturesCommand } from './fixtures.ts';
import { inboxCommand } from './inbox.ts';
import { logsCommand } from './logs.ts';
import { modeCommand } from './mode.ts';
import { recoverCommand } from './recover.ts';
import { redeliverCommand } from './redeliver.ts';
import { releaseCommand } from './release.ts';
import { resetCommand } from './reset.ts';
import { snapshotCommand } from './snapshot.ts';
import { startCommand } from './start.ts';
import { stateCommand } from './state.ts';
import { subscribeCommand } from './subscribe.ts';
import { subscriptionsCommand } from './subscriptions.ts';
import { tokenCommand } from './token.ts';
import { triggerCommand } from './trigger.ts';
import { unsubscribeCommand } from './unsubscribe.ts';
import { waitCommand } from './wait.ts';

/** The command `xpk` with all its subcommands. Instead of ending the process, they throw a CommanderError. */
export function createProgram(): Command {
  const program = new Command()
    .name('xpk')
    .description('A local Experience Provider Integration Service: the whole HTTP API, stateful, strict, and explained.')
    .version(version)
    // Options belong to the verb before them: a verb within a verb may have options of the same name.
    .enablePositionalOptions()
    .showHelpAfterError('Run with --help to see what there is.')
    .addHelpText(
      'after',
      '\nExit status: 0 on success; 2 if the command cannot run because its command line or a file that it names is not valid; 1 on any other failure.\nWith XPK_DEBUG=1 in the environment a failure shows its stack, too.',
    )
    .addCommand(startCommand())
    .addCommand(tokenCommand())
    .addCommand(assertionCommand())
    .addCommand(logsCommand())
    .addCommand(explainCommand())
    .addCommand(stateCommand())
    .addCommand(resetCommand())
    .addCommand(snapshotCommand())
    .addCommand(clockCommand())
    .addCommand(faultCommand())
    .addCommand(subscribeCommand())
    .addCommand(subscriptionsCommand())
    .addCommand(unsubscribeCommand())
    .addCommand(triggerCommand())
    .addCommand(deliveriesCommand())
    .addCommand(waitCommand())
    .addCommand(redeliverCommand())
    .addCommand(recoverCommand())
    .addCommand(modeCommand())
    .addCommand(releaseCommand())
    .addCommand(inboxCommand())
    .addCommand(fixturesCommand())
    .addCommand(conformanceCommand());
  for (const command of withSubcommands(program)) command.exitOverride();
  return program;
}

/** A command and all commands below it. */
export function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap((each) => withSubcommands(each as Command))];
}
