import { setTimeout as pause } from 'node:timers/promises';
import { type EventType, eventTypes } from '../../../../src/contract/generated/events.ts';
import { changeEvent, type Delivery, isType, parseBody, type Reply } from '../exchange.ts';
import {
  ACKNOWLEDGEMENT,
  changeDelivery,
  type DeliveryHandler,
  type Kit,
  type MutantsByRule,
  type StartMutant,
  type Subscriber,
} from '../mutant.ts';
import { changeNarrow, firstSubscription, isNarrow, USER_EVENTS } from './events-content.ts';

const NO_REPLY = undefined;
const FAILURE_REPLY: Reply = { status: 500, headers: {}, text: '' };

const onDelivery =
  (handle: DeliveryHandler): StartMutant =>
  () => ({ deliveries: handle });

/** A mutant that replaces the receiver replies that `isMeant` selects with `taken`. */
const treatAs = (taken: Reply, isMeant: (reply: Reply) => boolean): StartMutant =>
  onDelivery(async (delivery, subscriber) => {
    const reply = await subscriber(delivery);
    return reply && isMeant(reply) ? taken : reply;
  });
const acknowledge = (from: number, to: number): StartMutant => treatAs(ACKNOWLEDGEMENT, ({ status }) => status >= from && status <= to);

/** A mutant that treats every reply to the deliveries that `isMeant` selects as an acknowledgement. */
const acknowledgeIf = (isMeant: (delivery: Delivery, kit: Kit) => boolean | Promise<boolean>): StartMutant =>
  onDelivery(async (delivery, subscriber, kit) => {
    const reply = await subscriber(delivery);
    return (await isMeant(delivery, kit)) ? ACKNOWLEDGEMENT : reply;
  });

const setResponseTimeout = (ms: number, then: Reply | undefined) => pause(ms, then, { ref: false });

/** A mutant that delivers events of the given types to all the check's subscriptions. */
const sendToOtherSubscriptions = (types: readonly EventType[]): StartMutant =>
  onDelivery(async (delivery, subscriber, kit) => {
    if (!isType(delivery, ...types)) return subscriber(delivery);
    await kit.deliver(delivery);
    return ACKNOWLEDGEMENT;
  });

const toFirstAddress: StartMutant = () => {
  let first: Subscriber | undefined;
  return {
    deliveries(delivery, subscriber) {
      first ??= subscriber;
      return first(delivery);
    },
  };
};

const toFirstMatch: StartMutant = () => {
  const subscriptions = new Map<unknown, unknown>();
  return changeDelivery((delivery) => {
    const { subscriptionId } = parseBody(delivery);
    const first = subscriptions.get(delivery.headers['webhook-id']) ?? subscriptionId;
    subscriptions.set(delivery.headers['webhook-id'], first);
    return first === subscriptionId ? undefined : 'lost';
  })();
};

export const eventsDelivery = {
  'events.delivery.https': {
    'Cannot deliver over TLS.': onDelivery(async (delivery, subscriber) =>
      subscriber.destinationUrl.startsWith('https:') ? NO_REPLY : subscriber(delivery),
    ),
  },
  'events.delivery.any-2xx-acknowledges': {
    'Treats only 200 as an acknowledgement.': treatAs(FAILURE_REPLY, ({ status }) => status > 200 && status < 300),
    'Repeats a delivery after 299.': treatAs(FAILURE_REPLY, ({ status }) => status === 299),
  },
  'events.delivery.retries-non-2xx': {
    'Treats every status as an acknowledgement.': acknowledge(400, 599),
    'Does not repeat a delivery after 404.': acknowledge(404, 404),
    'Does not repeat a delivery after 410.': acknowledge(410, 410),
    'Does not repeat deliveries of user events.': acknowledgeIf((delivery) => isType(delivery, ...USER_EVENTS)),
    'Does not repeat deliveries to a subscription with an experienceId.': acknowledgeIf(isNarrow),
    'Makes exactly two attempts of every delivery.': onDelivery(async (delivery, subscriber) => {
      await subscriber(delivery);
      await subscriber(delivery);
      return ACKNOWLEDGEMENT;
    }),
  },
  'events.delivery.retries-redirects': {
    'Treats redirects as acknowledgements.': acknowledge(300, 399),
    'Treats redirects without a Location as acknowledgements.': treatAs(
      ACKNOWLEDGEMENT,
      ({ status, headers }) => status >= 300 && status < 400 && headers.location === undefined,
    ),
  },
  'events.delivery.retries-unanswered': {
    'Does not repeat a delivery that got no reply.': onDelivery(
      async (delivery, subscriber) => (await Promise.race([subscriber(delivery), setResponseTimeout(2000, NO_REPLY)])) ?? ACKNOWLEDGEMENT,
    ),
  },
  'events.delivery.waits-for-answer': {
    'Waits only five seconds for a reply.': onDelivery((delivery, subscriber) =>
      Promise.race([subscriber(delivery), setResponseTimeout(5000, NO_REPLY)]),
    ),
  },
  'events.subscription.delivered-to-destination': {
    'Delivers all events to one destination.': toFirstAddress,
    'Delivers nothing.': changeDelivery(() => 'lost'),
  },
  'events.subscription.only-listed-types': { 'Delivers events of every type.': sendToOtherSubscriptions(eventTypes) },
  'events.subscription.only-its-experience': {
    'Delivers events of every Experience.': sendToOtherSubscriptions(eventTypes),
    'Delivers the user events of every Experience.': sendToOtherSubscriptions(USER_EVENTS),
  },
  'events.subscription.every-match': {
    'Delivers only to the first matching subscription.': toFirstMatch,
    'Delivers nothing to a subscription with an experienceId.': changeNarrow(() => 'lost'),
  },
  'events.subscription.experience-id-optional': {
    'Delivers nothing to a subscription with an experienceId.': changeNarrow(() => 'lost'),
    'Delivers nothing to a subscription without an experienceId.': changeDelivery(async (delivery, kit) =>
      (await isNarrow(delivery, kit)) ? undefined : 'lost',
    ),
  },
  'events.subscription.id-received': {
    'Sends no subscriptionId.': changeDelivery((delivery) => changeEvent(delivery, { subscriptionId: '' })),
  },
  'events.subscription.id-distinct': { 'Sends the id of the first subscription to all subscriptions.': firstSubscription },
} satisfies MutantsByRule;
