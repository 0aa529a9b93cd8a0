import type { Command } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, clientOf, controlCommand, pathOf, print } from './control-options.ts';
import { recipientOf } from './delivery-table.ts';

type Delivery = components['schemas']['Delivery'];

/** `xpk redeliver`: one delivery once more. */
export function redeliverCommand(): Command {
  return controlCommand('redeliver')
    .description('Sends a delivery once more at once, whatever came of it: a repeat, as the service may make one.')
    .argument('<id>', 'as xpk deliveries shows it')
    .action(redeliver);
}

async function redeliver(id: string, flags: ControlFlags): Promise<void> {
  print(flags, await clientOf(flags).post<Delivery>(`/deliveries${pathOf(id)}/redeliver`, {}), (delivery) => {
    return `${delivery.type} goes to ${recipientOf(delivery)} once more; xpk deliveries ${id} shows what comes of it.`;
  });
}
