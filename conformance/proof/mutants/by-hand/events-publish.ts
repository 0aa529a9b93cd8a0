import { randomUUID } from 'node:crypto';
import type { EventType } from '../../../../src/contract/generated/events.ts';
import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import { bodyOf, dataOf, isSuccess, isType, type Json, type Reply, type Request, requestOf } from '../exchange.ts';
import { ACKNOWLEDGED, type ByHand, changeDelivery, changeReply, changeSuccess, onRequest, type Start } from '../mutant.ts';
import { EVENTS, invent, lose } from './events-causes.ts';
import { changeRepeats, newId } from './events-content.ts';
import { ASSIGNMENTS, CONNECTIONS, list } from './resources.ts';

const UPDATE = 'updateExperienceConnection';
const ACTIVATED = EVENTS[UPDATE];
const DEACTIVATED = 'experience.connection.deactivated';
const DELETED = EVENTS[CONNECTIONS.remove];

const subjectIn = ({ path, query, text }: Request): Json => ({
  connectionId: path.experienceConnectionId ?? randomUUID(),
  ...path,
  ...query,
  ...bodyOf({ text }),
});

/** A mutant that publishes an event although nothing has changed. */
const publish = (operation: OperationId, type: EventType, isMeant: (reply: Reply) => boolean): Start =>
  changeReply(
    operation,
    async (_, { request, kit }) => {
      await kit.deliver(await invent(kit, type, subjectIn(request)));
      return undefined;
    },
    isMeant,
  );
const isRefused = (reply: Reply): boolean => !isSuccess(reply);
const isConflict = ({ status }: Reply): boolean => status === 409;

/** A mutant that loses every third event about connections and assignments. */
const loseThird =
  (entity: 'connection' | 'assignment'): Start =>
  () => {
    const seen = new Set<unknown>();
    return changeDelivery((delivery) => {
      if (!String(bodyOf(delivery).type).startsWith(`experience.${entity}.`)) return undefined;
      const id = delivery.headers['webhook-id'];
      seen.add(id);
      return [...seen].indexOf(id) % 3 === 2 ? 'lost' : undefined;
    })();
  };

const publishTwice: Start = () => ({
  async deliveries(delivery, subscriber) {
    await subscriber(newId(delivery));
    return subscriber(delivery);
  },
});

/** A mutant that deletes the assignments of a deleted connection, and publishes no events for these deletions. */
const removeWithConnection: Start = () => {
  const removed = new Set<unknown>();
  return {
    ...onRequest(CONNECTIONS.remove, async (request, service, kit) => {
      const { accountId, experienceId } = bodyOf(await service(requestOf('GET', request.url, request.headers, '')));
      const assigned = await list(ASSIGNMENTS, { accountId, experienceId }, request, service);
      const reply = await service(request);
      for (const { id } of isSuccess(reply) ? assigned : []) {
        removed.add(id);
        if (await kit.exists('assignments', id)) await kit.control.remove('assignments', id);
      }
      return reply;
    })(),
    deliveries: async (delivery, subscriber) =>
      isType(delivery, 'experience.assignment.deleted') && removed.has(dataOf(delivery).assignmentId) ? ACKNOWLEDGED : subscriber(delivery),
  };
};

type UserChange = 'created' | 'deleted';

/**
 * A mutant that publishes events about users of every account. The events are about users that were created or deleted after the previous request.
 */
const publishEveryUser =
  (change: UserChange): Start =>
  () => {
    let known: Map<unknown, Json> | undefined;
    return {
      requests: async (request, service, kit) => {
        const all: readonly Json[] = await kit.control.all('users');
        const present = new Map(all.map((user) => [user.id, user]));
        // The check may have created users before its first request. Treat the ten newest users as new for the first request.
        const newest = all.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, 10);
        const created = known ? all.filter(({ id }) => !known?.has(id)) : newest;
        const deleted = [...(known?.values() ?? [])].filter(({ id }) => !present.has(id));
        known = present;
        for (const { id, account } of { created, deleted }[change]) {
          const accountId = (await kit.control.find('accounts', account))?.id;
          await kit.deliver(await invent(kit, `provisioning.user.${change}`, { userId: id, accountId, ...bodyOf(request) }));
        }
        return service(request);
      },
    };
  };

