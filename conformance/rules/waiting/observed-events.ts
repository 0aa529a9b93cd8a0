import { assignAccount } from '../../actors/arrange.ts';
import type { Response } from '../../actors/deliveries.ts';
import { selectUserCapability, USER_EVENT_RULES } from '../../actors/operator.ts';
import { collectEventIds, matchAssignmentEvent, matchConnectionEvent, matchUserEvent } from '../../expect/event.ts';
import { getDecisionQuestion, observe } from '../../expect/observed.ts';
import { requireSuccess } from '../../expect/response.ts';
import {
  countDeliveriesWithoutRetries,
  isFailingEventRetried,
  isRetriedLikeFailingEvent,
  MIN_RETRIES_FOR_PROOF,
} from '../../expect/retries.ts';
import { SILENCE_TAG } from '../../runner/rule.ts';
import { test } from '../../runner/test.ts';
import { endAsNotTestable } from '../../target/check-report.ts';
import { findPlaceholder } from '../../target/template.ts';

for (const [decision, state, event] of [
  ['connections.create.activated-event', 'ACTIVE', 'activated'],
  ['connections.create.deactivated-event', 'INACTIVE', 'deactivated'],
] as const) {
  test(getDecisionQuestion(decision), { tag: SILENCE_TAG }, async ({ need, events, connections }) => {
    if (findPlaceholder(await need('bodies.connectionCreate'), 'state') === undefined)
      endAsNotTestable('the body of a create request has no state');
    const inbox = await events.openDefaultInbox();
    const pair = await connections.pickPair();
    const answer = requireSuccess('a creation', await connections.create({ ...pair, state }));
    const { id } = await connections.findCreated(answer, pair);
    await inbox.waitForEvent(matchConnectionEvent('created', id));
    await inbox.settle();
    observe(decision, inbox.filterDeliveries(matchConnectionEvent(event, id)).length > 0 ? 'yes' : 'no');
  });
}

test(getDecisionQuestion('events.connection.deleted.deactivated-first'), { tag: SILENCE_TAG }, async ({ events, connections }) => {
  const connection = await connections.createOrThrow({ state: 'ACTIVE' });
  const inbox = await events.openDefaultInbox();
  requireSuccess('a deletion', await connections.remove(connection));
  await inbox.waitForEvent(matchConnectionEvent('deleted', connection.id));
  await inbox.settle();
  const deactivated = inbox.filterDeliveries(matchConnectionEvent('deactivated', connection.id));
  observe('events.connection.deleted.deactivated-first', deactivated.length > 0 ? 'yes' : 'no');
});

/** Whether an operator's action succeeds. A refusal's form is not specified, so every error counts as a refusal. */
const isSuccessful = (action: Promise<void>): Promise<boolean> =>
  action.then(
    () => true,
    () => false,
  );

test(getDecisionQuestion('portal.same-state'), async ({ connections, operator }) => {
  const [portal, connection] = [await operator('portal.connections'), await connections.createOrThrow({ state: 'INACTIVE' })];
  await portal.update(connection.id, 'ACTIVE');
  observe('portal.same-state', (await isSuccessful(portal.update(connection.id, 'ACTIVE'))) ? 'no-op' : 'refused');
});

test(getDecisionQuestion('portal.delete-with-numbers'), async ({ need, connections, operator }) => {
  const [portal, connection] = [await operator('portal.connections'), await connections.createOrThrow()];
  const unassign = await connections.assign(connection, 'PHONE_NUMBER', await need('number.second-account'));
  if (await isSuccessful(portal.remove(connection.id))) return observe('portal.delete-with-numbers', 'allowed');
  await unassign();
  // Delete the connection without the number, to prove that the number was the reason for the refusal.
  await portal.remove(connection.id);
  observe('portal.delete-with-numbers', 'refused');
});

test(getDecisionQuestion('provisioning.assigned-means'), { tag: SILENCE_TAG }, async ({ has, events, connections, operator }) => {
  // Other accounts may already have connections and assignments.
  const accountId = await (await operator('platform.accounts')).create();
  const connection = await connections.createOrThrow({ accountId, state: 'ACTIVE' });
  const [users, inbox] = [await operator(selectUserCapability({ has })), await events.openDefaultInbox()];
  const isPublished = async () => {
    const userId = await users.create(accountId);
    await inbox.settle();
    return inbox.filterDeliveries(matchUserEvent('created', userId)).length > 0;
  };
  if (await isPublished()) return observe('provisioning.assigned-means', 'connection');
  await connections.assign(connection, 'ACCOUNT', accountId);
  if (await isPublished()) observe('provisioning.assigned-means', 'account-assignment');
});

