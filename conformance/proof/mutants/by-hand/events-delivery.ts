import { setTimeout as pause } from 'node:timers/promises';
import { type EventType, eventTypes } from '../../../../src/contract/generated/events.ts';
import { type Delivery, dataOf, isType, withData, withEvent } from '../delivery.ts';
import { bodyOf, type Reply } from '../exchange.ts';
import { ACKNOWLEDGED, type ByHand, changeDelivery, type DeliveryHandler, type Kit, type Start, type Subscriber } from '../mutant.ts';
import { connectionOf } from './connections-world.ts';

const NO_REPLY = undefined;
const FAILED: Reply = { status: 500, headers: {}, text: '' };

const onDelivery =
  (handle: DeliveryHandler): Start =>
  () => ({ deliveries: handle });

/** Takes the reply of an endpoint for another one. */
const takeFor = (taken: Reply, isMeant: (status: number, reply: Reply) => boolean): Start =>
  onDelivery(async (delivery, subscriber) => {
    const reply = await subscriber(delivery);
    return reply && isMeant(reply.status, reply) ? taken : reply;
  });
const acknowledge = (...statuses: readonly number[]): Start => takeFor(ACKNOWLEDGED, (status) => statuses.includes(status));
const acknowledgeFrom = (from: number, to: number): Start => takeFor(ACKNOWLEDGED, (status) => status >= from && status <= to);
const fail = (...statuses: readonly number[]): Start => takeFor(FAILED, (status) => statuses.includes(status));

const sendTwice = (take: (second: Reply | undefined) => Reply | undefined): Start =>
  onDelivery(async (delivery, subscriber) => {
    await subscriber(delivery);
    return take(await subscriber(delivery));
  });

const waitFor = (ms: number, then: Reply | undefined): Start =>
  onDelivery((delivery, subscriber) => Promise.race([subscriber(delivery), pause(ms, then, { ref: false })]));

/** Changes the repeats of a delivery. */
const changeRepeats =
  (change: (repeat: Delivery, kit: Kit) => Delivery | Promise<Delivery>): Start =>
  () => {
    const sent = new Set<string>();
    return {
      async deliveries(delivery, subscriber, kit) {
        const key = `${delivery.headers['webhook-id']} ${bodyOf(delivery).subscriptionId}`;
        const isRepeat = sent.has(key);
        sent.add(key);
        return subscriber(isRepeat ? await change(delivery, kit) : delivery);
      },
    };
  };

/** Delivers events of these types to every subscription; of all types without one. */
const spread = (...types: readonly EventType[]): Start =>
  onDelivery(async (delivery, subscriber, kit) => {
    if (types.length > 0 && !isType(delivery, ...types)) return subscriber(delivery);
    await kit.deliver(delivery);
    return ACKNOWLEDGED;
  });

type Subscription = Readonly<Record<string, unknown>>;

/** Delivers nothing but these types to some subscriptions. */
const neglect = (isMeant: (subscription: Subscription) => boolean, ...types: readonly EventType[]): Start =>
  changeDelivery(async (delivery, { control }) => {
    const subscription = await control.find('subscriptions', String(bodyOf(delivery).subscriptionId));
    return subscription !== undefined && isMeant(subscription) && !isType(delivery, ...types) ? 'lost' : undefined;
  });
const hasExperience = ({ experience }: Subscription): boolean => experience != null;
const typesOf = ({ types }: Subscription): number => (types as readonly unknown[]).length;
const listsSome = (subscription: Subscription): boolean => typesOf(subscription) < eventTypes.length;

const toOneAddress: Start = () => {
  let first: Subscriber | undefined;
  return {
    deliveries(delivery, subscriber) {
      first ??= subscriber;
      return first(delivery);
    },
  };
};

const toOthersLater: Start = () => {
  let previous: Delivery | undefined;
  return {
    async deliveries(delivery, subscriber, kit) {
      const late = previous;
      previous = delivery;
      if (late) await kit.deliver(late);
      return subscriber(delivery);
    },
  };
};

const toFirstMatch: Start = () => {
  const owners = new Map<unknown, unknown>();
  return {
    async deliveries(delivery, subscriber) {
      const { subscriptionId } = bodyOf(delivery);
      const id = delivery.headers['webhook-id'];
      const owner = owners.get(id) ?? subscriptionId;
      owners.set(id, owner);
      return owner === subscriptionId ? subscriber(delivery) : ACKNOWLEDGED;
    },
  };
};

