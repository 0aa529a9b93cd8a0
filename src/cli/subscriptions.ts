import type { Command } from 'commander';
import { eventTypes } from '../contract/generated/events.ts';
import type { EntityOf } from '../fixtures/world.ts';
import { type ControlFlags, clientOf, controlCommand, print } from './control-options.ts';
import { columns } from './in-words.ts';

type Subscriptions = Readonly<Record<string, EntityOf<'subscriptions'>>>;

/** `xpk subscriptions`: who is told of what. */
export function subscriptionsCommand(): Command {
  return controlCommand('subscriptions').description('Lists the subscriptions of a running kit: whose events go where.').action(list);
}

async function list(flags: ControlFlags): Promise<void> {
  print(flags, await clientOf(flags).get<Subscriptions>('/state/subscriptions'), (all) => {
    const rows = Object.entries(all).map(([alias, { provider, experience, types, destinationUrl }]) => [
      alias,
      provider,
      experience ?? 'every Experience',
      destinationUrl ?? 'the inbox',
      types.length === eventTypes.length ? 'all types' : types.join(', '),
    ]);
    return rows.length === 0 ? 'There are no subscriptions. Add one with: xpk subscribe URL' : columns(rows);
  });
}
