import { connectionChanges } from '../actors/connection-changes.ts';
import { changesOfOneExperience, everyChange } from '../actors/event-changes.ts';
import { eventOf, type Members } from '../actors/inbox.ts';
import type { Delivery } from '../actors/receiver.ts';
import { must } from '../expect/broken.ts';
import { mustCarry, mustHaveType } from '../expect/event-members.ts';
import { millisecondsOf } from '../expect/instants.ts';
import { attempts } from '../expect/repeats.ts';
import { sameId } from '../expect/same-id.ts';
import { sinceNow } from '../expect/target-time.ts';
import { mustTell, told } from '../expect/told.ts';
import { test } from '../runner/events-test.ts';
import { rule } from '../runner/rule.ts';

test('An event carries a type in the form domain.entity.action.', rule('events.envelope.type'), async ({ parts }) => {
  for await (const change of everyChange(parts)) await mustHaveType(change);
});

for (const [id, title, ...pointers] of [
  ['events.envelope.timestamp', 'An event carries a timestamp in ISO 8601, in UTC.', '/timestamp'],
  ['events.envelope.scope', 'An event carries a scope that contains an experienceId.', '/scope', '/scope/experienceId'],
  ['events.envelope.data', 'An event carries data, an object.', '/data'],
] as const) {
  test(title, rule(id), async ({ parts }) => {
    for await (const change of everyChange(parts)) for (const pointer of pointers) await mustCarry(change, pointer);
  });
}

test(
  'timestamp is the time of the event, not of the sending: every repeat carries the same.',
  rule('events.envelope.timestamp-of-event'),
  async ({ need, events, connections }) => {
    const inbox = await events.subscribed();
    const mustBeSince = await sinceNow(need, 'events.now');
    // A timestamp may have whole seconds.
    const [first, ...repeats] = await attempts(
      { need, inbox, connections },
      { status: 503, headers: { 'retry-after': '1' } },
      { afterMs: 1000 },
    );
    const { timestamp } = eventOf(first);
    await mustBeSince(millisecondsOf(String(timestamp)), 'timestamp is the time of the event');
    for (const repeat of repeats)
      must(
        eventOf(repeat).timestamp === timestamp,
        `timestamp of a repeat is ${timestamp}, as of the first, and not ${eventOf(repeat).timestamp}`,
      );
  },
);

test(
  'Every event carries the subscriptionId of the subscription that it is delivered for.',
  rule('events.envelope.subscription-id'),
  async ({ parts }) => {
    for await (const change of everyChange(parts)) {
      const { subscriptionId } = eventOf(await told(change));
      must(
        sameId(subscriptionId, change.inbox.subscriptionId),
        `subscriptionId of ${change.type} is that of the subscription, not ${subscriptionId}`,
      );
    }
  },
);

test(
  'Every event carries the subscriptionId of the subscription that it is delivered for: two subscriptions to the same.',
  rule('events.envelope.subscription-id'),
  async ({ need, events, parts }) => {
    await need('subscriptions');
    const other = await events.subscribe({});
    for await (const change of connectionChanges(parts)) {
      for (const inbox of [other, change.inbox]) {
        const { subscriptionId } = eventOf(await told({ ...change, inbox }));
        must(sameId(subscriptionId, inbox.subscriptionId), `subscriptionId is that of each subscription, not ${subscriptionId}`);
      }
    }
  },
);

test(
  'The experienceId in scope is that of the Experience the event is about, the same as in data where data has one.',
  rule('events.envelope.scope-experience'),
  async ({ parts }) => {
    // Of others any of several may be the one.
    for await (const change of changesOfOneExperience(parts))
      await mustTell(
        change,
        (_, event) => sameId(scopeOf(event), change.experienceId),
        `the experienceId in scope is ${change.experienceId}`,
      );
  },
);

function scopeOf(delivery: Delivery): unknown {
  return (eventOf(delivery).scope as Members | null | undefined)?.experienceId;
}
