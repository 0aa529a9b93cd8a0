import { isDeepStrictEqual } from 'node:util';
import { changesToOneTarget } from '../actors/assignment-changes.ts';
import { type Change, notDelivered, startClock, waitForEvent } from '../actors/change-events.ts';
import { assignAccount, everyChange } from '../actors/changes.ts';
import { changesToOnePair } from '../actors/connection-changes.ts';
import { inParallel } from '../actors/in-parallel.ts';
import { collectRepeats } from '../actors/repeats.ts';
import { type Delivery, documentedEvent, eventOf, expectHeader, mentions, userEvent } from '../expect/event.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { notTestable } from '../target/not-testable.ts';

const ID = 'webhook-id';
const TIMESTAMP = 'webhook-timestamp';

/** Milliseconds since 1970 are more than that since 1973; seconds will be in the year 5138. */
const NO_SECONDS = 1e11;

const secondsOf = ({ headers }: Delivery) => Number(headers[TIMESTAMP]);

/** A repeat is no other event. */
function isSameEvent(one: Delivery, other: Delivery): boolean {
  const waitForEvent = (delivery: Delivery) => ({ ...documentedEvent(delivery), timestamp: undefined, subscriptionId: undefined });
  return isDeepStrictEqual(waitForEvent(one), waitForEvent(other));
}

/** @param byId what came before; what is new is added. @throws RuleBroken where one id is of two events */
function mustBeUnique(byId: Map<string | undefined, Delivery>, deliveries: readonly Delivery[]): void {
  for (const delivery of deliveries) {
    const known = byId.get(delivery.headers[ID]) ?? delivery;
    must(isSameEvent(known, delivery), `${delivery.headers[ID]} is the id of one event, not of ${known.text} and ${delivery.text}`);
    byId.set(delivery.headers[ID], known);
  }
}

test('Every delivery carries the header webhook-id.', rule('events.headers.webhook-id'), async ({ participants }) => {
  for await (const change of everyChange(participants)) expectHeader(await waitForEvent(change), ID);
});

/** Waits for the event of a change, also where there was one of its kind before. @returns all of them that have an id */
async function toldAgain(change: Change, changed: readonly Change[]): Promise<readonly Delivery[]> {
  const { inbox, type, ids } = change;
  const all = () => inbox.matching({ type }).filter((delivery) => mentions(delivery, ids));
  const times = changed.filter((each) => each.inbox === inbox && each.type === type && each.ids[0] === ids[0]).length;
  await inbox.until(() => all()[times - 1], `${type} is delivered`).catch(notDelivered(type));
  return identified(all());
}

/** Those that have an id: where one has none that is the matter of another rule. */
function identified(deliveries: readonly Delivery[]): readonly Delivery[] {
  return deliveries.filter(({ headers }) => headers[ID]);
}

test('No two events have the same webhook-id.', rule('events.headers.webhook-id-unique'), async ({ participants }) => {
  const byId = new Map<string | undefined, Delivery>();
  const changed: Change[] = [];
  for await (const change of everyChange(participants, 2)) {
    changed.push(change);
    mustBeUnique(byId, await toldAgain(change, changed));
  }
});

test(
  'No two events have the same webhook-id: of a pair that is connected again, and a target that is assigned again.',
  rule('events.headers.webhook-id-unique'),
  async ({ participants }) => {
    const byId = new Map<string | undefined, Delivery>();
    // What else mentions it is the same the second time.
    for await (const change of inParallel<Change>(changesToOnePair(participants), changesToOneTarget(participants)))
      mustBeUnique(byId, identified([await waitForEvent({ ...change, ids: change.ids.slice(0, 1) })]));
  },
);

test(
  'No two events have the same webhook-id: of one user, for two Experiences.',
  rule('events.headers.webhook-id-unique'),
  async ({ need, has, events, connections, operator }) => {
    const users = await operator(has('platform.users') ? 'platform.users' : 'portal.users', 'account.second');
    const [inbox, accountId] = [await events.subscribed(), await need('account.second')];
    for (let experiences = 0; experiences < 2; experiences += 1) await assignAccount(connections, inbox, accountId);
    const wanted = userEvent('created', await users.create(accountId));
    await inbox.waitForEvent(wanted);
    await inbox.settle();
    const waitForEvent = identified(inbox.matching(wanted));
    const scopes = new Set(waitForEvent.map((delivery) => JSON.stringify(eventOf(delivery).scope)));
    if (scopes.size < 2) notTestable('a user that is waitForEvent for each of two Experiences');
    mustBeUnique(new Map(), waitForEvent);
  },
);

test(
  'Every repeat of a delivery carries the webhook-id of the first.',
  rule('events.headers.webhook-id-kept'),
  async ({ need, events, connections }) => {
    const inbox = await events.subscribed();
    for (const [first, ...repeats] of await Promise.all([
      collectRepeats({ need, inbox, connections }, { status: 500 }),
      collectRepeats({ need, inbox, connections }, 'reset'),
    ]))
      for (const { headers } of repeats)
        must(headers[ID] === first.headers[ID], `a repeat carries ${first.headers[ID]}, as the first, and not ${headers[ID]}`);
  },
);

test(
  'Every delivery carries the header webhook-timestamp in seconds of Unix time.',
  rule('events.headers.webhook-timestamp'),
  async ({ participants }) => {
    for await (const change of everyChange(participants)) {
      const text = expectHeader(await waitForEvent(change), TIMESTAMP);
      must(Number(text) < NO_SECONDS, `${TIMESTAMP} is in seconds, which ${text} cannot be`);
    }
  },
);

test(
  'webhook-timestamp is the time when the delivery is sent.',
  rule('events.headers.webhook-timestamp-when-sent'),
  async ({ need, participants }) => {
    const mustBeSince = await startClock(need, 'events.sent-now');
    for await (const change of everyChange(participants))
      await mustBeSince(secondsOf(await waitForEvent(change)) * 1000, `${TIMESTAMP} of ${change.type} is the time of the sending`);
  },
);

test(
  'The webhook-timestamp of a repeat is the time of the repeat, not of the first sending or of the event.',
  rule('events.headers.webhook-timestamp-of-repeat'),
  async ({ need, events, connections }) => {
    const inbox = await events.subscribed();
    // The header has whole seconds, and what is sent is some time on its way.
    const [first, ...repeats] = await collectRepeats(
      { need, inbox, connections },
      { status: 503, headers: { 'retry-after': '2' } },
      { afterMs: 2000 },
    );
    for (const repeat of repeats.filter(({ at }) => at - first.at >= 2000))
      must(
        secondsOf(repeat) > secondsOf(first),
        `${TIMESTAMP} of a repeat two seconds later is later than ${secondsOf(first)}, not ${secondsOf(repeat)}`,
      );
  },
);
