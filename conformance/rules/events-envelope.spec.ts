import { expectEvent, expectMember, expectTypeForm, startClock, waitForEvent } from '../actors/change-events.ts';
import { changesOfOneExperience, everyChange } from '../actors/changes.ts';
import { connectionChanges } from '../actors/connection-changes.ts';
import { collectRepeats } from '../actors/repeats.ts';
import { millisecondsOf, sameId } from '../expect/compare.ts';
import { eventOf, type Members } from '../expect/event.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

test('An event carries a type in the form domain.entity.action.', rule('events.envelope.type'), async ({ participants }) => {
  for await (const change of everyChange(participants)) await expectTypeForm(change);
});

for (const [id, title, ...pointers] of [
  ['events.envelope.timestamp', 'An event carries a timestamp in ISO 8601, in UTC.', '/timestamp'],
  ['events.envelope.scope', 'An event carries a scope that contains an experienceId.', '/scope', '/scope/experienceId'],
  ['events.envelope.data', 'An event carries data, an object.', '/data'],
] as const) {
  test(title, rule(id), async ({ participants }) => {
    for await (const change of everyChange(participants)) for (const pointer of pointers) await expectMember(change, pointer);
  });
}

test(
  'timestamp is the time of the event, not of the sending: every repeat carries the same.',
  rule('events.envelope.timestamp-of-event'),
  async ({ need, events, connections }) => {
    const inbox = await events.subscribed();
    const expectSince = await startClock(need, 'events.now');
    // At least a second later, as a timestamp may have whole seconds.
    const retryLater = { status: 503, headers: { 'retry-after': '1' } };
    const [first, ...repeats] = await collectRepeats({ need, inbox, connections }, retryLater, { afterMs: 1000 });
    const { timestamp } = eventOf(first);
    await expectSince(millisecondsOf(String(timestamp)), 'timestamp is the time of the event');
    for (const repeat of repeats.map(eventOf))
      must(repeat.timestamp === timestamp, `timestamp of a repeat is ${timestamp}, as in the first delivery, not ${repeat.timestamp}`);
  },
);

test(
  'Every event carries the subscriptionId of the subscription that it is delivered for.',
  rule('events.envelope.subscription-id'),
  async ({ participants }) => {
    for await (const change of everyChange(participants)) {
      const { subscriptionId } = eventOf(await waitForEvent(change));
      const isRight = sameId(subscriptionId, change.inbox.subscriptionId);
      must(isRight, `subscriptionId of ${change.type} is that of the subscription, not ${subscriptionId}`);
    }
  },
);

test(
  'Every event carries the subscriptionId of the subscription that it is delivered for: two subscriptions to the same events.',
  rule('events.envelope.subscription-id'),
  async ({ need, events, participants }) => {
    await need('subscriptions');
    const other = await events.subscribe({});
    for await (const change of connectionChanges(participants)) {
      for (const inbox of [other, change.inbox]) {
        const { subscriptionId } = eventOf(await waitForEvent({ ...change, inbox }));
        must(sameId(subscriptionId, inbox.subscriptionId), `subscriptionId is that of each subscription, not ${subscriptionId}`);
      }
    }
  },
);

test(
  'The experienceId in scope is that of the Experience the event is about, the same as in data where data has one.',
  rule('events.envelope.scope-experience'),
  async ({ participants }) => {
    // An event about several Experiences may name any of them.
    for await (const change of changesOfOneExperience(participants)) {
      const { experienceId } = change;
      const scopeOf = (event: Members) => event.scope as Members | null | undefined;
      await expectEvent(
        change,
        (_, delivery) => sameId(scopeOf(eventOf(delivery))?.experienceId, experienceId),
        `the experienceId in scope is ${experienceId}`,
      );
    }
  },
);
