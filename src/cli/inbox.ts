import type { Command } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, clientOf, controlCommand, print } from './control-options.ts';
import { subscriptionOption } from './event-options.ts';
import { UsageError } from './usage-error.ts';

type Received = components['schemas']['Received'];

interface Flags extends ControlFlags {
  readonly subscription?: string;
  readonly clear?: boolean;
}

/** `xpk inbox`: what came for subscriptions without a destination. */
export function inboxCommand(): Command {
  return controlCommand('inbox')
    .description('Shows what came for subscriptions without a destination, as a receiver sees it, the oldest first.')
    .addOption(subscriptionOption())
    .option('--clear', 'empty it, for all subscriptions')
    .action((flags: Flags) => (flags.clear ? clear(flags) : show(flags)));
}

const NOTHING = 'The inbox is empty: it has what came for subscriptions without a destination. xpk deliveries shows those of the others.';

async function show({ subscription, ...flags }: Flags): Promise<void> {
  const query = subscription === undefined ? '' : `?${new URLSearchParams({ subscription })}`;
  print(flags, await clientOf(flags).get<Received[]>(`/inbox${query}`), (received) =>
    received.length === 0 ? NOTHING : received.map(inWords).join('\n\n'),
  );
}

async function clear({ subscription, ...flags }: Flags): Promise<void> {
  if (subscription !== undefined) throw new UsageError('The inbox is emptied for all subscriptions: give --clear without --subscription.');
  await clientOf(flags).delete('/inbox');
  print(flags, { cleared: 'all' }, () => 'The inbox is empty.');
}

function inWords({ deliveryId, receivedAt, headers, body }: Received): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${receivedAt}  delivery ${deliveryId}`, ...lines, JSON.stringify(body, null, 2)].join('\n');
}
