import { Argument, type Command } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type EventType, eventTypes } from '../contract/generated/events.ts';
import { callOperation } from '../control-client/call.ts';
import { type ControlFlags, createActorOption, createClient, createControlCommand, print } from './command.ts';
import { getResponseData } from './control-client.ts';
import { getRecipientName, parseEventType } from './deliveries.ts';
import { createRawCommand } from './trigger/raw.ts';

type Delivery = components['schemas']['Delivery'];

interface Flags extends ControlFlags {
  readonly account?: string;
  readonly experience?: string;
  readonly subscription?: string;
  readonly as?: 'portal' | 'platform';
}

export function createTriggerCommand(): Command {
  return (
    createControlCommand('trigger')
      .description('Creates, changes or removes an entity of a running kit, so that the kit publishes an event of the given type.')
      .addArgument(new Argument('<type>', 'the event type').argParser(parseEventType))
      .option('--account <name>', 'the account for the entity (alias or id)')
      .option('--experience <name>', 'the Experience for the entity (alias or id)')
      .option(
        '--subscription <name>',
        'the subscription that must receive the event (alias or id); default: the newest subscription that receives the type and has a destination',
      )
      .addOption(createActorOption())
      .addHelpText(
        'after',
        `\nEvent types:\n${eventTypes.map((type) => `  ${type}`).join('\n')}\n\nExamples:\n  xpk trigger experience.connection.activated --account northwind\n  xpk trigger provisioning.user.created --subscription mine\n  xpk trigger raw --subscription mine --body @event.json`,
      )
      // Lets `raw` have options with the same names as `trigger` options.
      .enablePositionalOptions()
      .addCommand(createRawCommand())
      .action(triggerEvent)
  );
}

async function triggerEvent(event: EventType, flags: Flags): Promise<void> {
  const { account, experience, subscription, as } = flags;
  const values = { event, account, experience, subscription, as } as never;
  const answer = await getResponseData(callOperation(createClient(flags), 'triggerEvent', values));
  const { did, type, deliveries, also } = answer;
  print(flags, answer, () => [...did, ...formatDeliveries(type, deliveries), ...formatOtherEvents(also)].join('\n'));
}

function formatDeliveries(type: EventType, deliveries: readonly Delivery[]): string[] {
  if (deliveries.length === 0) return [`Published ${type}, but no subscription receives it. Add one with: xpk subscribe URL`];
  return deliveries.map((delivery) => `Published ${type} for ${getRecipientName(delivery)}: delivery ${delivery.id}.`);
}

function formatOtherEvents(deliveries: readonly Delivery[]): string[] {
  const byType = Map.groupBy(deliveries, (delivery) => delivery.type);
  return [...byType].map(([type, some]) => `Also published ${type} for ${[...new Set(some.map(getRecipientName))].join(', ')}.`);
}
