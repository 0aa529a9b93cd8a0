import { expectEvent, expectMember, expectTypeForm, startClock, waitForEvent } from '../actors/change-events.ts';
import { changesOfOneExperience, connectionChanges, everyChange } from '../actors/changes.ts';
import { collectRepeats } from '../actors/repeats.ts';
import { millisecondsOf, sameId } from '../expect/compare.ts';
import { eventOf, type Members } from '../expect/event.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

test(...rule('events.envelope.type'), async ({ participants }) => {
  for await (const change of everyChange(participants)) await expectTypeForm(change);
});

for (const [id, ...pointers] of [
  ['events.envelope.timestamp', '/timestamp'],
  ['events.envelope.scope', '/scope', '/scope/experienceId'],
  ['events.envelope.data', '/data'],
] as const) {
  test(...rule(id), async ({ participants }) => {
    for await (const change of everyChange(participants)) for (const pointer of pointers) await expectMember(change, pointer);
  });
}

test(...rule('events.envelope.timestamp-of-event'), async ({ need, events, connections }) => {
  const inbox = await events.subscribed();
  const expectSince = await startClock(need, 'events.now');
  // The repeat comes at least a second later, so that even a timestamp in whole seconds would differ if it were renewed.
  const retryLater = { status: 503, headers: { 'retry-after': '1' } };
  const [first, ...repeats] = await collectRepeats({ need, inbox, connections }, retryLater, { afterMs: 1000 });
  const { timestamp } = eventOf(first);
  await expectSince(millisecondsOf(String(timestamp)), 'timestamp of the first delivery is the time of the event');
  for (const repeat of repeats.map(eventOf))
    must(repeat.timestamp === timestamp, `timestamp of a repeat is ${timestamp}, as in the first delivery, not ${repeat.timestamp}`);
});

test(...rule('events.envelope.subscription-id'), async ({ participants }) => {
  for await (const change of everyChange(participants)) {
    const { subscriptionId } = eventOf(await waitForEvent(change));
    const isRight = sameId(subscriptionId, change.inbox.subscriptionId);
    must(isRight, `subscriptionId of ${change.type} is that of the subscription, not ${subscriptionId}`);
  }
});

test(...rule('events.envelope.subscription-id', 'two subscriptions to the same events'), async ({ need, events, participants }) => {
  await need('subscriptions');
  const other = await events.subscribe({});
  for await (const change of connectionChanges(participants)) {
    for (const inbox of [other, change.inbox]) {
      const { subscriptionId } = eventOf(await waitForEvent({ ...change, inbox }));
      must(
        sameId(subscriptionId, inbox.subscriptionId),
        `subscriptionId is ${inbox.subscriptionId} at this subscription, not ${subscriptionId}`,
      );
    }
  }
});

test(...rule('events.envelope.scope-experience'), async ({ participants }) => {
  // The scope of an event about several Experiences may be any of them, so only events about one are checked.
  for await (const change of changesOfOneExperience(participants)) {
    const { experienceId } = change;
    const scopeOf = (event: Members) => event.scope as Members | null | undefined;
    await expectEvent(
      change,
      (_, delivery) => sameId(scopeOf(eventOf(delivery))?.experienceId, experienceId),
      `the experienceId in scope is ${experienceId}`,
    );
  }
});
