import { setTimeout as pause } from 'node:timers/promises';
import { type EventType, eventTypes } from '../../../../src/contract/generated/events.ts';
import { bodyOf, isType, type Reply } from '../exchange.ts';
import { ACKNOWLEDGED, type ByHand, changeDelivery, type DeliveryHandler, type Start, type Subscriber } from '../mutant.ts';

const NO_REPLY = undefined;
const FAILED: Reply = { status: 500, headers: {}, text: '' };

const onDelivery =
  (handle: DeliveryHandler): Start =>
  () => ({ deliveries: handle });

/** Takes the reply of an endpoint for another one. */
const takeFor = (taken: Reply, isMeant: (reply: Reply) => boolean): Start =>
  onDelivery(async (delivery, subscriber) => {
    const reply = await subscriber(delivery);
    return reply && isMeant(reply) ? taken : reply;
  });
const acknowledge = (from: number, to: number): Start => takeFor(ACKNOWLEDGED, ({ status }) => status >= from && status <= to);

const timeout = (ms: number, then: Reply | undefined) => pause(ms, then, { ref: false });

/** Delivers events of these types to every subscription. */
const spread = (types: readonly EventType[]): Start =>
  onDelivery(async (delivery, subscriber, kit) => {
    if (!isType(delivery, ...types)) return subscriber(delivery);
    await kit.deliver(delivery);
    return ACKNOWLEDGED;
  });

const toFirstAddress: Start = () => {
  let first: Subscriber | undefined;
  return {
    deliveries(delivery, subscriber) {
      first ??= subscriber;
      return first(delivery);
    },
  };
};

const toFirstMatch: Start = () => {
  const subscriptions = new Map<unknown, unknown>();
  return changeDelivery((delivery) => {
    const { subscriptionId } = bodyOf(delivery);
    const first = subscriptions.get(delivery.headers['webhook-id']) ?? subscriptionId;
    subscriptions.set(delivery.headers['webhook-id'], first);
    return first === subscriptionId ? undefined : 'lost';
  })();
};

export const eventsDelivery = {
  'events.delivery.https': {
    'Speaks no TLS.': onDelivery(async (delivery, subscriber) =>
      subscriber.destinationUrl.startsWith('https:') ? NO_REPLY : subscriber(delivery),
    ),
  },
  'events.delivery.any-2xx-acknowledges': {
    'Accepts 200 only.': takeFor(FAILED, ({ status }) => status > 200 && status < 300),
    'Repeats after 299.': takeFor(FAILED, ({ status }) => status === 299),
  },
  'events.delivery.retries-non-2xx': {
    'Accepts every status.': acknowledge(400, 599),
    'Gives up after 404.': acknowledge(404, 404),
    'Sends everything twice, and never again.': onDelivery(async (delivery, subscriber) => {
      await subscriber(delivery);
      await subscriber(delivery);
      return ACKNOWLEDGED;
    }),
  },
  'events.delivery.retries-redirects': {
    'Accepts redirects.': acknowledge(300, 399),
    'Accepts redirects that lead nowhere.': takeFor(
      ACKNOWLEDGED,
      ({ status, headers }) => status >= 300 && status < 400 && headers.location === undefined,
    ),
  },
  'events.delivery.retries-unanswered': {
    'Gives up without a reply.': onDelivery(
      async (delivery, subscriber) => (await Promise.race([subscriber(delivery), timeout(2000, NO_REPLY)])) ?? ACKNOWLEDGED,
    ),
  },
  'events.delivery.waits-for-answer': {
    'Waits five seconds.': onDelivery((delivery, subscriber) => Promise.race([subscriber(delivery), timeout(5000, NO_REPLY)])),
  },
  'events.subscription.delivered-to-destination': {
    'Delivers everything to one address.': toFirstAddress,
    'Delivers nothing.': changeDelivery(() => 'lost'),
  },
  'events.subscription.only-listed-types': { 'Delivers every type.': spread(eventTypes) },
  'events.subscription.only-its-experience': {
    'Delivers events of every Experience.': spread(eventTypes),
    'Delivers users of every Experience.': spread(['provisioning.user.created', 'provisioning.user.deleted']),
  },
  'events.subscription.every-match': {
    'Delivers to the first subscription.': toFirstMatch,
    'Delivers nothing to a subscription with an experienceId.': changeDelivery(async (delivery, { control }) => {
      const subscription = await control.find('subscriptions', String(bodyOf(delivery).subscriptionId));
      return subscription?.experience == null ? undefined : 'lost';
    }),
  },
} satisfies ByHand;
