import { unlessBroken } from './broken.ts';
import type { Inbox, Wanted } from './inbox.ts';
import type { Connections } from './make-connection.ts';
import type { Need } from './need.ts';
import { notTestable } from './not-testable.ts';
import { granted } from './observed.ts';
import type { Delivery, Reaction } from './receiver.ts';
import { names } from './told.ts';

interface Parts {
  readonly need: Need;
  /** To what is told of any connection. */
  readonly inbox: Inbox;
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
export async function attempts({ need, inbox, connections }: Parts, reaction: Reaction, afterMs = 0): Promise<Attempts> {
  const repeatsMs = await need('events.repeats');
  const pair = await connections.pair();
  // Its id is not known before its event may come; the Experience may have been connected before.
  let made: Wanted = { type: TYPE };
  const all = () => inbox.all(made).filter((delivery) => names(delivery, [pair.experienceId]));
  const isLast = (delivery: Delivery) => {
    const [first = delivery] = all();
    return delivery !== first && delivery.at - first.at >= afterMs;
  };
  inbox.answer((delivery) => (all().includes(delivery) && !isLast(delivery) ? reaction : undefined));
  const answer = granted('a connection', await connections.create(pair));
  const { id } = await connections.madeBy(answer, pair).catch(unlessBroken(() => notTestable('the id of a new connection')));
  made = { type: TYPE, data: { connectionId: id } };
  await inbox
    .until(() => all().find(isLast), `${TYPE} is delivered again`, repeatsMs + 2 * afterMs)
    .catch(unlessBroken(() => notTestable('a repeat within the time that the target is given for it')));
  return all() as unknown as Attempts;
}
