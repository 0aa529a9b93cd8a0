import type { Command } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { eventTypes } from '../contract/generated/events.ts';
import type { EntityOf } from '../world/world.ts';
import { type ControlFlags, clientOf, controlCommand, print } from './control-options.ts';
import { columns } from './in-words.ts';
import { modeRows } from './mode-in-words.ts';

type InForce = components['schemas']['SubscriptionInForce'];
/** In the words of a world, and what comes of it. */
type Subscription = EntityOf<'subscriptions'> & Pick<InForce, 'deliveryMode' | 'deliveries'>;
type Subscriptions = Readonly<Record<string, Subscription>>;

// A state of the contract that is missing here does not compile.
const STATES: Readonly<Record<keyof InForce['deliveries'], true>> = { acknowledged: true, pending: true, held: true, exhausted: true };

/** `xpk subscriptions`: who is told of what, and what came of it. */
export function subscriptionsCommand(): Command {
  return controlCommand('subscriptions')
    .description(
      'Lists the subscriptions of a running kit: whose events go where, how many deliveries are in which state, how they go wrong on purpose.',
    )
    .action(list);
}

async function list(flags: ControlFlags): Promise<void> {
  print(flags, await subscriptionsOf(flags), (all) => {
    const rows = Object.entries(all).map(rowOf);
    return rows.length === 0 ? 'There are no subscriptions. Add one with: xpk subscribe URL' : columns(rows);
  });
}

/** The world has the aliases of provider and Experience, the subscriptions in force have the rest. */
async function subscriptionsOf(flags: ControlFlags): Promise<Subscriptions> {
  const control = clientOf(flags);
  const world = await control.get<Readonly<Record<string, EntityOf<'subscriptions'>>>>('/state/subscriptions');
  const inForce = await control.get<readonly InForce[]>('/subscriptions');
  return Object.fromEntries(
    inForce.flatMap(({ alias, deliveryMode, deliveries }) => {
      const entity = world[alias];
      // One that was created between the two answers is not in the first.
      return entity === undefined ? [] : [[alias, { ...entity, deliveryMode, deliveries }]];
    }),
  );
}

function rowOf([alias, { provider, experience, types, destinationUrl, deliveries, deliveryMode }]: [string, Subscription]): string[] {
  return [
    alias,
    provider,
    experience ?? 'every Experience',
    destinationUrl ?? 'the inbox',
    types.length === eventTypes.length ? 'all types' : types.join(', '),
    countsOf(deliveries),
    ...(deliveryMode === null ? [] : [settingsIn(deliveryMode)]),
  ];
}

/** `duplicate 1, hold`. */
function settingsIn(mode: NonNullable<InForce['deliveryMode']>): string {
  const settings = modeRows(mode).map(([setting]) => setting);
  return settings.join(', ');
}

/** `2 acknowledged, 1 held`: without states that no delivery is in. */
function countsOf(deliveries: InForce['deliveries']): string {
  const counted = (Object.keys(STATES) as (keyof typeof STATES)[]).filter((state) => deliveries[state] > 0);
  return counted.map((state) => `${deliveries[state]} ${state}`).join(', ') || 'no deliveries';
}
