import { Argument, type Command, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type EventType, eventTypes } from '../contract/generated/events.ts';
import { clientOf, controlCommand, print } from './control-options.ts';
import { recipientOf } from './delivery-table.ts';
import { eventType } from './event-options.ts';
import { assignmentCreated, assignmentDeleted } from './trigger/assignments.ts';
import { connectionCreated, connectionDeleted, connectionSwitched } from './trigger/connections.ts';
import { rawCommand } from './trigger/raw.ts';
import { type Scene, setScene, type TriggerFlags } from './trigger/scene.ts';
import { userCreated, userDeleted } from './trigger/users.ts';

type Delivery = components['schemas']['Delivery'];

/** How each event comes to happen. @returns the id of what it is about */
const HAPPEN: Readonly<Record<EventType, (scene: Scene) => Promise<string>>> = {
  'experience.connection.created': connectionCreated,
  'experience.connection.activated': (scene) => connectionSwitched(scene, 'ACTIVE'),
  'experience.connection.deactivated': (scene) => connectionSwitched(scene, 'INACTIVE'),
  'experience.connection.deleted': connectionDeleted,
  'experience.assignment.created': assignmentCreated,
  'experience.assignment.deleted': assignmentDeleted,
  'provisioning.user.created': userCreated,
  'provisioning.user.deleted': userDeleted,
};

/** `xpk trigger`: an event, by what causes it. */
export function triggerCommand(): Command {
  return (
    controlCommand('trigger')
      .description('Makes an event happen in the world of a running kit, by creating, changing or removing what it is about.')
      .addArgument(new Argument('<type>', 'the event type').argParser(eventType))
      .option('--account <name>', 'in this account (alias or id)')
      .option('--experience <name>', 'of this Experience (alias or id)')
      .option(
        '--subscription <name>',
        'for this subscription (alias or id); by default the newest one with a destination that receives the type',
      )
      .addOption(new Option('--as <who>', 'who acts; the kit knows who usually does').choices(['portal', 'platform']))
      .addHelpText(
        'after',
        `\nEvent types:\n${eventTypes.map((type) => `  ${type}`).join('\n')}\n\nExamples:\n  xpk trigger experience.connection.activated --account northwind\n  xpk trigger provisioning.user.created --subscription mine\n  xpk trigger raw --subscription mine --body @event.json`,
      )
      // Options of raw are its own, also those that both have.
      .enablePositionalOptions()
      .addCommand(rawCommand())
      .action(trigger)
  );
}

async function trigger(type: EventType, flags: TriggerFlags): Promise<void> {
  const scene = await setScene(type, flags);
  const deliveries = () => clientOf(flags).get<Delivery[]>('/deliveries?limit=1000');
  const before = new Set((await deliveries()).map(({ id }) => id));
  const entityId = await HAPPEN[type](scene);
  const caused = (await deliveries()).filter((delivery) => scene.changed.has(delivery.entityId) && !before.has(delivery.id));
  const isAskedFor = (delivery: Delivery) => delivery.entityId === entityId && delivery.type === type;
  const published = caused.filter(isAskedFor);
  const also = caused.filter((delivery) => !isAskedFor(delivery));
  const answer = { type, entityId, did: scene.did, subscriptions: published.map(recipientOf), deliveries: published, also };
  print(flags, answer, () => [...scene.did, ...recipientLines(type, published), ...alsoLines(also)].join('\n'));
}

function recipientLines(type: EventType, published: readonly Delivery[]): string[] {
  if (published.length === 0) return [`Published ${type}, but no subscription receives it. Add one with: xpk subscribe URL`];
  return published.map((delivery) => `Published ${type} for ${recipientOf(delivery)}: delivery ${delivery.id}.`);
}

/** Subscribers receive these events, too: `xpk wait --count` counts them unless it is given a type. */
function alsoLines(also: readonly Delivery[]): string[] {
  const byType = Map.groupBy(also, (delivery) => delivery.type);
  return [...byType].map(([type, deliveries]) => `Also published ${type} for ${[...new Set(deliveries.map(recipientOf))].join(', ')}.`);
}
