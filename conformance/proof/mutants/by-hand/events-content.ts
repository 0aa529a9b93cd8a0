import { randomUUID } from 'node:crypto';
import { changeData, changeHeaders, changeMembers, type Delivery, isType, parseBody, readData } from '../exchange.ts';
import { changeDelivery, type Kit, type MutantsByRule, type StartMutant } from '../mutant.ts';
import { changeSelectedEvents, readEntityId } from './events-causes.ts';
import { forEachType } from './world.ts';

/** A mutant that changes every delivery attempt except the first. */
const changeRepeats =
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

export const USER_EVENTS = ['provisioning.user.created', 'provisioning.user.deleted'] as const;

const setId = (delivery: Delivery, id: unknown): Delivery => changeHeaders(delivery, { 'webhook-id': String(id) });
const readTimestamp = ({ headers }: Delivery): number => Number(headers['webhook-timestamp']);
const setTimestamp = (delivery: Delivery, seconds: number): Delivery => changeHeaders(delivery, { 'webhook-timestamp': `${seconds}` });
const TIME_ZONE_MS = 5 * 3_600_000;

const convertToLocalTime = (delivery: Delivery): Delivery =>
  changeMembers(delivery, { timestamp: new Date(Date.parse(parseBody(delivery).timestamp) - TIME_ZONE_MS).toISOString() });

export const generateId = (delivery: Delivery): Delivery => setId(delivery, randomUUID());

export const eventsContent = {
  'events.envelope.timestamp-of-event': {
    'Sends local time as UTC if no request caused the event.': changeSelectedEvents((cause) => cause === 'elsewhere', convertToLocalTime),
  },
  'events.envelope.subscription-id': {
    'Sends an unknown subscriptionId.': changeDelivery((delivery) => changeMembers(delivery, { subscriptionId: randomUUID() })),
  },
  'events.envelope.scope-experience': {
    "Sends a different Experience's id.": changeDelivery((delivery) => changeMembers(delivery, { scope: { experienceId: randomUUID() } })),
  },
  'events.assignment.data.target-value': forEachType('Adds a prefix to the targetValue of TYPE targets.', (type) =>
    changeDelivery((delivery) => {
      const { targetType, targetValue } = readData(delivery);
      return targetType === type ? changeData(delivery, { targetValue: `tel:${targetValue}` }) : undefined;
    }),
  ),
  'events.headers.webhook-id-unique': {
    'Sends the event type and the entity id as the webhook-id.': changeDelivery((delivery) =>
      setId(delivery, `${parseBody(delivery).type}:${readEntityId(delivery)}`),
    ),
    'Sends the subscriptionId as the webhook-id.': changeDelivery((delivery) => setId(delivery, parseBody(delivery).subscriptionId)),
  },
  'events.headers.webhook-id-kept': {
    'Repeats a user event with a different webhook-id.': changeRepeats((repeat) =>
      isType(repeat, ...USER_EVENTS) ? generateId(repeat) : repeat,
    ),
  },
  'events.headers.webhook-timestamp': {
    'Sends the webhook-timestamp in milliseconds.': changeDelivery((delivery) => setTimestamp(delivery, readTimestamp(delivery) * 1000)),
  },
  'events.headers.webhook-timestamp-when-sent': {
    'Sends a webhook-timestamp that is an hour too late.': changeDelivery((delivery) =>
      setTimestamp(delivery, readTimestamp(delivery) + 3600),
    ),
  },
  'events.headers.webhook-timestamp-of-repeat': {
    "Sends the first attempt's webhook-timestamp with every repeat.": changeRepeats((repeat, first) =>
      setTimestamp(repeat, readTimestamp(first)),
    ),
    "Sends the event's time as the webhook-timestamp.": changeDelivery((delivery) =>
      setTimestamp(delivery, Math.floor(Date.parse(parseBody(delivery).timestamp) / 1000)),
    ),
  },
  'events.delivery.repeat-is-same-event': {
    "Sends the attempt's time, in whole seconds, as the event's timestamp.": changeDelivery((delivery) =>
      changeMembers(delivery, { timestamp: `${new Date().toISOString().slice(0, 19)}Z` }),
    ),
    "Sends repeats with the connection's current updatedAt.": changeRepeats(async (repeat, _, { control }) => {
      const connection = await control.find('connections', String(readData(repeat).connectionId));
      return changeData(repeat, { updatedAt: connection?.updatedAt });
    }),
  },
} satisfies MutantsByRule;
