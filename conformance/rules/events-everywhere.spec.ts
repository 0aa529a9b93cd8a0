import type { RuleId } from '../../src/contract/generated/rules.ts';
import { type Delivery, expectRepeat, isSentInLaterSecond } from '../../src/expect/event.ts';
import { must } from '../../src/expect/rule-broken.ts';
import type { Change } from '../actors/change-events.ts';
import { collectRepeatedEvents } from '../actors/every-event.ts';
import type { Participants } from '../actors/participants.ts';
import { identifyEvent } from '../expect/event.ts';
import { isRepeated, SERIAL_OPTIONS } from '../runner/repeated.ts';
import { rule as baseRule, WAITING_TAG } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { endAsNotTestable } from '../target/check-report.ts';

// Run all checks of this file in one worker, because they share events.
test.describe.configure(SERIAL_OPTIONS);
const rule = (id: RuleId, variant?: string) => baseRule(id, variant, { tag: WAITING_TAG });

let collected: Promise<readonly Change[]> | undefined;

/** Collects repeated events of every kind once for all checks, or again after a failure. If the run repeats each check, each time. */
function collectEventsOnce(participants: Participants): Promise<readonly Change[]> {
  const found = (isRepeated ? undefined : collected) ?? collectRepeatedEvents(participants);
  collected = found;
  found.catch(() => {
    collected = undefined;
  });
  return found;
}

const readTimestamp = ({ headers }: Delivery) => Number(headers['webhook-timestamp']);

test(...rule('events.delivery.retries-non-2xx', 'events of every type and cause'), async ({ participants }) => {
  await collectEventsOnce(participants);
});

async function collectRepeats(participants: Participants) {
  const changes = await collectEventsOnce(participants);
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
  for (const { first, repeats } of all) for (const repeat of repeats) expectRepeat(first, repeat);
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
