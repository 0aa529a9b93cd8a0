import { toMilliseconds } from '../../src/contract/instants.ts';
import { type Delivery, type Members, parseEvent, toObject } from '../../src/expect/event.ts';
import { must } from '../../src/expect/rule-broken.ts';
import { isSameId } from '../../src/expect/same-id.ts';
import { expectEvent, expectEventTypeFormat, expectMember, startClock } from '../actors/change-events.ts';
import { makeAllChanges, makeChangesOfOneExperience } from '../actors/changes.ts';
import { SERIAL_OPTIONS } from '../runner/repeated.ts';
import { rule } from '../runner/rule.ts';
import { verifyEachChange } from '../runner/shared-changes.ts';
import { test } from '../runner/test.ts';

// Most checks in this file share the same changes and events.
test.describe.configure(SERIAL_OPTIONS);

test(...rule('events.envelope.type'), async ({ participants }) => {
  await verifyEachChange(makeAllChanges, participants, expectEventTypeFormat);
});

for (const [id, ...pointers] of [
  ['events.envelope.timestamp', '/timestamp'],
  ['events.envelope.scope', '/scope', '/scope/experienceId'],
  ['events.envelope.data', '/data'],
] as const) {
  test(...rule(id), async ({ participants }) => {
    await verifyEachChange(makeAllChanges, participants, async (change) => {
      for (const pointer of pointers) await expectMember(change, pointer);
    });
  });
}

test(...rule('events.envelope.timestamp-of-event'), async ({ need, participants }) => {
  const expectSince = await startClock(need, 'events.now');
  await verifyEachChange(makeAllChanges, participants, async (change) => {
    const { timestamp } = parseEvent(await change.inbox.waitForEvent(change));
    await expectSince(toMilliseconds(String(timestamp)), `timestamp of ${change.type} is the time of the event`);
  });
});

test(...rule('events.envelope.subscription-id'), async ({ participants }) => {
  await verifyEachChange(makeAllChanges, participants, async (change) => {
    const { subscriptionId } = parseEvent(await change.inbox.waitForEvent(change));
    const isRight = isSameId(subscriptionId, change.inbox.subscriptionId);
    must(isRight, `subscriptionId in ${change.type} is the subscription's id, not ${subscriptionId}`);
  });
});

test(...rule('events.envelope.scope-experience'), async ({ participants }) => {
  // The scope of an event about several Experiences may be any of them, so leave these events out.
  await verifyEachChange(makeChangesOfOneExperience, participants, (change) => {
    const { experienceId } = change;
    const isRight = (_: Members, delivery: Delivery) => isSameId(toObject(parseEvent(delivery).scope).experienceId, experienceId);
    return expectEvent(change, isRight, `scope.experienceId is ${experienceId}`);
  });
});