test(getDecisionQuestion('provisioning.several-experiences'), { tag: SILENCE_TAG }, async ({ has, events, connections, operator }) => {
  const accountId = await (await operator('platform.accounts')).create();
  const capability = selectUserCapability({ has });
  const [users, inbox] = [await operator(capability), await events.openDefaultInbox()];
  for (let count = 1; count <= 2; count += 1) await assignAccount(connections, inbox, accountId);
  const match = { ...matchUserEvent('created', await users.create(accountId)), rule: USER_EVENT_RULES[capability].created };
  await inbox.waitForEvent(match);
  await inbox.settle();
  const { size } = collectEventIds(inbox.filterDeliveries(match));
  observe('provisioning.several-experiences', size === 1 ? 'one' : size === 2 ? 'one-each' : undefined);
});

test(getDecisionQuestion('provisioning.account-deleted'), { tag: SILENCE_TAG }, async ({ has, events, connections, operator }) => {
  const accounts = await operator('platform.accounts');
  const accountId = await accounts.create();
  await connections.assign(await connections.createOrThrow({ accountId, state: 'ACTIVE' }), 'ACCOUNT', accountId);
  const userId = await (await operator(selectUserCapability({ has }))).create(accountId);
  const inbox = await events.openDefaultInbox();
  await accounts.remove(accountId);
  const rule = 'events.assignment.deleted.on-account-deletion';
  await inbox.waitForEvent({ type: 'experience.assignment.deleted', ids: [accountId], rule });
  await inbox.settle();
  observe('provisioning.account-deleted', inbox.filterDeliveries(matchUserEvent('deleted', userId)).length > 0 ? 'sent' : 'not-sent');
});

test(getDecisionQuestion('events.webhook-id'), async ({ events, assignments }) => {
  const inboxes = [await events.subscribe({}), await events.subscribe({})];
  const { id } = await assignments.createOrThrow();
  const deliveries = await Promise.all(inboxes.map((inbox) => inbox.waitForEvent(matchAssignmentEvent('created', id))));
  observe('events.webhook-id', collectEventIds(deliveries).size === 1 ? 'same' : 'different');
});

test(getDecisionQuestion('events.delivery.signature'), async ({ events, assignments }) => {
  const inbox = await events.openDefaultInbox();
  const { id } = await assignments.createOrThrow();
  const { headers } = await inbox.waitForEvent(matchAssignmentEvent('created', id));
  if (/^v1a?,/.test(headers['webhook-signature'] ?? '')) observe('events.delivery.signature', 'standard-webhooks');
  // A different signature header has an unknown form, so nothing is observed.
  else if (!Object.keys(headers).some((name) => name.includes('signature'))) observe('events.delivery.signature', 'none');
});

/** A target that sends MIN_RETRIES_FOR_PROOF retries in less than this many milliseconds has a fast retry schedule. */
const RETRY_WAIT_MS = 10_000;
const CUT_RESPONSE: Response = { reaction: { status: 200, cut: true }, name: 'a truncated 200' };

// One check observes both decisions, because both need the same retries, which take a long time.
test(`${getDecisionQuestion('events.delivery.retry-schedule')} ${getDecisionQuestion('events.delivery.acknowledged-by')}`, async ({
  events,
  deliveries,
}) => {
  const attempts = await deliveries.collectRetryAttempts(await events.openDefaultInbox(), [CUT_RESPONSE]);
  if (!isFailingEventRetried(attempts)) endAsNotTestable('the target did not retry a failing delivery');
  const times = attempts.failed.map(({ at }) => at - (attempts.failed[0]?.at ?? at));
  observe(
    'events.delivery.retry-schedule',
    (times[MIN_RETRIES_FOR_PROOF * countDeliveriesWithoutRetries(attempts)] ?? RETRY_WAIT_MS) < RETRY_WAIT_MS ? 'fast' : 'standard',
  );
  // Observe nothing if there were only a few retries after the truncated response, because they may be accidental.
  const [cut = []] = attempts.others;
  const isCutRetried =
    cut.length === countDeliveriesWithoutRetries(attempts) ? false : isRetriedLikeFailingEvent(attempts, cut) || undefined;
  observe('events.delivery.acknowledged-by', isCutRetried === undefined ? undefined : isCutRetried ? 'headers-and-body' : 'headers');
});
