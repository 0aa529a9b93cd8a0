import type { Delivery } from '../../src/expect/event.ts';
import { must } from '../../src/expect/rule-broken.ts';
import { matchAssignmentEvent } from '../expect/event.ts';
import { onRuleBroken } from '../expect/rule-broken.ts';
import { REPEATS_TAG, rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { extendTimeout } from '../target/check-report.ts';

test(...rule('events.delivery.post'), async ({ events, assignments }) => {
  const inbox = await events.openDefaultInbox();
  const { id } = await assignments.createOrThrow();
  const { method } = await inbox.expectEvent(matchAssignmentEvent('created', id));
  must(method === 'POST', `the delivery is a POST request, not ${method}`);
});

test(...rule('events.delivery.json-body'), async ({ events, assignments }) => {
  const inbox = await events.openDefaultInbox();
  const { id } = await assignments.createOrThrow();
  // If the body is not JSON, the event's id is unreadable, so find any POST request with a body or a webhook-id header.
  // Other requests may be tests of the endpoint.
  const isDelivery = ({ method, headers, text }: Delivery) => method === 'POST' && (text !== '' || headers['webhook-id'] !== undefined);
  const match = matchAssignmentEvent('created', id);
  const findDelivery = () =>
    inbox.deliveries.find((delivery) => delivery.json === undefined && isDelivery(delivery)) ?? inbox.filterDeliveries(match)[0];
  const { json, text } = await inbox
    .waitUntil(findDelivery, 'the event is delivered')
    .catch(onRuleBroken((error) => inbox.handleMissingEvent(match, error, true)));
  must(json !== undefined, `the body of the delivery can be parsed as JSON:\n${text.slice(0, 400)}`);
});

test(...rule('events.delivery.json-content-type'), async ({ events, assignments }) => {
  const inbox = await events.openDefaultInbox();
  const { id } = await assignments.createOrThrow();
  const { headers } = await inbox.expectEvent(matchAssignmentEvent('created', id));
  const type = headers['content-type'] ?? '';
  must(/^application\/json\s*(?:;|$)/i.test(type), `the content type of the delivery is application/json, not ${type || 'missing'}`);
});

test(...rule('events.delivery.https'), async ({ events, assignments }) => {
  const inbox = await events.openHttpsInbox();
  const { id } = await assignments.createOrThrow();
  await inbox.expectEvent(matchAssignmentEvent('created', id));
});

const createStatusResponse = (status: number) => ({ reaction: { status }, name: `${status}` });

test(...rule('events.delivery.any-2xx-acknowledges', undefined, { tag: REPEATS_TAG }), async ({ events, deliveries }) => {
  const responses = [200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 299].map(createStatusResponse);
  await deliveries.expectNoRetries(await events.openDefaultInbox(), responses);
});

// Each check tests only some statuses, because each status needs an unassigned telephone number, and a target may have few.
for (const [variant, statuses] of [
  ['4xx up to 408', [400, 401, 402, 403, 404, 405, 406, 407, 408]],
  ['4xx from 409 to 418', [409, 411, 412, 413, 414, 415, 416, 417, 418]],
  ['4xx from 421', [421, 422, 423, 424, 425, 426, 428, 429, 431, 451]],
  ['410', [410]],
  ['5xx', [500, 501, 502, 503, 504, 505, 507, 508, 511]],
] as const) {
  test(...rule('events.delivery.retries-non-2xx', variant, { tag: REPEATS_TAG }), async ({ need, events, deliveries }) => {
    // After a 410, a nonconforming target may stop all deliveries to the subscription, so use a separate one.
    if (variant === '410') await need('subscriptions');
    await deliveries.expectRetries(await events.openDefaultInbox(), statuses.map(createStatusResponse));
  });
}

test(...rule('events.delivery.retries-redirects', undefined, { tag: REPEATS_TAG }), async ({ events, deliveries }) => {
  // The receiver acknowledges requests to the Location URL, so a target that follows redirects sends no retries.
  const createRedirect = (status: number) => ({
    reaction: { status, headers: { location: 'elsewhere' } },
    name: `${status} with a location`,
  });
  const redirects = [...[301, 302, 303, 307, 308].map(createRedirect), ...[300, 301, 302, 304, 305].map(createStatusResponse)];
  await deliveries.expectRetries(await events.openDefaultInbox(), redirects);
});

test(...rule('events.delivery.retries-unanswered', 'an interrupted connection', { tag: REPEATS_TAG }), async ({ events, deliveries }) => {
  await deliveries.expectRetries(await events.openDefaultInbox(), [{ reaction: 'reset', name: 'a closed connection' }]);
});

test(
  ...rule('events.publish.every-change', 'while an earlier event waits to be repeated', { tag: REPEATS_TAG }),
  async ({ events, deliveries }) => {
    await deliveries.expectEventWhileAnotherWaits(await events.openDefaultInbox());
  },
);

/** The longest time, in milliseconds, that a target may wait for a response. The specification says "about 15 seconds". */
const LONGEST_WAIT_MS = 20_000;
const SLOW_RESPONSE_MS = 10_000;

test(...rule('events.delivery.retries-unanswered', 'no response', { tag: REPEATS_TAG }), async ({ events, deliveries }) => {
  extendTimeout(2 * LONGEST_WAIT_MS);
  await deliveries.expectRetries(await events.openDefaultInbox(), [{ reaction: 'hang', name: 'no response' }], LONGEST_WAIT_MS);
});

test(...rule('events.delivery.waits-for-answer', undefined, { tag: REPEATS_TAG }), async ({ need, events, deliveries }) => {
  extendTimeout(2 * LONGEST_WAIT_MS);
  await need('events.repeats');
  const slow = { reaction: { status: 204, afterMs: SLOW_RESPONSE_MS }, name: `204 after ${SLOW_RESPONSE_MS / 1000} seconds` };
  await deliveries.expectNoRetries(await events.openDefaultInbox(), [slow]);
});
