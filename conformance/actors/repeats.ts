import type { ConnectionKey } from '../expect/connection.ts';
import { connectionEvent, type Delivery, type EventMatch, mentions } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import { onRuleBroken } from '../expect/rule-broken.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import type { Connections } from './connections.ts';
import type { Inbox } from './inbox.ts';
import type { Reaction } from './receiver.ts';

interface Parts {
  readonly need: Need;
  /** An inbox that gets events of the type experience.connection.created. */
  readonly inbox: Inbox;
  readonly connections: Connections;
}

interface Options {
  /** How many milliseconds after the first delivery the last repeat comes at least. */
  readonly afterMs?: number;
  /** Changes the connection before the last repeat comes. */
  readonly meanwhile?: (key: ConnectionKey) => Promise<unknown>;
}

/** The first delivery of an event and its repeats. */
export type Repeated = readonly [first: Delivery, ...repeats: [Delivery, ...Delivery[]]];

/**
 * Creates a connection and answers the deliveries of its event with `reaction`. Acknowledges the event once it is delivered more often than
 * an acknowledged event usually is. If the event is not repeated in time, another rule is broken (Inbox.notRepeated).
 * @param reaction may ask for a pause with Retry-After, which no target has to follow
 */
export async function collectRepeats(
  { need, inbox, connections }: Parts,
  reaction: Reaction,
  { afterMs = 0, meanwhile }: Options = {},
): Promise<Repeated> {
  const retryMs = await need('events.repeats');
  const acknowledged = await inbox.makeChange();
  const pair = await connections.pair();
  // Until the id of the connection is known, only the Experience can identify the event. Other events may contain
  // the same Experience, so the id replaces it later.
  let match: EventMatch = connectionEvent('created', pair.experienceId);
  const deliveries = () => {
    const matching = inbox.matching(match);
    const id = matching[0]?.headers['webhook-id'];
    // The body of a repeat may differ from the first delivery, so its webhook-id also identifies it.
    const isRepeat = (delivery: Delivery) =>
      id !== undefined && delivery.headers['webhook-id'] === id && mentions(delivery, [pair.experienceId]);
    return inbox.deliveries.filter((delivery) => matching.includes(delivery) || isRepeat(delivery));
  };
  let countBeforeChange = meanwhile ? Infinity : 0;
  const isLast = (delivery: Delivery) => {
    const all = deliveries();
    const copies = Math.max(inbox.matching(acknowledged).length, countBeforeChange);
    return all.indexOf(delivery) >= copies && delivery.at - (all[0]?.at ?? delivery.at) >= afterMs;
  };
  inbox.answerWith((delivery) => (deliveries().includes(delivery) && !isLast(delivery) ? reaction : undefined));
  const answer = requireSuccess('a connection', await connections.create(pair));
  const key = await connections
    .createdBy(answer, pair)
    .catch(onRuleBroken(() => notTestable('the target does not show the id of a new connection')));
  match = connectionEvent('created', key.id);
  if (meanwhile) {
    await meanwhile(key);
    countBeforeChange = deliveries().length;
  }
  await inbox
    .until(() => deliveries().find(isLast), 'the event is delivered again', retryMs + 2 * afterMs)
    .catch(
      onRuleBroken(async (error) => {
        const count = deliveries().length;
        // The target has to deliver the event and then repeat it in time, but it need not repeat it several times in that time.
        if (count === 0 || count > inbox.matching(acknowledged).length)
          notTestable('the target did not repeat a delivery as often as the check needs');
        return inbox.notRepeated(error, count, `events.delivery.${reaction === 'reset' ? 'retries-unanswered' : 'retries-non-2xx'}`);
      }),
    );
  return deliveries() as unknown as Repeated;
}
