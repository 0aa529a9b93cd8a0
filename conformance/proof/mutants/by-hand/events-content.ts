import { randomUUID } from 'node:crypto';
import { eventTypes } from '../../../../src/contract/generated/events.ts';
import { changeData, changeEvent, changeHeaders, type Delivery, isType, parseBody, readData } from '../exchange.ts';
import { changeDelivery, type Kit, type MutantsByRule, type StartMutant } from '../mutant.ts';
import { changeEventsOf, readSubject } from './events-causes.ts';
import { forEachType } from './world.ts';

/** A mutant that changes every delivery attempt except the first. */
export const changeRepeats =
  (change: (repeat: Delivery, first: Delivery, kit: Kit) => Delivery | Promise<Delivery>): StartMutant =>
  () => {
    const firsts = new Map<string, Delivery>();
    return changeDelivery((delivery, kit) => {
      const key = `${delivery.headers['webhook-id']} ${parseBody(delivery).subscriptionId}`;
      const first = firsts.get(key);
      firsts.set(key, first ?? delivery);
      return first && change(delivery, first, kit);
    })();
  };

/** Whether a delivery is for a subscription with an experienceId. */
export async function isNarrow(delivery: Delivery, { control }: Kit): Promise<boolean> {
  return (await control.find('subscriptions', String(parseBody(delivery).subscriptionId)))?.experience != null;
}

async function isOfSomeTypes(delivery: Delivery, { control }: Kit): Promise<boolean> {
  const types = (await control.find('subscriptions', String(parseBody(delivery).subscriptionId)))?.types;
  return Array.isArray(types) && types.length < eventTypes.length;
}

/** A mutant that changes deliveries. By default, it changes the deliveries for subscriptions with an experienceId. */
export function changeNarrow(change: (delivery: Delivery) => Delivery | 'lost', isMeant = isNarrow): StartMutant {
  return changeDelivery(async (delivery, kit) => ((await isMeant(delivery, kit)) ? change(delivery) : undefined));
}

export const USER_EVENTS = ['provisioning.user.created', 'provisioning.user.deleted'] as const;

const WITHOUT_UPDATED_AT = {
  'Sends no updatedAt to a subscription with an experienceId.': changeNarrow((delivery) => changeData(delivery, { updatedAt: undefined })),
};

/** A mutant that sends all deliveries with the first delivery's subscriptionId. */
export const firstSubscription: StartMutant = () => {
  let first: unknown;
  return changeDelivery((delivery) => {
    first ??= parseBody(delivery).subscriptionId;
    return changeEvent(delivery, { subscriptionId: first });
  })();
};

const setId = (delivery: Delivery, id: unknown): Delivery => changeHeaders(delivery, { 'webhook-id': String(id) });
const readTimestamp = ({ headers }: Delivery): number => Number(headers['webhook-timestamp']);
const setTimestamp = (delivery: Delivery, seconds: number): Delivery => changeHeaders(delivery, { 'webhook-timestamp': `${seconds}` });
const HOUR_MS = 3_600_000;
const subtractTime = (instant: string, ms: number): string => new Date(Date.parse(instant) - ms).toISOString();

const convertToLocalTime = (delivery: Delivery): Delivery =>
  changeEvent(delivery, { timestamp: subtractTime(parseBody(delivery).timestamp, 5 * HOUR_MS) });

export const generateId = (delivery: Delivery): Delivery => setId(delivery, randomUUID());

export const eventsContent = {
  'events.envelope.timestamp-of-event': {
    'Sends local time as UTC.': changeDelivery(convertToLocalTime),
    'Sends local time as UTC if no request caused the event.': changeEventsOf(({ cause }) => cause === 'elsewhere', convertToLocalTime),
  },
  'events.envelope.subscription-id': {
    'Sends an unknown subscriptionId.': changeDelivery((delivery) => changeEvent(delivery, { subscriptionId: randomUUID() })),
    'Sends the id of the first subscription to all subscriptions.': firstSubscription,
    'Sends no subscriptionId to a subscription with an experienceId.': changeNarrow((delivery) =>
      changeEvent(delivery, { subscriptionId: undefined }),
    ),
    'Sends no subscriptionId to a subscription that lists only some event types.': changeNarrow(
      (delivery) => changeEvent(delivery, { subscriptionId: undefined }),
      isOfSomeTypes,
    ),
  },
  'events.connection.data.updated-at': WITHOUT_UPDATED_AT,
  'events.assignment.data.updated-at': WITHOUT_UPDATED_AT,
  'events.provisioning.data.updated-at': WITHOUT_UPDATED_AT,
  'events.envelope.scope-experience': {
    'Sends the id of another Experience.': changeDelivery((delivery) => changeEvent(delivery, { scope: { experienceId: randomUUID() } })),
  },
  'events.assignment.data.target-value': forEachType('Adds a prefix to the targetValue of TYPE targets.', (type) =>
    changeDelivery((delivery) => {
      const { targetType, targetValue } = readData(delivery);
      return targetType === type ? changeData(delivery, { targetValue: `tel:${targetValue}` }) : undefined;
    }),
  ),
  'events.headers.webhook-id-unique': {
    'Sends the type and the id of the entity as the webhook-id.': changeDelivery((delivery) =>
      setId(delivery, `${parseBody(delivery).type}:${readSubject(delivery)}`),
    ),
    'Sends the subscriptionId as the webhook-id.': changeDelivery((delivery) => setId(delivery, parseBody(delivery).subscriptionId)),
  },
  'events.headers.webhook-id-kept': {
    'Uses a different webhook-id to repeat an event.': changeRepeats(generateId),
    'Uses a different webhook-id to repeat a user event.': changeRepeats((repeat) =>
      isType(repeat, ...USER_EVENTS) ? generateId(repeat) : repeat,
    ),
  },
  'events.headers.webhook-timestamp': {
    'Sends milliseconds.': changeDelivery((delivery) => setTimestamp(delivery, readTimestamp(delivery) * 1000)),
  },
  'events.headers.webhook-timestamp-when-sent': {
    'Sends a time that is an hour too late.': changeDelivery((delivery) => setTimestamp(delivery, readTimestamp(delivery) + 3600)),
    'Sends a time that is an hour too early.': changeDelivery((delivery) => setTimestamp(delivery, readTimestamp(delivery) - 3600)),
  },
  'events.headers.webhook-timestamp-of-repeat': {
    'Repeats the time of the first attempt.': changeRepeats((repeat, first) => setTimestamp(repeat, readTimestamp(first))),
    'Sends the time of the event instead of the time of the attempt.': changeDelivery((delivery) =>
      setTimestamp(delivery, Math.floor(Date.parse(parseBody(delivery).timestamp) / 1000)),
    ),
  },
  'events.delivery.repeat-is-same-event': {
    'Sends the time of the attempt, in whole seconds, as the timestamp of the event.': changeDelivery((delivery) =>
      changeEvent(delivery, { timestamp: `${new Date().toISOString().slice(0, 19)}Z` }),
    ),
    'Sends a repeat without the scope.': changeRepeats((repeat) => changeEvent(repeat, { scope: undefined })),
    'Sends a repeat with the current updatedAt of the entity.': changeRepeats(async (repeat, _, { control }) => {
      const connection = await control.find('connections', String(readData(repeat).connectionId));
      return changeData(repeat, { updatedAt: connection?.updatedAt });
    }),
  },
} satisfies MutantsByRule;
