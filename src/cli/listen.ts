import { type Command, Option } from 'commander';
import { createControlCommand } from './command.ts';
import type { ListenFlags } from './listen/run.ts';

const HELP = `
While the command runs, the kit sends the deliveries of the subscription to it, instead of to the subscription's destination. Each delivery goes to your endpoint
with the same headers and bytes, and the kit gets the endpoint's status, so it repeats what was not acknowledged. If the kit has no such subscription, the command creates it, and removes
it when it ends. At a proxy, NAME is the receiver: events for /hooks/events.

Exit status: 130 after Ctrl-C; 2 if an option is not valid; 1 if the kit refuses, or the subscription was deleted. If the connection is lost, the command connects again.

Examples:
  xpk listen --subscription mine --forward-to http://127.0.0.1:3000/events
  xpk listen --url https://kit.example.com --subscription mine --types experience.connection.created --forward-to http://127.0.0.1:3000/events
  xpk listen --url https://proxy.example.com --subscription events --forward-to http://127.0.0.1:3000/events`;

export function createListenCommand(): Command {
  return createControlCommand('listen')
    .description('Passes the deliveries of a running kit to an endpoint that only this machine can reach.')
    .requiredOption('--subscription <name>', 'the subscription (alias or id); a new one if the kit has none with this name')
    .requiredOption('--forward-to <url>', 'the local endpoint, such as http://127.0.0.1:3000/events')
    .option('--world <name>', 'the world of the kit at --url; default: the first world')
    .option('--types <types>', 'for a new subscription: event types separated by commas; default: all')
    .addOption(new Option('--experience <name>', 'for a new subscription: only events about this Experience (alias or id)'))
    .addOption(new Option('--provider <name>', 'for a new subscription: the provider that subscribes, as for xpk subscribe'))
    .addHelpText('after', HELP)
    .action(async (flags: ListenFlags) => (await import('./listen/run.ts')).listen(flags));
}
