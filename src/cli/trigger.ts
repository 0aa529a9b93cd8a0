import { Argument, type Command } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type EventType, eventTypes } from '../contract/generated/events.ts';
import { createActorOption, createClient, createControlCommand, print } from './command.ts';
import { getResponseData } from './control-client.ts';
import { getRecipientName, parseEventType } from './deliveries.ts';
import { EVENT_TRIGGERS } from './trigger/event-triggers.ts';
import { createRawCommand } from './trigger/raw.ts';
import { createWorldEditor, type TriggerFlags } from './trigger/world-editor.ts';

type Delivery = components['schemas']['Delivery'];

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

async function triggerEvent(type: EventType, flags: TriggerFlags): Promise<void> {
  const editor = await createWorldEditor(type, flags);
  const control = createClient(flags);
  const { position } = await getResponseData(control.GET('/_control/clock'));
  const entityId = await EVENT_TRIGGERS[type](editor);
  const newest = await getResponseData(control.GET('/_control/deliveries', { params: { query: { limit: 1000 } } }));
  const caused = newest.filter((delivery) => delivery.id > position && editor.changed.has(delivery.entityId));
  const isRequested = (delivery: Delivery) => delivery.entityId === entityId && delivery.type === type;
  // Sort the deliveries by subscription name, the requested subscription first, because the order of delivery ids is undefined.
  const sortKey = (delivery: Delivery) => (getRecipientName(delivery) === flags.subscription ? '' : getRecipientName(delivery));
  const deliveries = caused.filter(isRequested).sort((a, b) => sortKey(a).localeCompare(sortKey(b)));
  const also = caused.filter((delivery) => !isRequested(delivery));
  const answer = { type, entityId, did: editor.steps, subscriptions: deliveries.map(getRecipientName), deliveries, also };
  print(flags, answer, () => [...editor.steps, ...formatDeliveries(type, deliveries), ...formatOtherEvents(also)].join('\n'));
}

function formatDeliveries(type: EventType, deliveries: readonly Delivery[]): string[] {
  if (deliveries.length === 0) return [`Published ${type}, but no subscription receives it. Add one with: xpk subscribe URL`];
  return deliveries.map((delivery) => `Published ${type} for ${getRecipientName(delivery)}: delivery ${delivery.id}.`);
}

function formatOtherEvents(deliveries: readonly Delivery[]): string[] {
  const byType = Map.groupBy(deliveries, (delivery) => delivery.type);
  return [...byType].map(([type, some]) => `Also published ${type} for ${[...new Set(some.map(getRecipientName))].join(', ')}.`);
}
