import { setTimeout as pause } from 'node:timers/promises';
import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { type Delivered, dataIn, eventIn, withData, withDeliveryHeaders, withEvent } from '../delivered.ts';
import type { Reply } from '../exchange.ts';
import { ACKNOWLEDGED, type Behind, delivering, reddening, rememberingDeliveries, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { connectionShown } from './connections-world.ts';

type Rule = Extract<TestableRuleId['asyncapi'], `events.delivery.${string}`>;

/** What a server hears that has not been answered. */
const UNANSWERED = undefined;
const REFUSED: Reply = { status: 500, headers: {}, text: '' };

/** A server that takes some answers for others. @param hears what it takes the status for; undefined: for what it is */
function mishearing(does: string, hears: (status: number, reply: Reply) => Reply | undefined): Saboteur {
  return rememberingDeliveries(does, () => async (delivery, subscriber) => {
    const reply = await subscriber(delivery);
    return (reply && hears(reply.status, reply)) ?? reply;
  });
}

const acknowledgedBy =
  (...statuses: readonly number[]) =>
  (status: number) =>
    statuses.includes(status) ? ACKNOWLEDGED : undefined;
const refusedBy =
  (...statuses: readonly number[]) =>
  (status: number) =>
    statuses.includes(status) ? REFUSED : undefined;
const between = (from: number, to: number, reply: Reply) => (status: number) => (status >= from && status <= to ? reply : undefined);

/** A server that does not wait for long. @param then what it makes of it */
function impatient(does: string, afterMs: number, then: Reply | undefined): Saboteur {
  return rememberingDeliveries(
    does,
    () => (delivery, subscriber) => Promise.race([subscriber(delivery), pause(afterMs, then, { ref: false })]),
  );
}

/** A server that sends everything twice. @param hears what it makes of the second answer */
const doubling = (does: string, hears: (reply: Reply | undefined) => Reply | undefined): Saboteur =>
  rememberingDeliveries(does, () => async (delivery, subscriber) => {
    await subscriber(delivery);
    return hears(await subscriber(delivery));
  });

/** A server that sends something else where it sends again. */
function repeating(does: string, change: (repeat: Delivered, behind: Behind) => Delivered | Promise<Delivered>): Saboteur {
  return rememberingDeliveries(does, () => {
    const sent = new Set<string | undefined>();
    return async (delivery, subscriber, behind) => {
      const id = `${delivery.headers['webhook-id']} ${eventIn(delivery).subscriptionId}`;
      const isRepeat = sent.has(id);
      sent.add(id);
      return subscriber(isRepeat ? await change(delivery, behind) : delivery);
    };
  });
}

const withBody = (delivery: Delivered, text: string, type: string) => withDeliveryHeaders({ ...delivery, text }, { 'content-type': type });

/** A server whose bodies are no JSON. */
const inAnotherForm = (does: string, change: (delivery: Delivered) => Delivered): Saboteur =>
  reddening(60, 'what is no JSON is found by no check that looks for an event', delivering(does, change));

/** Servers that deliver in another way, or do not heed how an endpoint answers. */
export const eventsDelivery: SaboteursOf<Rule> = {
  'events.delivery.post': [
    delivering('Delivers with PUT.', (delivery) => ({ ...delivery, method: 'PUT' })),
    delivering('Delivers with GET, and a body.', (delivery) => ({ ...delivery, method: 'GET' })),
  ],
  'events.delivery.json-body': [
    inAnotherForm('Delivers an event as a form.', (delivery) =>
      withBody(delivery, new URLSearchParams({ payload: delivery.text }).toString(), 'application/x-www-form-urlencoded'),
    ),
    inAnotherForm('Delivers an event as XML.', (delivery) =>
      withBody(delivery, `<event><type>${eventIn(delivery).type}</type></event>`, 'application/xml'),
    ),
    inAnotherForm('Guards the body against being run as a script.', (delivery) => ({ ...delivery, text: `)]}',\n${delivery.text}` })),
  ],
  'events.delivery.json-content-type': [
    delivering('Says that the body is text.', (delivery) => withDeliveryHeaders(delivery, { 'content-type': 'text/plain; charset=utf-8' })),
    delivering('Says that the body is a form.', (delivery) =>
      withDeliveryHeaders(delivery, { 'content-type': 'application/x-www-form-urlencoded' }),
    ),
    delivering('Does not say what the body is.', (delivery) => withDeliveryHeaders(delivery, { 'content-type': undefined })),
  ],
  'events.delivery.https': [
    rememberingDeliveries(
      'Speaks no TLS.',
      () => async (delivery, subscriber) => (subscriber.destinationUrl.startsWith('https:') ? UNANSWERED : subscriber(delivery)),
    ),
    rememberingDeliveries(
      'Takes the end of a connection with TLS for an acknowledgement.',
      () => async (delivery, subscriber) => (subscriber.destinationUrl.startsWith('https:') ? ACKNOWLEDGED : subscriber(delivery)),
    ),
  ],
  'events.delivery.any-2xx-acknowledges': [
    mishearing('Takes nothing but 200 for an acknowledgement.', between(201, 299, REFUSED)),
    mishearing('Takes an answer without content for a failure.', refusedBy(204)),
    mishearing('Takes 202 for a promise, and asks again.', refusedBy(202)),
    mishearing('Wonders what an endpoint has made, or which part it has sent, and asks again.', refusedBy(201, 206)),
    doubling('Sends everything twice, and takes 202 for a promise.', (reply) => (reply?.status === 202 ? REFUSED : reply)),
    mishearing('Takes a status that it does not know for a failure.', refusedBy(299)),
  ],
  'events.delivery.retries-non-2xx': [
    mishearing('Takes any answer for an acknowledgement.', between(400, 599, ACKNOWLEDGED)),
    mishearing('Gives up where the endpoint says that the request is wrong.', between(400, 499, ACKNOWLEDGED)),
    mishearing('Gives up where the endpoint finds nothing.', acknowledgedBy(404)),
    mishearing('Gives up where the endpoint forbids it, or finds it too long.', acknowledgedBy(403, 413)),
    mishearing('Gives up where the endpoint cannot do with what it is sent.', acknowledgedBy(406, 411, 415, 501)),
    mishearing('Gives up where the endpoint took too long, or would rather be asked later.', acknowledgedBy(408, 425, 508)),
    mishearing('Gives up where the endpoint wants another protocol, or a login to its network.', acknowledgedBy(426, 505, 511)),
    doubling('Sends everything twice and never again.', () => ACKNOWLEDGED),
    mishearing('Gives up where what stands before the endpoint fails.', acknowledgedBy(502, 504)),
  ],
  'events.delivery.retries-redirects': [
    mishearing('Takes a redirect for an acknowledgement.', between(300, 399, ACKNOWLEDGED)),
    mishearing('Goes where it is redirected for good, and is content with what it finds.', acknowledgedBy(301, 308)),
    mishearing('Goes where it is told to look, and is content with what it finds.', acknowledgedBy(302, 303, 307)),
    mishearing('Takes a choice of places, or a proxy, for a place where the event was taken.', acknowledgedBy(300, 305)),
    mishearing('Has nowhere to go, and is content with where it is.', (status, { headers }) =>
      status >= 300 && status < 400 && headers.location === undefined ? ACKNOWLEDGED : undefined,
    ),
  ],
  'events.delivery.retries-unanswered': [
    rememberingDeliveries(
      'Takes no answer for no objection.',
      () => async (delivery, subscriber) =>
        (await Promise.race([subscriber(delivery), pause(2000, UNANSWERED, { ref: false })])) ?? ACKNOWLEDGED,
    ),
    impatient('Gives up where an answer does not come soon.', 2000, ACKNOWLEDGED),
  ],
  'events.delivery.waits-for-answer': [
    impatient('Waits five seconds for an answer.', 5000, UNANSWERED),
    rememberingDeliveries('Sends again every second for as long as there is no answer.', () => async (delivery, subscriber) => {
      const first = subscriber(delivery);
      for (;;) {
        const reply = await Promise.race([first, pause(1000, 'silence' as const, { ref: false })]);
        if (reply !== 'silence') return reply;
        void subscriber(delivery);
      }
    }),
  ],
  'events.delivery.repeat-is-same-event': [
    repeating('Dates each attempt anew.', (repeat) => withEvent(repeat, { timestamp: new Date().toISOString() })),
    repeating('Tells in a repeat of the connection as it is by now.', async (repeat, behind) => {
      const { updatedAt } = (await connectionShown(String(dataIn(repeat).connectionId), behind)) ?? {};
      return withData(repeat, { updatedAt });
    }),
    repeating('Leaves out the scope of what it sends again.', (repeat) => withEvent(repeat, { scope: undefined })),
    repeating('Gives what it sends again a type of its own.', (repeat) => withEvent(repeat, { type: `${eventIn(repeat).type}.again` })),
  ],
};
