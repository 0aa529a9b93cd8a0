import { Command } from 'commander';
import { version } from '../version.ts';
import { assertionCommand } from './assertion.ts';
import { checkCommand } from './check.ts';
import { clockCommand } from './clock.ts';
import { conformanceCommand } from './conformance.ts';
import { deliveriesCommand, recoverCommand, redeliverCommand, waitCommand } from './deliveries.ts';
import { modeCommand, releaseCommand } from './delivery-mode.ts';
import { explainCommand } from './explain.ts';
import { faultCommand } from './fault.ts';
import { fixturesCommand } from './fixtures.ts';
import { inboxCommand } from './inbox.ts';
import { logsCommand } from './logs.ts';
import { scenarioCommand } from './scenario.ts';
import { resetCommand, snapshotCommand } from './snapshot.ts';
import { startCommand } from './start.ts';
import { stateCommand } from './state.ts';
import { subscribeCommand, subscriptionsCommand, unsubscribeCommand } from './subscriptions.ts';
import { tokenCommand } from './token.ts';
import { triggerCommand } from './trigger.ts';

const HELP = `
Exit status: 0 on success; 2 if the command line or a file that it names is not valid; 1 on any other failure.
With XPK_DEBUG=1 in the environment a failure also prints its stack.`;

/** Creates the command `xpk` with all subcommands. Commands throw a CommanderError instead of ending the process. */
export function createProgram(): Command {
  const program = new Command()
    .name('xpk')
    .description(
      'A local Experience Provider Integration Service: the whole HTTP API, with state, strict validation, and explained responses.',
    )
    .version(version)
    // With this setting, a subcommand may have an option with the same name as an option of its parent.
    .enablePositionalOptions()
    .showHelpAfterError('Run with --help for usage.')
    .addHelpText('after', HELP);
  for (const command of [
    startCommand(),
    tokenCommand(),
    assertionCommand(),
    logsCommand(),
    explainCommand(),
    stateCommand(),
    resetCommand(),
    snapshotCommand(),
    clockCommand(),
    faultCommand(),
    scenarioCommand(),
    subscribeCommand(),
    subscriptionsCommand(),
    unsubscribeCommand(),
    triggerCommand(),
    deliveriesCommand(),
    waitCommand(),
    redeliverCommand(),
    recoverCommand(),
    modeCommand(),
    releaseCommand(),
    inboxCommand(),
    fixturesCommand(),
    conformanceCommand(),
    checkCommand(),
  ])
    program.addCommand(command);
  for (const command of withSubcommands(program)) command.exitOverride();
  return program;
}

/** Returns a command and all subcommands below it. */
export function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap((each) => withSubcommands(each as Command))];
}
