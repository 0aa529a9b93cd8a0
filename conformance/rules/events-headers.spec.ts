import { type Delivery, expectHeader, expectTimestamp, expectUniqueIds } from '../../src/expect/event.ts';
import { type Change, handleMissingEvent, startClock } from '../actors/change-events.ts';
import { makeAllChanges } from '../actors/changes.ts';
import { SERIAL_OPTIONS } from '../runner/repeated.ts';
import { rule } from '../runner/rule.ts';
import { verifyEachChange } from '../runner/shared-changes.ts';
import { test } from '../runner/test.ts';

// Most checks in this file share the same changes and events.
test.describe.configure(SERIAL_OPTIONS);

test(...rule('events.headers.webhook-id'), async ({ participants }) => {
  await verifyEachChange(makeAllChanges, participants, async (change) =>
    expectHeader(await change.inbox.waitForEvent(change), 'webhook-id'),
  );
});

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

test(...rule('events.headers.webhook-timestamp'), async ({ participants }) => {
  await verifyEachChange(makeAllChanges, participants, async (change) => expectTimestamp(await change.inbox.waitForEvent(change)));
});

test(...rule('events.headers.webhook-timestamp-when-sent'), async ({ need, participants }) => {
  const expectSince = await startClock(need, 'events.sent-now');
  await verifyEachChange(makeAllChanges, participants, async (change) => {
    const { headers } = await change.inbox.waitForEvent(change);
    const ms = Number(headers['webhook-timestamp']) * 1000;
    await expectSince(ms, `webhook-timestamp of ${change.type} is the time at which the delivery was sent`);
  });
});
