import { randomUUID } from 'node:crypto';
import { type EventType, eventTypes } from '../../../../src/contract/generated/events.ts';
import { type Delivery, dataOf, isType, withData, withEvent } from '../delivery.ts';
import { bodyOf, isSuccess, type Json, type Reply, withHeaders } from '../exchange.ts';
import { type ByHand, changeDelivery, type Kit, type Start } from '../mutant.ts';
import { subjectOf } from './events-causes.ts';

const CREATED = 'experience.connection.created';
const ACTIVATED = 'experience.connection.activated';
const DEACTIVATED = 'experience.connection.deactivated';
const DELETED = 'experience.connection.deleted';
const CONNECTIONS = [CREATED, ACTIVATED, DEACTIVATED, DELETED] as const;
const ASSIGNED = 'experience.assignment.created';
const UNASSIGNED = 'experience.assignment.deleted';
const USER_CREATED = 'provisioning.user.created';
const USER_DELETED = 'provisioning.user.deleted';
const USERS = [USER_CREATED, USER_DELETED] as const;

const ofTypes = (types: readonly EventType[], change: (delivery: Delivery, kit: Kit) => Delivery | Promise<Delivery>): Start =>
  changeDelivery((delivery, kit) => (isType(delivery, ...types) ? change(delivery, kit) : undefined));

/** Changes members of the data of events of these types. */
const data = (types: readonly EventType[], members: (data: Json, kit: Kit) => Json | Promise<Json>): Start =>
  ofTypes(types, async (delivery, kit) => withData(delivery, await members(dataOf(delivery), kit)));
const dataOfTarget = (type: EventType, targetType: string, members: (data: Json) => Json): Start =>
  data([type], (known) => (known.targetType === targetType ? members(known) : {}));
const scope = (type: EventType, experienceId: (data: Json) => unknown): Start =>
  ofTypes([type], (delivery) => withEvent(delivery, { scope: { experienceId: experienceId(dataOf(delivery)) } }));
const everyTimestamp = (timestamp: (given: string) => string): Start =>
  ofTypes(eventTypes, (delivery) => withEvent(delivery, { timestamp: timestamp(bodyOf(delivery).timestamp) }));

const hoursEarlier = (instant: string, hours: number): string => new Date(Date.parse(instant) - hours * 3_600_000).toISOString();
const nameOfProvider = async ({ providerId }: Json, { control }: Kit) => ({
  providerId: (await control.find('providers', providerId))?.name,
});

const withId = (delivery: Delivery, id: string | undefined): Delivery => withHeaders(delivery, { 'webhook-id': id });
const ids = (types: readonly EventType[], id: (delivery: Delivery) => string | undefined): Start =>
  ofTypes(types, (delivery) => withId(delivery, id(delivery)));
const timestampOf = ({ headers }: Delivery): number => Number(headers['webhook-timestamp']);
const withTimestamp = (delivery: Delivery, seconds: unknown): Delivery =>
  withHeaders(delivery, { 'webhook-timestamp': seconds === undefined ? undefined : `${seconds}` });
const timestamps = (types: readonly EventType[], change: (seconds: number) => unknown): Start =>
  ofTypes(types, (delivery) => withTimestamp(delivery, change(timestampOf(delivery))));

/** Changes the repeats that follow replies like this. */
const repeats =
  (change: (repeat: Delivery, first: Delivery) => Delivery, follows: (reply: Reply | undefined) => boolean = () => true): Start =>
  () => {
    const firsts = new Map<string | undefined, Delivery>();
    return {
      async deliveries(delivery, subscriber) {
        const id = delivery.headers['webhook-id'];
        const first = firsts.get(id);
        const reply = await subscriber(first ? change(delivery, first) : delivery);
        if (!first && !(reply && isSuccess(reply)) && follows(reply)) firsts.set(id, delivery);
        return reply;
      },
    };
  };

/** Remembers something of the first delivery with this key, and sends it with all that follow. */
const likeFirst =
  (
    key: (delivery: Delivery) => unknown,
    read: (delivery: Delivery) => unknown,
    write: (delivery: Delivery, first: never) => Delivery,
  ): Start =>
  () => {
    const firsts = new Map<unknown, unknown>();
    return {
      deliveries(delivery, subscriber) {
        const first = firsts.get(key(delivery)) ?? read(delivery);
        firsts.set(key(delivery), first);
        return subscriber(write(delivery, first as never));
      },
    };
  };

/** Sends the updatedAt from before the last change. */
const previousUpdatedAt: Start = () => {
  const previous = new Map<string, string>();
  return {
    deliveries(delivery, subscriber) {
      if (!isType(delivery, CREATED, ACTIVATED, DEACTIVATED)) return subscriber(delivery);
      const { connectionId, updatedAt } = dataOf(delivery);
      const known = previous.get(connectionId) ?? updatedAt;
      previous.set(connectionId, updatedAt);
      return subscriber(withData(delivery, { updatedAt: known }));
    },
  };
};

/** Counts the events of each entity, and sends the number as webhook-id. */
const countPerEntity: Start = () => {
  const numbers = new Map<string, Map<string | undefined, number>>();
  return {
    deliveries(delivery, subscriber) {
      const known = numbers.get(subjectOf(delivery)) ?? new Map<string | undefined, number>();
      const number = known.get(delivery.headers['webhook-id']) ?? known.size + 1;
      numbers.set(subjectOf(delivery), known.set(delivery.headers['webhook-id'], number));
      return subscriber(withId(delivery, `event-${number}`));
    },
  };
};

