import { isDeepStrictEqual } from 'node:util';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { type Change, expectFields, expectMember, startClock, waitForEvent } from '../actors/change-events.ts';
import { collectEveryEvent, isSentInLaterSecond } from '../actors/every-event.ts';
import type { Participants } from '../actors/participants.ts';
import { isSameId, toMilliseconds } from '../expect/compare.ts';
import { type Delivery, expectHeader, identifyEvent, parseEvent, pickDocumentedMembers } from '../expect/event.ts';
import { must } from '../expect/rule-broken.ts';
import { isRepeated, SERIAL_OPTIONS } from '../runner/repeated.ts';
import { rule as baseRule, WAITING_TAG } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { endAsNotTestable } from '../target/check-report.ts';

// Run all checks of this file in one worker, because they share events.
test.describe.configure(SERIAL_OPTIONS);
const rule = (id: RuleId, variant?: string) => baseRule(id, variant, { tag: WAITING_TAG });

const collectedEvents = new Map<boolean, Promise<readonly Change[]>>();

/**
 * Collects events of every kind once for all checks, or again after a failure. If the run repeats each check, collects the events each
 * time.
 * @param expect a function to call after each change if the run repeats each check
 */
function collectEventsOnce(participants: Participants, failing: boolean, expect?: (change: Change) => Promise<unknown>) {
  const known = isRepeated ? undefined : collectedEvents.get(failing);
  const events = known ?? collectEveryEvent(participants, failing, isRepeated ? expect : undefined);
  collectedEvents.set(failing, events);
  events.catch(() => collectedEvents.delete(failing));
  return events;
}

const readTimestamp = ({ headers }: Delivery) => Number(headers['webhook-timestamp']);
const createMemberCheck = (pointer: string) => (change: Change) => expectMember(change, pointer);
const checkData = (change: Change) => expectFields(change, change.data);

const CHECKS_PER_SUBSCRIPTION: readonly (readonly [RuleId, (change: Change) => Promise<unknown>, typePrefix?: string])[] = [
  [
    'events.envelope.subscription-id',
    async (change) => {
      const { subscriptionId } = parseEvent(await waitForEvent(change));
      const expected = change.inbox.subscriptionId;
      must(isSameId(subscriptionId, expected), `subscriptionId of ${change.type} is ${expected}, not ${subscriptionId}`);
    },
  ],
  ['events.envelope.timestamp', createMemberCheck('/timestamp')],
  ['events.envelope.scope', createMemberCheck('/scope/experienceId')],
  ['events.headers.webhook-id', async (change) => expectHeader(await waitForEvent(change), 'webhook-id')],
  ['events.headers.webhook-timestamp', async (change) => expectHeader(await waitForEvent(change), 'webhook-timestamp')],
  ['events.connection.data.of-connection', checkData, 'experience.connection.'],
  ['events.connection.data.updated-at', createMemberCheck('/data/updatedAt'), 'experience.connection.'],
  ['events.assignment.data.of-assignment', checkData, 'experience.assignment.'],
  ['events.assignment.data.updated-at', createMemberCheck('/data/updatedAt'), 'experience.assignment.'],
  ['events.provisioning.data.of-user', checkData, 'provisioning.'],
  ['events.provisioning.data.updated-at', createMemberCheck('/data/updatedAt'), 'provisioning.'],
];
for (const [id, expect, typePrefix = ''] of CHECKS_PER_SUBSCRIPTION) {
  test(...rule(id, 'at subscriptions to some types or to one Experience'), async ({ need, participants }) => {
    await need('subscriptions');
    const isSelectedType = ({ type }: Change) => type.startsWith(typePrefix);
    const changes = (await collectEventsOnce(participants, false, async (change) => isSelectedType(change) && expect(change))).filter(
      isSelectedType,
    );
    if (changes.length === 0) endAsNotTestable(`the profile has no way to cause an event whose type begins with ${typePrefix}`);
    for (const change of changes) await expect(change);
  });
}

for (const [id, clock, timeOf] of [
  ['events.envelope.timestamp-of-event', 'events.now', (delivery) => toMilliseconds(String(parseEvent(delivery).timestamp))],
  ['events.headers.webhook-timestamp-when-sent', 'events.sent-now', (delivery) => readTimestamp(delivery) * 1000],
] as const satisfies (readonly [RuleId, 'events.now' | 'events.sent-now', (delivery: Delivery) => number])[]) {
  test(...rule(id, 'at subscriptions to some types or to one Experience'), async ({ need, participants }) => {
    await need('subscriptions');
    const expectSince = await startClock(need, clock);
    const expectTime = async (change: Change) =>
      expectSince(timeOf(await waitForEvent(change)), `the time in ${change.type} is the time of the event`);
    for (const change of await collectEventsOnce(participants, false, expectTime)) await expectTime(change);
  });
}

test(...rule('events.delivery.retries-non-2xx', 'events of every type and cause, at every subscription'), async ({ participants }) => {
  await collectEventsOnce(participants, true);
});

async function collectRepeats(participants: Participants) {
  const changes = await collectEventsOnce(participants, true);
  const all = changes.map((change) => ({ type: change.type, deliveries: change.inbox.filterDeliveries(change) }));
  return all.filter(({ deliveries }) => deliveries.length > 1);
}

async function collectRepeatedIds(participants: Participants) {
  const all = (await collectRepeats(participants)).flatMap(({ type, deliveries }) =>
    [...Map.groupBy(deliveries, identifyEvent).values()].flatMap(([first, ...repeats]) => (first ? [{ type, first, repeats }] : [])),
  );
  return all.filter(({ repeats }) => repeats.length > 0);
}

test(...rule('events.headers.webhook-id-kept'), async ({ participants }) => {
  for (const { type, deliveries } of await collectRepeats(participants)) {
    const ids = [...new Set(deliveries.map(identifyEvent))];
    // Creating or deleting a connection may publish a second activated or deactivated event, which has a different webhook-id. At least two
    // deliveries must have the same webhook-id.
    const maxIds = type.endsWith('activated') ? deliveries.length - 1 : 1;
    must(ids.length <= maxIds, `every repeat of ${type} has the same webhook-id, not ${ids.join(' and ')}`);
  }
});

test(...rule('events.delivery.repeat-is-same-event'), async ({ participants }) => {
  const all = await collectRepeatedIds(participants);
  if (all.length === 0) endAsNotTestable('no delivery was repeated with the same webhook-id');
  for (const { type, first, repeats } of all) {
    const expected = pickDocumentedMembers(first);
    for (const repeat of repeats.map(pickDocumentedMembers))
      for (const name of ['type', 'timestamp', 'subscriptionId', 'scope', 'data'] as const) {
        const [before, after] = [expected[name], repeat[name]];
        must(isDeepStrictEqual(after, before), `${name} in a repeat of ${type} is ${JSON.stringify(before)}, not ${JSON.stringify(after)}`);
      }
  }
});

test(...rule('events.headers.webhook-timestamp-of-repeat'), async ({ participants }) => {
  let isTested = false;
  for (const { type, first, repeats } of await collectRepeatedIds(participants)) {
    for (const repeat of [first, ...repeats].filter(isSentInLaterSecond)) {
      isTested = true;
      const isLater = readTimestamp(repeat) > readTimestamp(first);
      must(isLater, `webhook-timestamp of a later repeat of ${type} is later than ${readTimestamp(first)}, not ${readTimestamp(repeat)}`);
    }
  }
  if (!isTested)
    endAsNotTestable(
      'the check needs a repeat that was certainly sent a second or more after the first delivery, but the suite found none',
    );
});
