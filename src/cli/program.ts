import { Command } from 'commander';
import { version } from '../version.ts';
import { addConfig } from './config.ts';

const HELP = `
Examples:
  xpk start
  xpk start --help

Exit status: 0 on success; 2 if the command line or a file that it names is not valid; 130 after Ctrl-C; 1 on any other failure.
With XPK_DEBUG=1 in the environment, a failure also prints its stack trace.`;

/**
 * Functions that import each command, in the order of the help text. A module is imported only if its command is called, so that xpk starts
 * quickly.
 */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./start.ts')).startCommand(),
  token: async () => (await import('./token.ts')).tokenCommand(),
  assertion: async () => (await import('./assertion.ts')).assertionCommand(),
  health: async () => (await import('./health.ts')).healthCommand(),
  logs: async () => (await import('./logs.ts')).logsCommand(),
  explain: async () => (await import('./explain.ts')).explainCommand(),
  state: async () => (await import('./state.ts')).stateCommand(),
  reset: async () => (await import('./snapshot.ts')).resetCommand(),
  snapshot: async () => (await import('./snapshot.ts')).snapshotCommand(),
  clock: async () => (await import('./clock.ts')).clockCommand(),
  fault: async () => (await import('./fault.ts')).faultCommand(),
  scenario: async () => (await import('./scenario.ts')).scenarioCommand(),
  subscribe: async () => (await import('./subscriptions.ts')).subscribeCommand(),
  subscriptions: async () => (await import('./subscriptions.ts')).subscriptionsCommand(),
  unsubscribe: async () => (await import('./subscriptions.ts')).unsubscribeCommand(),
  trigger: async () => (await import('./trigger.ts')).triggerCommand(),
  deliveries: async () => (await import('./deliveries.ts')).deliveriesCommand(),
  wait: async () => (await import('./deliveries.ts')).waitCommand(),
  redeliver: async () => (await import('./deliveries.ts')).redeliverCommand(),
  recover: async () => (await import('./deliveries.ts')).recoverCommand(),
  mode: async () => (await import('./delivery-mode.ts')).modeCommand(),
  release: async () => (await import('./delivery-mode.ts')).releaseCommand(),
  inbox: async () => (await import('./inbox.ts')).inboxCommand(),
  fixtures: async () => (await import('./fixtures.ts')).fixturesCommand(),
  conformance: async () => (await import('./conformance.ts')).conformanceCommand(),
  check: async () => (await import('./check.ts')).checkCommand(),
  completion: async () => (await import('./completion.ts')).completionCommand(createProgram),
};

/**
 * Returns the names of the commands that a command line needs: the called command, or all commands for the help text and for the hint after
 * an unknown name.
 */
function findNeededCommands([first = '', second = '']: readonly string[]): string[] {
  if (['--version', '-V'].includes(first)) return [];
  const called = first === 'help' ? second : first;
  return Object.hasOwn(COMMANDS, called) ? [called] : Object.keys(COMMANDS);
}

/**
 * Creates the `xpk` command with the subcommands that a command line needs. Commands throw a CommanderError instead of ending the process.
 * @param args the command line, without the program
 */
export async function createProgram(args: readonly string[]): Promise<Command> {
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
  for (const command of await Promise.all(findNeededCommands(args).map((name) => COMMANDS[name]!()))) program.addCommand(command);
  for (const command of listWithSubcommands(program)) {
    command.exitOverride();
    // Commander begins its messages with `error:`, but xpk begins them with `xpk:`.
    command.configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'xpk: ')) });
    addConfig(command);
  }
  return program;
}

/** Returns a command and all its subcommands, at every level. */
export function listWithSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap((each) => listWithSubcommands(each as Command))];
}
