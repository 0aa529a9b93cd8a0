import { Command } from 'commander';
import { version } from '../version.ts';
import { addConfig } from './config.ts';
import { printsJson } from './failure.ts';

const HELP = `
Examples:
  xpk start
  xpk start --help

Exit status: 0 on success; 2 if the command line or a file that it names is not valid; 130 after Ctrl-C; 1 on any other failure.
With XPK_DEBUG=1 in the environment, a failure also prints its stack trace.`;

const createFromTable = (words: string) => async () => (await import('./verbs/verb.ts')).createVerb(words);

/** Imports commands only when needed, so that xpk starts quickly. The help text lists the commands in this order. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./start.ts')).createStartCommand(),
  exec: async () => (await import('./exec.ts')).createExecCommand(),
  proxy: async () => (await import('./proxy.ts')).createProxyCommand(),
  token: async () => (await import('./token.ts')).createTokenCommand(),
  assertion: async () => (await import('./assertion.ts')).createAssertionCommand(),
  health: createFromTable('health'),
  info: createFromTable('info'),
  operations: createFromTable('operations'),
  decisions: createFromTable('decisions'),
  logs: async () => (await import('./logs.ts')).createLogsCommand(),
  explain: async () => (await import('./explain.ts')).createExplainCommand(),
  state: async () => (await import('./state.ts')).createStateCommand(),
  changes: createFromTable('changes'),
  world: createFromTable('world'),
  reset: createFromTable('reset'),
  undo: createFromTable('undo'),
  snapshot: createFromTable('snapshot'),
  clock: createFromTable('clock'),
  fault: createFromTable('fault'),
  scenario: async () => (await import('./scenario.ts')).createScenarioCommand(),
  subscribe: createFromTable('subscribe'),
  subscriptions: createFromTable('subscriptions'),
  listen: async () => (await import('./listen.ts')).createListenCommand(),
  unsubscribe: createFromTable('unsubscribe'),
  trigger: createFromTable('trigger'),
  events: createFromTable('events'),
  deliveries: createFromTable('deliveries'),
  wait: createFromTable('wait'),
  redeliver: createFromTable('redeliver'),
  duplicate: createFromTable('duplicate'),
  recover: createFromTable('recover'),
  mode: createFromTable('mode'),
  release: createFromTable('release'),
  inbox: createFromTable('inbox'),
  signature: createFromTable('signature'),
  reports: createFromTable('reports'),
  fixtures: async () => (await import('./fixtures.ts')).createFixturesCommand(),
  conformance: async () => (await import('./conformance.ts')).createConformanceCommand(),
  check: async () => (await import('./check.ts')).createCheckCommand(),
  completion: async () => (await import('./completion.ts')).createCompletionCommand(createProgram),
};

/** Returns the called command's name or, for the help text and an unknown command, all names. */
function findNeededCommands([first = '', second = '']: readonly string[]): string[] {
  if (['--version', '-V'].includes(first)) return [];
  const called = first === 'help' ? second : first;
  return Object.hasOwn(COMMANDS, called) ? [called] : Object.keys(COMMANDS);
}

/** Commands throw a CommanderError instead of ending the process. */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command()
    .name('xpk')
    .description(
      'A local Experience Provider Integration Service: the whole HTTP API, with state, strict validation, and explained responses.',
    )
    .version(version)
    // Lets a subcommand have an option with the same name as its parent's option.
    .enablePositionalOptions()
    .showHelpAfterError('Run with --help for usage.')
    .addHelpText('after', HELP);
  for (const command of await Promise.all(findNeededCommands(args).map((name) => COMMANDS[name]!()))) program.addCommand(command);
  for (const command of listWithSubcommands(program)) {
    command.exitOverride();
    // Commander begins its messages with `error:`. With --json, `reportFailure` prints the message.
    command.configureOutput(
      printsJson(args)
        ? { outputError: () => {}, writeErr: () => {} }
        : { outputError: (text, write) => write(text.replace(/^error: /, 'xpk: ')) },
    );
    addConfig(command);
  }
  return program;
}

export function listWithSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap((each) => listWithSubcommands(each as Command))];
}
