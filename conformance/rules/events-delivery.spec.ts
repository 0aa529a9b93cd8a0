import { isDeepStrictEqual } from 'node:util';
import { otherState } from '../actors/connections.ts';
import { FAILED } from '../actors/deliveries.ts';
import { collectRepeats } from '../actors/repeats.ts';
import { type Delivery, documentedEvent } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

const CREATED = 'experience.assignment.created';
const answeredBy = (status: number) => ({ reaction: { status }, name: `${status}` });

test('An event is delivered as an HTTP POST.', rule('events.delivery.post'), async ({ events, assignments }) => {
  const inbox = await events.subscribed();
  const { id } = await assignments.make();
  const { method } = await inbox.expectEvent({ type: CREATED, data: { assignmentId: id } });
  must(method === 'POST', `the method is POST, and not ${method}`);
});

test('The body of a delivery is JSON.', rule('events.delivery.json-body'), async ({ events, assignments }) => {
  const inbox = await events.subscribed();
  const { id } = await assignments.make();
  const wanted = { type: CREATED, data: { assignmentId: id } } as const;
  // What is no JSON cannot be found by its ids. Others may ask whether anybody is there.
  const isDelivery = ({ method, headers, text }: Delivery) => method === 'POST' && (text !== '' || headers['webhook-id'] !== undefined);
  const look = () => inbox.deliveries.find((each) => each.json === undefined && isDelivery(each)) ?? inbox.matching(wanted)[0];
  const { json, text } = await inbox.until(look, 'the event is delivered');
  must(json !== undefined, `the body can be parsed as JSON:\n${text.slice(0, 400)}`);
});

test(
  'A delivery says that its body is JSON, as application/json, with or without a charset.',
  rule('events.delivery.json-content-type'),
  async ({ events, assignments }) => {
    const inbox = await events.subscribed();
    const { id } = await assignments.make();
    const { headers } = await inbox.expectEvent({ type: CREATED, data: { assignmentId: id } });
    const type = headers['content-type'] ?? '';
    must(/^application\/json\s*(?:;|$)/i.test(type), `the content-type is application/json, and not ${type || 'missing'}`);
  },
);

test('An event is delivered over HTTPS.', rule('events.delivery.https'), async ({ events, assignments }) => {
  const inbox = await events.subscribedByHttps();
  const { id } = await assignments.make();
  await inbox.expectEvent({ type: CREATED, data: { assignmentId: id } });
});

test(
  'Any 2xx status acknowledges a delivery: the retries that another status triggers do not follow.',
  rule('events.delivery.any-2xx-acknowledges'),
  async ({ events, deliveries }) => {
    const inbox = await events.subscribed();
    await deliveries.expectNoRetries(inbox, [200, 201, 202, 204, 206, 299].map(answeredBy));
  },
);

// Not 410, whose sender may take the endpoint to be gone for good (decision events.delivery.gone). Each takes a telephone number, of which there are only
// so many at a time.
for (const [kind, statuses] of [
  ['4xx', [400, 401, 402, 403, 404, 405, 406, 408]],
  ['4xx from 409 on', [409, 411, 412, 413, 414, 415, 417, 418]],
  ['4xx from 421 on', [421, 422, 423, 425, 426, 428, 429, 431, 451]],
  ['5xx', [500, 501, 502, 503, 504, 505, 507, 508, 511]],
] as const) {
  test(
    `A delivery that is answered with another status than 2xx is sent again: ${kind}.`,
    rule('events.delivery.retries-non-2xx'),
    async ({ events, deliveries }) => {
      await deliveries.expectRetries(await events.subscribed(), statuses.map(answeredBy));
    },
  );
}

test(
  'A redirect is no acknowledgement: the delivery is sent again to the endpoint.',
  rule('events.delivery.retries-redirects'),
  async ({ events, deliveries }) => {
    // Where nothing but acknowledgements is to be had: whoever goes there is content.
    const redirect = (status: number) => ({ reaction: { status, headers: { location: 'elsewhere' } }, name: `${status} with a location` });
    const redirects = [...[301, 302, 303, 307, 308].map(redirect), ...[300, 301, 302, 304, 305].map(answeredBy)];
    await deliveries.expectRetries(await events.subscribed(), redirects);
  },
);

test(
  'A delivery that is not answered within about 15 seconds, or that cannot be made, is sent again: the connection breaks.',
  rule('events.delivery.retries-unanswered'),
  async ({ events, deliveries }) => {
    const broken = { reaction: 'reset', name: 'the end of the connection' } as const;
    await deliveries.expectRetries(await events.subscribed(), [broken]);
  },
);

test(
  'A repeat carries the event as it was: the same type, timestamp, subscriptionId, scope and data.',
  rule('events.delivery.repeat-is-same-event'),
  async ({ need, events, connections }) => {
    const inbox = await events.subscribed();
    const [sent, ...repeats] = await collectRepeats({ need, inbox, connections }, FAILED, {
      // Then the connection is another than the event tells of.
      meanwhile: async (made) => requireSuccess('an update', await connections.update(made, otherState(await connections.stateOf(made)))),
    });
    const first = documentedEvent(sent);
    for (const repeat of repeats.map(documentedEvent))
      for (const member of ['type', 'timestamp', 'subscriptionId', 'scope', 'data'] as const)
        must(
          isDeepStrictEqual(repeat[member], first[member]),
          `${member} of the repeat is as it was, ${JSON.stringify(first[member])}, and not ${JSON.stringify(repeat[member])}`,
        );
  },
);
