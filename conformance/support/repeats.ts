import type { Events } from './events-test.ts';
import type { Connections } from './make-connection.ts';
import type { Need } from './need.ts';
import { notTestable } from './not-testable.ts';
import { granted } from './observed.ts';
import type { Delivery, Reaction } from './receiver.ts';
import { names } from './told.ts';

interface Parts {
  readonly need: Need;
  readonly events: Events;
  readonly connections: Connections;
}

const TYPE = 'experience.connection.created';

/** A delivery, and how it came again: at least once. */
export type Attempts = readonly [first: Delivery, ...repeats: [Delivery, ...Delivery[]]];

/**
 * What is sent for one event, the creation of a connection, until a repeat comes so long after the first attempt. Where none comes in time the
 * check ends as not testable.
 * @param reaction to all attempts before that; which may ask for the pause, but nobody has to heed it
 */
export async function attempts({ need, events, connections }: Parts, reaction: Reaction, afterMs = 0): Promise<Attempts> {
  const repeatsMs = await need('events.repeats');
  const pair = await connections.pair();
  const inbox = await events.subscribed();
  const all = () => inbox.all({ type: TYPE }).filter((delivery) => names(delivery, [pair.experienceId]));
  const isLast = (delivery: Delivery) => {
    const [first = delivery] = all();
    return delivery !== first && delivery.at - first.at >= afterMs;
  };
  inbox.answer((delivery) => (all().includes(delivery) && !isLast(delivery) ? reaction : undefined));
  granted('a connection', await connections.create(pair));
  await inbox.until(() => all().find(isLast), `${TYPE} is delivered again`, repeatsMs + 2 * afterMs).catch(() => notTestable('a repeat'));
  return all() as unknown as Attempts;
}