export const eventsDelivery = {
  'events.delivery.https': {
    'Speaks no TLS.': onDelivery(async (delivery, subscriber) =>
      subscriber.destinationUrl.startsWith('https:') ? NO_REPLY : subscriber(delivery),
    ),
    'Takes a failed TLS connection for an acknowledgement.': onDelivery(async (delivery, subscriber) =>
      subscriber.destinationUrl.startsWith('https:') ? ACKNOWLEDGED : subscriber(delivery),
    ),
  },
  'events.delivery.any-2xx-acknowledges': {
    'Accepts 200 only.': takeFor(FAILED, (status) => status > 200 && status < 300),
    'Repeats after 204.': fail(204),
    'Repeats after 202.': fail(202),
    'Repeats after 201 and 206.': fail(201, 206),
    'Repeats after 299.': fail(299),
    'Sends everything twice, and repeats after 202.': sendTwice((reply) => (reply?.status === 202 ? FAILED : reply)),
  },
  'events.delivery.retries-non-2xx': {
    'Accepts every status.': acknowledgeFrom(400, 599),
    'Gives up after 4xx.': acknowledgeFrom(400, 499),
    'Gives up after 404.': acknowledge(404),
    'Gives up after 403 and 413.': acknowledge(403, 413),
    'Gives up after 406, 411, 415 and 501.': acknowledge(406, 411, 415, 501),
    'Gives up after 408, 425 and 508.': acknowledge(408, 425, 508),
    'Gives up after 426, 505 and 511.': acknowledge(426, 505, 511),
    'Gives up after 502 and 504.': acknowledge(502, 504),
    'Sends everything twice, and never again.': sendTwice(() => ACKNOWLEDGED),
  },
  'events.delivery.retries-redirects': {
    'Accepts redirects.': acknowledgeFrom(300, 399),
    'Accepts 301 and 308.': acknowledge(301, 308),
    'Accepts 302, 303 and 307.': acknowledge(302, 303, 307),
    'Accepts 300 and 305.': acknowledge(300, 305),
    'Accepts redirects that lead nowhere.': takeFor(
      ACKNOWLEDGED,
      (status, { headers }) => status >= 300 && status < 400 && headers.location === undefined,
    ),
  },
  'events.delivery.retries-unanswered': {
    'Gives up without a reply.': onDelivery(
      async (delivery, subscriber) => (await Promise.race([subscriber(delivery), pause(2000, NO_REPLY, { ref: false })])) ?? ACKNOWLEDGED,
    ),
    'Gives up after two seconds.': waitFor(2000, ACKNOWLEDGED),
  },
  'events.delivery.waits-for-answer': {
    'Waits five seconds.': waitFor(5000, NO_REPLY),
    'Repeats every second until there is a reply.': onDelivery(async (delivery, subscriber) => {
      const first = subscriber(delivery);
      for (;;) {
        const reply = await Promise.race([first, pause(1000, 'none' as const, { ref: false })]);
        if (reply !== 'none') return reply;
        void subscriber(delivery);
      }
    }),
  },
  'events.delivery.repeat-is-same-event': {
    'Gives a repeat another timestamp.': changeRepeats((repeat) => withEvent(repeat, { timestamp: new Date().toISOString() })),
    'Sends the present updatedAt with a repeat.': changeRepeats(async (repeat, kit) =>
      withData(repeat, { updatedAt: (await connectionOf(String(dataOf(repeat).connectionId), kit))?.updatedAt }),
    ),
    'Gives a repeat no scope.': changeRepeats((repeat) => withEvent(repeat, { scope: undefined })),
    'Gives a repeat another type.': changeRepeats((repeat) => withEvent(repeat, { type: `${bodyOf(repeat).type}.again` })),
  },
  'events.subscription.delivered-to-destination': {
    'Delivers everything to one address.': toOneAddress,
    'Delivers to the host only.': changeDelivery(() => 'lost'),
    'Delivers to every address.': spread(),
    'Delivers to every address, but late.': toOthersLater,
  },
  'events.subscription.only-listed-types': {
    'Delivers every type.': spread(),
    'Delivers deleted assignments to all.': spread('experience.assignment.deleted'),
    'Delivers created and activated connections to all.': spread('experience.connection.created', 'experience.connection.activated'),
    'Delivers nothing but creations to a subscription to some types.': neglect(
      listsSome,
      'experience.connection.created',
      'experience.assignment.created',
    ),
    'Delivers users to all.': spread('provisioning.user.created', 'provisioning.user.deleted'),
  },
  'events.subscription.only-its-experience': {
    'Delivers events of every Experience.': spread(),
    'Delivers users of every Experience.': spread('provisioning.user.created', 'provisioning.user.deleted'),
    'Delivers deletions of every Experience.': spread('experience.connection.deleted', 'experience.assignment.deleted'),
  },
  'events.subscription.every-match': {
    'Delivers to the first subscription.': toFirstMatch,
    'Delivers nothing to a subscription with an experienceId.': neglect(hasExperience),
    'Delivers only new assignments to a subscription with an experienceId.': neglect(hasExperience, 'experience.assignment.created'),
    'Delivers no creations to a subscription with an experienceId.': neglect(
      hasExperience,
      ...eventTypes.filter((type) => !['experience.connection.created', 'provisioning.user.created'].includes(type)),
    ),
    'Delivers only connections to a subscription to some types.': neglect(
      listsSome,
      ...eventTypes.filter((type) => type.startsWith('experience.connection.')),
    ),
    'Delivers nothing to a subscription to everything.': neglect(
      (subscription) => !hasExperience(subscription) && typesOf(subscription) > 1,
    ),
  },
} satisfies ByHand;
