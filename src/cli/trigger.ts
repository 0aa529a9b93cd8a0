import { Argument, type Command } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type EventType, eventTypes } from '../contract/generated/events.ts';
import { actorOption, clientFor, controlCommand, print } from './command.ts';
import { getResponseData } from './control-client.ts';
import { eventType, recipientOf } from './deliveries.ts';
import { causes } from './trigger/causes.ts';
import { rawCommand } from './trigger/raw.ts';
import { createScene, type TriggerFlags } from './trigger/scene.ts';

type Delivery = components['schemas']['Delivery'];

export function triggerCommand(): Command {
  return (
    controlCommand('trigger')
      .description('Creates, changes or removes an entity of a running kit, so that the kit publishes an event of the given type.')
      .addArgument(new Argument('<type>', 'the event type').argParser(eventType))
      .option('--account <name>', 'in this account (alias or id)')
      .option('--experience <name>', 'of this Experience (alias or id)')
      .option(
        '--subscription <name>',
        'for this subscription (alias or id); by default the newest one with a destination that receives the type',
      )
      .addOption(actorOption())
      .addHelpText(
        'after',
        `\nEvent types:\n${eventTypes.map((type) => `  ${type}`).join('\n')}\n\nExamples:\n  xpk trigger experience.connection.activated --account northwind\n  xpk trigger provisioning.user.created --subscription mine\n  xpk trigger raw --subscription mine --body @event.json`,
      )
      // An option after `raw` is an option of `raw`, even if `trigger` has an option with the same name.
      .enablePositionalOptions()
      .addCommand(rawCommand())
      .action(trigger)
  );
}

async function trigger(type: EventType, flags: TriggerFlags): Promise<void> {
  const scene = await createScene(type, flags);
  const control = clientFor(flags);
  const { position } = await getResponseData(control.GET('/_control/clock'));
  const entityId = await causes[type](scene);
  const newest = await getResponseData(control.GET('/_control/deliveries', { params: { query: { limit: 1000 } } }));
  const caused = newest.filter((delivery) => delivery.id > position && scene.changed.has(delivery.entityId));
  const isRequested = (delivery: Delivery) => delivery.entityId === entityId && delivery.type === type;
  // Sorts by name, with the requested subscription first. Delivery ids cannot be used for sorting, because one change creates them in an
  // undefined order.
  const key = (delivery: Delivery) => (recipientOf(delivery) === flags.subscription ? '' : recipientOf(delivery));
  const deliveries = caused.filter(isRequested).sort((a, b) => key(a).localeCompare(key(b)));
  const also = caused.filter((delivery) => !isRequested(delivery));
  const answer = { type, entityId, did: scene.steps, subscriptions: deliveries.map(recipientOf), deliveries, also };
  print(flags, answer, () => [...scene.steps, ...formatDeliveries(type, deliveries), ...formatOthers(also)].join('\n'));
}

function formatDeliveries(type: EventType, deliveries: readonly Delivery[]): string[] {
  if (deliveries.length === 0) return [`Published ${type}, but no subscription receives it. Add one with: xpk subscribe URL`];
  return deliveries.map((delivery) => `Published ${type} for ${recipientOf(delivery)}: delivery ${delivery.id}.`);
}

/**
 * Formats the other events that the steps have caused. Subscribers receive these events, too, and `xpk wait --count` without --type counts
 * them.
 */
function formatOthers(deliveries: readonly Delivery[]): string[] {
  const byType = Map.groupBy(deliveries, (delivery) => delivery.type);
  return [...byType].map(([type, some]) => `Also published ${type} for ${[...new Set(some.map(recipientOf))].join(', ')}.`);
}
