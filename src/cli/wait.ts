import { type Command, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { NotFoundError } from './control-client.ts';
import { type ControlFlags, clientOf, controlCommand, duration, print, wholeNumber } from './control-options.ts';
import { deliveryTable } from './delivery-table.ts';
import { type DeliveryFlags, stateOption, subscriptionOption, typeOption } from './event-options.ts';

type Schemas = components['schemas'];

interface Flags extends ControlFlags, DeliveryFlags {
  readonly entity?: string;
  readonly since?: string;
  readonly count: number;
  readonly timeout: number;
}

/** `xpk wait`: what scripts do in place of sleeping. */
export function waitCommand(): Command {
  return controlCommand('wait')
    .description(
      'Waits until that many deliveries match, and prints them. Earlier deliveries count, too, unless --since is given. Exits with 1 if they are not in time.',
    )
    .addOption(subscriptionOption())
    .addOption(typeOption())
    .option('--entity <id>', 'only events about this connection, assignment or user')
    .addOption(stateOption('what has become of them').default('acknowledged'))
    .option(
      '--since <position>',
      'only deliveries created after a point: the position that xpk clock --json prints, or the id of a delivery',
    )
    .addOption(new Option('--count <count>', 'how many at least').default(1).argParser(wholeNumber(1)))
    .addOption(new Option('--timeout <duration>', 'wall time, 60s at most').default(10_000, '10s').argParser(duration('0ms', '60s')))
    .addHelpText(
      'after',
      '\nExamples:\n  xpk wait --type experience.assignment.created --subscription mine --timeout 5s\n  since=$(xpk clock --json | jq -r .position); npm run my-client; xpk wait --since "$since" --count 2',
    )
    .action(wait);
}

async function wait({ subscription, type, entity: entityId, state, since, count, timeout: timeoutMs, ...flags }: Flags): Promise<void> {
  const asked: Schemas['DeliveryWait'] = {
    count,
    timeoutMs,
    ...(subscription !== undefined && { subscription }),
    ...(type !== undefined && { type }),
    ...(entityId !== undefined && { entityId }),
    ...(state !== undefined && { state }),
    ...(since !== undefined && { since }),
  };
  const deliveries = await clientOf(flags)
    .post<Schemas['Delivery'][]>('/deliveries/wait', asked)
    .catch((error: Error) => {
      // The server answers with 404 only if the time is up.
      throw error instanceof NotFoundError ? new Error(error.reason) : error;
    });
  print(flags, deliveries, deliveryTable);
}