export const eventsContent = {
  'events.connection.data.names-provider': { 'Sends the name of the provider.': data(CONNECTIONS, nameOfProvider) },
  'events.assignment.data.names-provider': { 'Sends the name of the provider.': data([ASSIGNED, UNASSIGNED], nameOfProvider) },
  'events.connection.data.of-connection': {
    'Swaps account and Experience.': data([CREATED], ({ accountId, experienceId }) => ({
      accountId: experienceId,
      experienceId: accountId,
    })),
  },
  'events.connection.data.updated-at-of-connection': { 'Sends the updatedAt from before the change.': previousUpdatedAt },
  'events.assignment.data.target-value': {
    ...Object.fromEntries(
      ['ACCOUNT', 'PHONE_NUMBER', 'USER'].map((type) => [
        `Sends a prefix before a ${type}.`,
        dataOfTarget(ASSIGNED, type, ({ targetValue }) => ({ targetValue: `tel:${targetValue}` })),
      ]),
    ),
    'Sends a number without its plus.': dataOfTarget(UNASSIGNED, 'PHONE_NUMBER', ({ targetValue }) => ({
      targetValue: targetValue.slice(1),
    })),
    'Sends the name of a user.': dataOfTarget(UNASSIGNED, 'USER', () => ({ targetValue: 'Alex Doe' })),
  },
  'events.assignment.data.of-assignment': {
    'Sends the user as the account.': dataOfTarget(ASSIGNED, 'USER', ({ targetValue }) => ({ accountId: targetValue })),
    'Sends USER for an account.': dataOfTarget(ASSIGNED, 'ACCOUNT', () => ({ targetType: 'USER' })),
  },
  'events.provisioning.data.user-id': {
    'Sends a native id.': data([USER_DELETED], ({ userId }) => ({ userId: BigInt(`0x${userId.replaceAll('-', '')}`).toString(36) })),
  },
  'events.envelope.timestamp-of-event': {
    'Sends the time of the sending.': everyTimestamp(() => new Date().toISOString()),
    'Sends local time as UTC.': everyTimestamp((timestamp) => hoursEarlier(timestamp, 5)),
  },
  'events.envelope.subscription-id': {
    'Sends another id.': ofTypes([ASSIGNED], (delivery) => withEvent(delivery, { subscriptionId: randomUUID() })),
    'Sends the id of the first subscription to all.': likeFirst(
      ({ headers }) => headers['webhook-id'],
      (delivery) => bodyOf(delivery).subscriptionId,
      (delivery, subscriptionId) => withEvent(delivery, { subscriptionId }),
    ),
  },
  'events.envelope.scope-experience': {
    'Sends the account with a deletion.': scope(DELETED, ({ accountId }) => accountId),
    'Sends the provider with an assignment.': scope(ASSIGNED, ({ providerId }) => providerId),
    'Sends the account with a deleted user.': scope(USER_DELETED, ({ accountId }) => accountId),
    'Sends another Experience with a new user.': scope(USER_CREATED, () => randomUUID()),
  },
  'events.headers.webhook-id-unique': {
    'Sends the userId.': ids(USERS, subjectOf),
    'Sends type and entity.': ids(eventTypes, (delivery) => `${bodyOf(delivery).type}:${subjectOf(delivery)}`),
    'Sends what was changed and when its state changed.': ids(eventTypes, (delivery) => {
      const { type, scope: about } = bodyOf(delivery);
      const { accountId, targetValue, userId, updatedAt } = dataOf(delivery);
      return [type, about?.experienceId, accountId, targetValue, userId, /activated$/.test(type) ? updatedAt : ''].join();
    }),
    'Sends the subscriptionId.': ids(eventTypes, (delivery) => bodyOf(delivery).subscriptionId),
    'Counts the events of each entity.': countPerEntity,
  },
  'events.headers.webhook-id-kept': {
    'Gives a repeat another id.': repeats((repeat) => withId(repeat, randomUUID())),
    'Gives a repeat no id.': repeats((repeat) => withId(repeat, undefined)),
    'Gives a repeat another id if there was no reply.': repeats(
      (repeat) => withId(repeat, randomUUID()),
      (reply) => reply === undefined,
    ),
    'Gives a repeat another id after a 500.': repeats(
      (repeat) => withId(repeat, randomUUID()),
      (reply) => reply?.status === 500,
    ),
  },
  'events.headers.webhook-timestamp': {
    'Sends milliseconds.': timestamps([UNASSIGNED], (seconds) => seconds * 1000),
    'Sends ISO 8601.': timestamps([CREATED], (seconds) => new Date(seconds * 1000).toISOString()),
    'Sends the unit.': timestamps([DELETED], (seconds) => `${seconds}s`),
  },
  'events.headers.webhook-timestamp-when-sent': {
    'Sends an hour later with a deleted assignment.': timestamps([UNASSIGNED], (seconds) => seconds + 3600),
    'Sends an hour earlier with users.': timestamps(USERS, (seconds) => seconds - 3600),
    'Sends 0.': timestamps(eventTypes, () => 0),
  },
  'events.headers.webhook-timestamp-of-repeat': {
    'Repeats the time of the first attempt.': repeats((repeat, first) => withTimestamp(repeat, timestampOf(first))),
    'Sends the time of the event.': ofTypes(eventTypes, (delivery) =>
      withTimestamp(delivery, Math.floor(Date.parse(bodyOf(delivery).timestamp) / 1000)),
    ),
    'Gives a repeat no time.': repeats((repeat) => withTimestamp(repeat, undefined)),
  },
} satisfies ByHand;