/** A mutant that publishes an event about a user once for each Experience to which the check assigned an account. */
const publishForEveryExperience =
  (change: UserChange): Start =>
  () => {
    const assigned: string[] = [];
    return {
      async requests(request, service) {
        const { targetType, experienceId } = request.operation === ASSIGNMENTS.create ? bodyOf(request) : {};
        if (targetType === 'ACCOUNT') assigned.push(experienceId);
        return service(request);
      },
      async deliveries(delivery, subscriber, kit) {
        if (isType(delivery, `provisioning.user.${change}`))
          for (const experienceId of assigned)
            await subscriber(await invent(kit, `provisioning.user.${change}`, { ...dataOf(delivery), experienceId }));
        return subscriber(delivery);
      },
    };
  };

/** A mutant that publishes an event about each existing user of an account when the account is assigned. */
const publishExistingUsers: Start = changeSuccess(ASSIGNMENTS.create, async (_, { request, kit }) => {
  const { targetValue: accountId, experienceId } = bodyOf(request);
  const { alias } = (await kit.control.find('accounts', accountId)) ?? {};
  for (const { id, account } of await kit.control.all('users'))
    if (account === alias) await kit.deliver(await invent(kit, 'provisioning.user.created', { userId: id, accountId, experienceId }));
  return undefined;
});

const onlyAssigned = (change: UserChange) => ({
  'Publishes events about users of every account.': publishEveryUser(change),
  'Publishes events about users for every Experience.': publishForEveryExperience(change),
});

export const eventsPublish = {
  'events.publish.every-change': {
    'Loses every third event about a connection.': loseThird('connection'),
    'Loses every third event about an assignment.': loseThird('assignment'),
  },
  'events.publish.once-per-change': {
    'Publishes every event twice.': publishTwice,
    'Sends every attempt with another webhook-id.': changeRepeats(newId),
  },
  'events.publish.nothing-when-refused': Object.fromEntries(
    (Object.keys(EVENTS) as (keyof typeof EVENTS)[]).map((operation) => [
      `Publishes an event although ${operation} was refused.`,
      publish(operation, EVENTS[operation], isRefused),
    ]),
  ),
  'events.publish.nothing-when-read': {
    'Publishes an event for an assignability check.': publish('getExperienceAssignability', 'experience.assignment.created', isSuccess),
    'Publishes an event when a connection is read.': publish(CONNECTIONS.get, ACTIVATED, isSuccess),
    'Publishes an event when a user is read.': publish('getUser', 'provisioning.user.created', isSuccess),
  },
  'events.connection.activated.on-update': { 'Publishes only the first activation.': lose(ACTIVATED, ({ times }) => times > 1) },
  'events.connection.deactivated.on-update': { 'Publishes only the first deactivation.': lose(DEACTIVATED, ({ times }) => times > 1) },
  'events.connection.activated.not-when-already-active': {
    'Publishes an event although the update was refused.': publish(UPDATE, ACTIVATED, isConflict),
  },
  'events.connection.deactivated.not-when-already-inactive': {
    'Publishes an event although the update was refused.': publish(UPDATE, DEACTIVATED, isConflict),
  },
  'events.connection.deleted.not-while-numbers-assigned': {
    'Publishes an event although the deletion was refused.': publish(CONNECTIONS.remove, DELETED, isConflict),
  },
  'events.assignment.deleted.on-connection-deletion': { 'Publishes no event about the deleted assignments.': removeWithConnection },
  'events.provisioning.created.only-assigned-accounts': {
    ...onlyAssigned('created'),
    'Publishes events about the users that an account has when it is assigned.': publishExistingUsers,
  },
  'events.provisioning.deleted.only-assigned-accounts': onlyAssigned('deleted'),
} satisfies ByHand;
