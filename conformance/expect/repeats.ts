import type { Inbox, Wanted } from '../actors/inbox.ts';
import type { Connections } from '../actors/make-connection.ts';
import type { Delivery, Reaction } from '../actors/receiver.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import { unlessBroken } from './broken.ts';
import type { ConnectionKey } from './connections.ts';
import { granted } from './observed.ts';
import { names } from './told.ts';

interface Parts {
  readonly need: Need;
  /** To what is told of any connection. */
  readonly inbox: Inbox;
  readonly connections: Connections;
}

const TYPE = 'experience.connection.created';

interface How {
  /** How long after the first attempt a repeat comes that is waited for, in milliseconds. */
  readonly afterMs?: number;
  /** What is done to the connection before that repeat comes. */
  readonly meanwhile?: (made: ConnectionKey) => Promise<unknown>;
}

/** A delivery, and how it came again: at least once, and more often than what was acknowledged before it. */
export type Attempts = readonly [first: Delivery, ...repeats: [Delivery, ...Delivery[]]];

/**
 * What is sent for one event, the creation of a connection, until a repeat comes that is waited for. Where none comes in time the check ends as not
 * testable.
 * @param reaction to all attempts before that; which may ask for the pause, but nobody has to heed it
 */
export async function attempts(
  { need, inbox, connections }: Parts,
  reaction: Reaction,
  { afterMs = 0, meanwhile }: How = {},
): Promise<Attempts> {
  const repeatsMs = await need('events.repeats');
  const acknowledged = await inbox.change();
  const pair = await connections.pair();
  // Its id is not known before its event may come; the Experience may have been connected before.
  let made: Wanted = { type: TYPE };
  const isNamed = (delivery: Delivery) => names(delivery, [pair.experienceId]);
  const all = () => {
    const like = inbox.all(made).filter(isNamed);
    const id = like[0]?.headers['webhook-id'];
    // A repeat that is not like the first is known by its id.
    return inbox.deliveries.filter(
      (each) => like.includes(each) || (id !== undefined && each.headers['webhook-id'] === id && isNamed(each)),
    );
  };
  let before = meanwhile ? Infinity : 0;
  const isLast = (delivery: Delivery) => {
    const came = all();
    const copies = Math.max(inbox.all(acknowledged).length, before);
    return came.indexOf(delivery) >= copies && delivery.at - (came[0]?.at ?? delivery.at) >= afterMs;
  };
  inbox.answer((delivery) => (all().includes(delivery) && !isLast(delivery) ? reaction : undefined));
  const answer = granted('a connection', await connections.create(pair));
  const { id } = await connections.madeBy(answer, pair).catch(unlessBroken(() => notTestable('the id of a new connection')));
  made = { type: TYPE, data: { connectionId: id } };
  if (meanwhile) {
    await meanwhile({ id, ...pair });
    before = all().length;
  }
  await inbox
    .until(() => all().find(isLast), `${TYPE} is delivered again`, repeatsMs + 2 * afterMs)
    .catch(unlessBroken(() => notTestable('a repeat within the time that the target is given for it')));
  return all() as unknown as Attempts;
}
