import { isDeepStrictEqual } from 'node:util';
import { assignAccount } from '../actors/arrange.ts';
import { type Change, handleMissingEvent, startClock, waitForEvent } from '../actors/change-events.ts';
import { createAssignmentTwice, createConnectionTwice, makeAllChanges } from '../actors/changes.ts';
import { runInParallel } from '../actors/in-parallel.ts';
import { getUserActions, selectUserEventRules } from '../actors/operator.ts';
import { type Delivery, expectHeader, matchUserEvent, parseEvent, pickDocumentedMembers } from '../expect/event.ts';
import { must } from '../expect/rule-broken.ts';
import { SERIAL_OPTIONS } from '../runner/repeated.ts';
import { rule } from '../runner/rule.ts';
import { verifyEachChange } from '../runner/shared-changes.ts';
import { test } from '../runner/test.ts';
import { endAsNotApplicable } from '../target/check-report.ts';

// Most checks in this file share the same changes and events.
test.describe.configure(SERIAL_OPTIONS);

const ID_HEADER = 'webhook-id';
const TIMESTAMP_HEADER = 'webhook-timestamp';

test(...rule('events.headers.webhook-id'), async ({ participants }) => {
  await verifyEachChange(makeAllChanges, participants, async (change) => expectHeader(await waitForEvent(change), ID_HEADER));
});

function isSameEvent(first: Delivery, second: Delivery): boolean {
  const readContent = (delivery: Delivery) => ({ ...pickDocumentedMembers(delivery), timestamp: undefined, subscriptionId: undefined });
  return isDeepStrictEqual(readContent(first), readContent(second));
}

/**
 * Ignores deliveries without the header, because a different rule requires it.
 * @param byId the known deliveries by webhook-id; new ones are added
 */
function expectUniqueIds(byId: Map<string, Delivery>, deliveries: readonly Delivery[]): void {
  for (const delivery of deliveries) {
    const id = delivery.headers[ID_HEADER];
    if (!id) continue;
    const known = byId.get(id) ?? delivery;
    must(isSameEvent(known, delivery), `${id} identifies one event, not both ${known.text} and ${delivery.text}`);
    byId.set(id, known);
  }
}

test(...rule('events.headers.webhook-id-unique'), async ({ participants }) => {
  const byId = new Map<string, Delivery>();
  const changes: Change[] = [];
  for await (const change of makeAllChanges(participants, 2)) {
    changes.push(change);
    const { inbox, type, ids } = change;
    // Each earlier change of this type also published an event.
    const count = changes.filter((each) => each.inbox === inbox && each.type === type && each.ids[0] === ids[0]).length;
    await inbox.waitUntil(() => inbox.filterDeliveries(change)[count - 1], `${type} is delivered`).catch(handleMissingEvent(change));
    expectUniqueIds(byId, inbox.filterDeliveries(change));
  }
});

test(
  ...rule('events.headers.webhook-id-unique', 'a connection and an assignment that are created again after their deletion'),
  async ({ participants }) => {
    const byId = new Map<string, Delivery>();
    // Match only the new entity's id, because events about the deleted entity may contain the other ids in `ids`.
    for await (const change of runInParallel(createConnectionTwice(participants), createAssignmentTwice(participants)))
      expectUniqueIds(byId, [await waitForEvent({ ...change, ids: [change.ids[0]] })]);
  },
);

test(...rule('events.headers.webhook-id-unique', 'one user, two Experiences'), async ({ need, has, events, connections, operator }) => {
  const [users, inbox] = [await getUserActions({ has, operator }), await events.openDefaultInbox()];
  const accountId = await need('account.second');
  await assignAccount(connections, inbox, accountId);
  await assignAccount(connections, inbox, accountId);
  const match = { ...matchUserEvent('created', await users.create(accountId)), rule: selectUserEventRules({ has }).created };
  await inbox.waitForEvent(match);
  await inbox.settle();
  const deliveries = inbox.filterDeliveries(match).filter(({ headers }) => headers[ID_HEADER]);
  const scopes = new Set(deliveries.map((delivery) => JSON.stringify(parseEvent(delivery).scope)));
  // A target may publish one event for both Experiences (decision provisioning.several-experiences).
  if (scopes.size < 2) endAsNotApplicable('the target publishes a single event about a user with several Experiences');
  expectUniqueIds(new Map(), deliveries);
});

/** A larger timestamp must be in milliseconds, because seconds since 1970 reach this number only in the year 5138. */
const MIN_MILLISECONDS = 1e11;

const readTimestamp = ({ headers }: Delivery) => Number(headers[TIMESTAMP_HEADER]);

test(...rule('events.headers.webhook-timestamp'), async ({ participants }) => {
  await verifyEachChange(makeAllChanges, participants, async (change) => {
    const text = expectHeader(await waitForEvent(change), TIMESTAMP_HEADER);
    must(Number(text) < MIN_MILLISECONDS, `${TIMESTAMP_HEADER} is in seconds, not ${text}`);
  });
});

test(...rule('events.headers.webhook-timestamp-when-sent'), async ({ need, participants }) => {
  const expectSince = await startClock(need, 'events.sent-now');
  await verifyEachChange(makeAllChanges, participants, async (change) =>
    expectSince(
      readTimestamp(await waitForEvent(change)) * 1000,
      `${TIMESTAMP_HEADER} of ${change.type} is the time at which the delivery was sent`,
    ),
  );
});
