import { isDeepStrictEqual } from 'node:util';
import { must } from '../support/broken.ts';
import { answering, FAILED } from '../support/deliveries.ts';
import { test } from '../support/deliveries-test.ts';
import { eventOf } from '../support/inbox.ts';
import type { Delivery } from '../support/receiver.ts';
import { rule } from '../support/rule.ts';

const CREATED = 'experience.assignment.created';

test('An event is delivered as an HTTP POST.', rule('events.delivery.post'), async ({ events, assignments }) => {
  const inbox = await events.subscribed();
  const { id } = await assignments.make();
  const { method } = await inbox.event({ type: CREATED, data: { assignmentId: id } });
  must(method === 'POST', `the method is POST, and not ${method}`);
});

test('The body of a delivery is JSON.', rule('events.delivery.json-body'), async ({ events, assignments }) => {
  const inbox = await events.subscribed();
  const { id } = await assignments.make();
  const wanted = { type: CREATED, data: { assignmentId: id } } as const;
  // What is no JSON cannot be found by its ids.
  const look = () => inbox.deliveries.find(({ json }) => json === undefined) ?? inbox.all(wanted)[0];
  const { json, text } = await inbox.until(look, 'the event is delivered');
  must(json !== undefined, `the body can be parsed as JSON:\n${text.slice(0, 400)}`);
});

test(
  'A delivery says that its body is JSON, as application/json, with or without a charset.',
  rule('events.delivery.json-content-type'),
  async ({ events, assignments }) => {
    const inbox = await events.subscribed();
    const { id } = await assignments.make();
    const { headers } = await inbox.event({ type: CREATED, data: { assignmentId: id } });
    const type = headers['content-type'] ?? '';
    must(/^application\/json\s*(?:;|$)/i.test(type), `the content-type is application/json, and not ${type || 'missing'}`);
  },
);

test('An event is delivered over HTTPS.', rule('events.delivery.https'), async ({ events, assignments }) => {
  const inbox = await events.subscribedByHttps();
  const { id } = await assignments.make();
  await inbox.event({ type: CREATED, data: { assignmentId: id } });
});

test(
  'Any 2xx status acknowledges a delivery: the retries that another status triggers do not follow.',
  rule('events.delivery.any-2xx-acknowledges'),
  async ({ events, deliveries }) => {
    const inbox = await events.subscribed();
    const acknowledged = async (status: number) => ({
      wanted: await deliveries.answered(inbox, () => ({ status })),
      by: `${status}`,
    });
    await deliveries.mustRest(inbox, await Promise.all([200, 202, 204, 299].map(acknowledged)));
  },
);

// Not 410, whose sender may take the endpoint to be gone for good (decision events.delivery.gone).
for (const [kind, statuses] of [
  ['4xx', [400, 401, 404, 409, 422, 429]],
  ['5xx', [500, 502, 503, 504]],
] as const) {
  test(
    `A delivery that is answered with another status than 2xx is sent again: ${kind}.`,
    rule('events.delivery.retries-non-2xx'),
    async ({ events, deliveries }) => {
      const inbox = await events.subscribed();
      const rejected = async (status: number) => {
        const wanted = await deliveries.answered(inbox, (attempt) => (attempt === 1 ? { status } : undefined));
        await deliveries.sentAgain(inbox, wanted, `${status} is no acknowledgement`);
      };
      await Promise.all(statuses.map(rejected));
    },
  );
}

test(
  'A redirect is no acknowledgement: the delivery is sent again to the endpoint.',
  rule('events.delivery.retries-redirects'),
  async ({ events, deliveries }) => {
    const inbox = await events.subscribed();
    const redirected = async (status: number) => {
      // Where nothing but acknowledgements is to be had: whoever goes there is content.
      const elsewhere = { status, headers: { location: 'elsewhere' } };
      const wanted = await deliveries.answered(inbox, (attempt) => (attempt === 1 ? elsewhere : undefined));
      await deliveries.sentAgain(inbox, wanted, `${status} with a location is no acknowledgement`);
    };
    await Promise.all([301, 302, 303, 307, 308].map(redirected));
  },
);

test(
  'A delivery that is not answered within about 15 seconds, or that cannot be made, is sent again: the connection breaks.',
  rule('events.delivery.retries-unanswered'),
  async ({ events, deliveries }) => {
    const inbox = await events.subscribed();
    const wanted = await deliveries.answered(inbox, (attempt) => (attempt === 1 ? 'reset' : undefined));
    await deliveries.sentAgain(inbox, wanted, 'the connection broke before there was an answer');
  },
);

test(
  'A repeat carries the event as it was: the same type, timestamp, subscriptionId, scope and data.',
  rule('events.delivery.repeat-is-same-event'),
  async ({ events, connections, deliveries }) => {
    const inbox = await events.subscribed();
    answering(inbox, { type: 'experience.connection.created' }, () => FAILED);
    const made = await connections.make({ state: 'INACTIVE' });
    const wanted = { type: 'experience.connection.created', data: { connectionId: made.id } } as const;
    // From here on the connection is another than the event tells of.
    await connections.update(made, 'ACTIVE');
    const after = Math.max(inbox.all(wanted).length, 1);
    const repeat = eventOf(await deliveries.sentAgain(inbox, wanted, 'it was not acknowledged', { after }));
    const first = eventOf(inbox.all(wanted)[0] as Delivery);
    for (const member of ['type', 'timestamp', 'subscriptionId', 'scope', 'data'])
      must(
        isDeepStrictEqual(repeat[member], first[member]),
        `${member} of the repeat is as it was, ${JSON.stringify(first[member])}, and not ${JSON.stringify(repeat[member])}`,
      );
  },
);
