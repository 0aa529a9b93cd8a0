import type { Command } from 'commander';
import { type ControlFlags, clientOf, controlCommand, pathOf, print } from './control-options.ts';

/** `xpk unsubscribe`: the end of a subscription. */
export function unsubscribeCommand(): Command {
  return controlCommand('unsubscribe')
    .description('Removes a subscription: what happens from now on is not delivered to it.')
    .argument('<name>', 'alias or id, as xpk subscriptions shows it')
    .action(unsubscribe);
}

async function unsubscribe(name: string, flags: ControlFlags): Promise<void> {
  await clientOf(flags).delete(`/state${pathOf('subscriptions', name)}`);
  print(flags, { unsubscribed: name }, () => `Unsubscribed ${name}.`);
}
