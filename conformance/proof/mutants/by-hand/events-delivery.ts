import { setTimeout as pause } from 'node:timers/promises';
import { type EventType, eventTypes } from '../../../../src/contract/generated/events.ts';
import { changeMembers, type Delivery, isType, parseBody, type Reply, readData } from '../exchange.ts';
import { ACKNOWLEDGEMENT, changeDelivery, handleDeliveries, type Kit, type MutantsByRule, type StartMutant } from '../mutant.ts';
import { USER_EVENTS } from './events-content.ts';

async function hasSubscriptionWithExperience(delivery: Delivery, { control }: Kit): Promise<boolean> {
  return (await control.find('subscriptions', String(parseBody(delivery).subscriptionId)))?.experience != null;
}

const loseEventsOfOneExperience = changeDelivery(async (delivery, kit) =>
  (await hasSubscriptionWithExperience(delivery, kit)) ? 'lost' : undefined,
);

const sendFirstSubscriptionId: StartMutant = () => {
  let first: unknown;
  return changeDelivery((delivery) => {
    first ??= parseBody(delivery).subscriptionId;
    return changeMembers(delivery, { subscriptionId: first });
  })();
};

const NO_REPLY = undefined;
const FAILURE_REPLY: Reply = { status: 500, headers: {}, text: '' };

const replaceReplies = (replacement: Reply, isSelected: (reply: Reply) => boolean): StartMutant =>
  handleDeliveries(async (delivery, subscriber) => {
    const reply = await subscriber(delivery);
    return reply && isSelected(reply) ? replacement : reply;
  });
const acknowledgeStatus = (acknowledged: number): StartMutant => replaceReplies(ACKNOWLEDGEMENT, ({ status }) => status === acknowledged);

/** Treats every 4xx as an acknowledgement. */
export const acknowledgeRefusals = replaceReplies(ACKNOWLEDGEMENT, ({ status }) => status >= 400 && status < 500);

const acknowledgeSelectedDeliveries = (isSelected: (delivery: Delivery, kit: Kit) => boolean | Promise<boolean>): StartMutant =>
  handleDeliveries(async (delivery, subscriber, kit) => {
    const reply = await subscriber(delivery);
    return (await isSelected(delivery, kit)) ? ACKNOWLEDGEMENT : reply;
  });

const setResponseTimeout = (ms: number, result: Reply | undefined) => pause(ms, result, { ref: false });

const sendToOtherSubscriptions = (types: readonly EventType[]): StartMutant =>
  handleDeliveries(async (delivery, subscriber, kit) => {
    if (!isType(delivery, ...types)) return subscriber(delivery);
    await kit.deliver(delivery);
    return ACKNOWLEDGEMENT;
  });

const deliverToFirstMatch: StartMutant = () => {
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
    'Cannot deliver over TLS.': handleDeliveries(async (delivery, subscriber) =>
      subscriber.destinationUrl.startsWith('https:') ? NO_REPLY : subscriber(delivery),
    ),
  },
  'events.delivery.any-2xx-acknowledges': {
    'Repeats a delivery that is answered with 205.': replaceReplies(FAILURE_REPLY, ({ status }) => status === 205),
    'Repeats a delivery that is answered with 299.': replaceReplies(FAILURE_REPLY, ({ status }) => status === 299),
  },
  'events.delivery.retries-non-2xx': {
    'Does not repeat a delivery that is answered with 404.': acknowledgeStatus(404),
    'Does not repeat a delivery that is answered with 407.': acknowledgeStatus(407),
    'Does not repeat a delivery that is answered with 410.': acknowledgeStatus(410),
    'Does not repeat deliveries of user events.': acknowledgeSelectedDeliveries((delivery) => isType(delivery, ...USER_EVENTS)),
    'Does not repeat deliveries to a subscription with an experienceId.': acknowledgeSelectedDeliveries(hasSubscriptionWithExperience),
    'Attempts every delivery exactly twice.': handleDeliveries(async (delivery, subscriber) => {
      await subscriber(delivery);
      await subscriber(delivery);
      return ACKNOWLEDGEMENT;
    }),
  },
  'events.delivery.retries-redirects': {
    'Treats redirects without a Location as acknowledgements.': replaceReplies(
      ACKNOWLEDGEMENT,
      ({ status, headers }) => status >= 300 && status < 400 && headers.location === undefined,
    ),
  },
  'events.delivery.retries-unanswered': {
    'Does not repeat a delivery that got no reply.': handleDeliveries(
      async (delivery, subscriber) => (await Promise.race([subscriber(delivery), setResponseTimeout(2000, NO_REPLY)])) ?? ACKNOWLEDGEMENT,
    ),
  },
  'events.delivery.waits-for-answer': {
    'Waits only five seconds for a reply.': handleDeliveries((delivery, subscriber) =>
      Promise.race([subscriber(delivery), setResponseTimeout(5000, NO_REPLY)]),
    ),
  },
  'events.subscription.delivered-to-destination': { 'Delivers nothing.': changeDelivery(() => 'lost') },
  'events.subscription.only-listed-types': { 'Delivers events of every type to every subscription.': sendToOtherSubscriptions(eventTypes) },
  'events.subscription.only-its-experience': {
    "Delivers every Experience's user events to every subscription.": sendToOtherSubscriptions(USER_EVENTS),
  },
  'events.subscription.every-match': {
    'Delivers only to the first matching subscription.': deliverToFirstMatch,
    'Delivers nothing to a subscription with an experienceId.': loseEventsOfOneExperience,
    // The kit's ids have the order in which they were created.
    'Delivers nothing about a connection that is older than the subscription.': changeDelivery((delivery) =>
      String(readData(delivery).connectionId ?? '~') < String(parseBody(delivery).subscriptionId) ? 'lost' : undefined,
    ),
  },
  'events.subscription.experience-id-optional': {
    'Delivers nothing to a subscription with an experienceId.': loseEventsOfOneExperience,
    'Delivers nothing to a subscription without an experienceId.': changeDelivery(async (delivery, kit) =>
      (await hasSubscriptionWithExperience(delivery, kit)) ? undefined : 'lost',
    ),
  },
  'events.subscription.id-received': {
    'Sends no subscriptionId.': changeDelivery((delivery) => changeMembers(delivery, { subscriptionId: '' })),
  },
  'events.subscription.id-distinct': { "Sends the first subscription's id to all subscriptions.": sendFirstSubscriptionId },
} satisfies MutantsByRule;
