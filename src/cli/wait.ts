import { type Command, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, clientOf, controlCommand, duration, print, wholeNumber } from './control-options.ts';
import { deliveryTable } from './delivery-table.ts';
import { type DeliveryFlags, stateOption, subscriptionOption, typeOption } from './event-options.ts';

type Schemas = components['schemas'];

interface Flags extends ControlFlags, DeliveryFlags {
  readonly entity?: string;
  readonly count: number;
  readonly timeout: number;
}

/** `xpk wait`: what scripts do in place of sleeping. */
export function waitCommand(): Command {
  return controlCommand('wait')
    .description(
      'Waits until so many deliveries are as asked for, those of before included, and prints them. Exits 1 when they are not in time.',
    )
    .addOption(subscriptionOption())
    .addOption(typeOption())
    .option('--entity <id>', 'only events about this connection, assignment or user')
    .addOption(stateOption('what has become of them').default('acknowledged'))
    .addOption(new Option('--count <count>', 'how many at least').default(1).argParser(wholeNumber(1)))
    .addOption(new Option('--timeout <duration>', 'wall time, 60s at most').default(10_000, '10s').argParser(duration('0ms', '60s')))
    .addHelpText('after', '\nExample:\n  xpk wait --type experience.assignment.created --subscription mine --timeout 5s')
    .action(wait);
}

async function wait({ subscription, type, entity: entityId, state, count, timeout: timeoutMs, ...flags }: Flags): Promise<void> {
  const asked: Schemas['DeliveryWait'] = {
    count,
    timeoutMs,
    ...(subscription !== undefined && { subscription }),
    ...(type !== undefined && { type }),
    ...(entityId !== undefined && { entityId }),
    ...(state !== undefined && { state }),
  };
  print(flags, await clientOf(flags).post<Schemas['Delivery'][]>('/deliveries/wait', asked), deliveryTable);
}
