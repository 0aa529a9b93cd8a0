import type { EventType } from '../../../src/contract/generated/events.ts';
import type { Delivery } from '../../../src/expect/event.ts';
import { must } from '../../../src/expect/rule-broken.ts';
import { createDeliveredConnection } from '../../actors/arrange.ts';
import { createConnectionTwice } from '../../actors/changes.ts';
import type { Inbox } from '../../actors/inbox.ts';
import { collectNewEvents, expectSilence } from '../../actors/silence.ts';
import { collectEventIds, matchAssignmentEvent, matchesEvent } from '../../expect/event.ts';
import { requireSuccess } from '../../expect/response.ts';
import { onRuleBroken } from '../../expect/rule-broken.ts';
import { rule, SILENCE_TAG } from '../../runner/rule.ts';
import { test } from '../../runner/test.ts';
import { endAsNotTestable } from '../../target/check-report.ts';

test(...rule('events.publish.every-change'), async ({ participants }) => {
  const counts = new Map<string, number>();
  for await (const { inbox, type, ids } of createConnectionTwice(participants)) {
    const match = { type, ids: ids.slice(0, 1) };
    // A target may reuse a deleted entity's id, so the same id may have several events of this type.
    const count = (counts.get(`${type} ${ids[0]}`) ?? 0) + 1;
    counts.set(`${type} ${ids[0]}`, count);
    await inbox
      .waitUntil(
        () => collectEventIds(inbox.filterDeliveries(match)).size >= count || undefined,
        `${type} is delivered after each change of this kind`,
      )
      .catch(onRuleBroken((error) => inbox.handleMissingEvent(match, error, true)));
  }
});

async function expectOneEvent(inbox: Inbox, deliveries: readonly Delivery[], id: string, ...types: readonly EventType[]) {
  for (const type of types) {
    const match = { type, ids: [id] };
    const webhookIds = collectEventIds(deliveries.filter((delivery) => matchesEvent(delivery, match)));
    if (webhookIds.size === 0) {
      await inbox.waitForEvent(match);
      endAsNotTestable(`${type} was delivered too late to be counted`);
    }
    must(webhookIds.size === 1, `one change publishes one event, so ${type} has one webhook-id, not ${[...webhookIds].join(' and ')}`);
  }
}

test(...rule('events.publish.once-per-change', undefined, { tag: SILENCE_TAG }), async ({ events, connections }) => {
  const inbox = await events.openDefaultInbox();
  const connection = await connections.createOrThrow({ state: 'INACTIVE' });
  // Ignore earlier events, because the connection's creation may have published an activated or deactivated event.
  const deliveries = await collectNewEvents(inbox, async () => {
    for (const state of ['ACTIVE', 'INACTIVE'] as const) await connections.setState(connection, state);
    await connections.deleteConnection(connection);
  });
  await expectOneEvent(inbox, deliveries, connection.id, 'experience.connection.activated', 'experience.connection.deactivated');
  await expectOneEvent(inbox, inbox.deliveries, connection.id, 'experience.connection.created', 'experience.connection.deleted');
});

test(
  ...rule('events.publish.nothing-when-read', undefined, { tag: SILENCE_TAG }),
  async ({ api, need, events, connections, assignments }) => {
    const [token, accountId, userId] = [await need('token'), await need('account'), await (await need('users'))()];
    const inbox = await events.openDefaultInbox();
    const [connection, assignment] = [await createDeliveredConnection(inbox, connections), await assignments.createOrThrow()];
    const { experienceId, targetType, targetValue } = await assignments.createBody();
    await inbox.waitForEvent(matchAssignmentEvent('created', assignment.id));
    const pair = { accountId: connection.accountId, experienceId: connection.experienceId };
    const read = async () => {
      const answers = await Promise.all([
        api.call('getExperienceAssignability', { token, path: { experienceId }, query: { targetType, targetValue } }),
        api.call('getExperienceConnections', { token, query: pair }),
        connections.read(connection),
        api.call('getExperienceAssignments', { token, query: { accountId, experienceId: assignment.experienceId } }),
        assignments.read(assignment.id),
        api.call('getUsers', { token, query: { accountId } }),
        api.call('getUser', { token, path: { userId } }),
      ]);
      for (const answer of answers) requireSuccess('a read request', answer);
    };
    const own = { ids: [connection.id, assignment.id], isOwn: true } as const;
    await expectSilence(inbox, [own, { ids: [userId, targetValue] }], read, 'reading publishes nothing');
  },
);
