import type { Command } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, createClient, createControlCommand, omitUndefined, print } from './command.ts';
import { getResponseData } from './control-client.ts';
import { UsageError } from './usage-error.ts';

interface Flags extends ControlFlags {
  readonly subscription?: string;
  readonly clear?: boolean;
}

export function createInboxCommand(): Command {
  return createControlCommand('inbox')
    .description('Shows the headers and bodies of deliveries to subscriptions without a destination, the oldest first.')
    .option('--subscription <name>', 'only deliveries to this subscription (alias or id)')
    .option('--clear', 'empty the inbox, for all subscriptions')
    .addHelpText('after', '\nExamples:\n  xpk inbox --subscription mine\n  xpk inbox --clear')
    .action((flags: Flags) => (flags.clear ? clearInbox(flags) : showInbox(flags)));
}

async function showInbox({ subscription, ...flags }: Flags): Promise<void> {
  const query = omitUndefined({ subscription });
  print(flags, await getResponseData(createClient(flags).GET('/_control/inbox', { params: { query } })), (deliveries) =>
    deliveries.length === 0
      ? 'The inbox is empty. It shows deliveries to subscriptions without a destination; xpk deliveries lists all deliveries.'
      : deliveries.map(formatDelivery).join('\n\n'),
  );
}

async function clearInbox({ subscription, ...flags }: Flags): Promise<void> {
  if (subscription !== undefined)
    throw new UsageError('--clear deletes the deliveries of all subscriptions from the inbox. Omit --subscription.');
  await createClient(flags).DELETE('/_control/inbox');
  print(flags, { cleared: 'all' }, () => 'The inbox is empty.');
}

function formatDelivery({ deliveryId, receivedAt, headers, body }: components['schemas']['Received']): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${receivedAt}  delivery ${deliveryId}`, ...lines, JSON.stringify(body, null, 2)].join('\n');
}
