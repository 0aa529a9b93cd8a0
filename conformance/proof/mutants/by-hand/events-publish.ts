import { randomUUID } from 'node:crypto';
import type { EventType } from '../../../../src/contract/generated/events.ts';
import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import { bodyOf, dataOf, isSuccess, isType, type Json, type Reply, type Request, requestOf } from '../exchange.ts';
import { ACKNOWLEDGED, type ByHand, changeReply, onRequest, type Start } from '../mutant.ts';
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

/** Publishes an event although nothing has changed. */
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

const publishTwice: Start = () => ({
  async deliveries(delivery, subscriber) {
    await subscriber(newId(delivery));
    return subscriber(delivery);
  },
});

/** Removes what is assigned together with a connection, and publishes nothing. */
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

/** Publishes users of every account that were created or deleted since the request before. */
const publishEveryUser =
  (change: UserChange): Start =>
  () => {
    let known: Map<unknown, Json> | undefined;
    return {
      requests: async (request, service, kit) => {
        const all: readonly Json[] = await kit.control.all('users');
        const present = new Map(all.map((user) => [user.id, user]));
        // The first request of a check may come after the creation.
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

/** Publishes users for every Experience that an account was assigned to in this check. */
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

const onlyAssigned = (change: UserChange) => ({
  'Publishes users of every account.': publishEveryUser(change),
  'Publishes users for every Experience.': publishForEveryExperience(change),
});

export const eventsPublish = {
  'events.publish.once-per-change': {
    'Publishes everything twice.': publishTwice,
    'Publishes every attempt as another event.': changeRepeats(newId),
  },
  'events.publish.nothing-when-refused': Object.fromEntries(
    (Object.keys(EVENTS) as (keyof typeof EVENTS)[]).map((operation) => [
      `Publishes what ${operation} refuses.`,
      publish(operation, EVENTS[operation], isRefused),
    ]),
  ),
  'events.publish.nothing-when-read': {
    'Publishes what it checks.': publish('getExperienceAssignability', 'experience.assignment.created', isSuccess),
    'Publishes what it reads.': publish(CONNECTIONS.get, ACTIVATED, isSuccess),
    'Publishes a user that it reads.': publish('getUser', 'provisioning.user.created', isSuccess),
  },
  'events.connection.activated.on-update': { 'Publishes the first such update only.': lose(ACTIVATED, ({ times }) => times > 1) },
  'events.connection.deactivated.on-update': { 'Publishes the first such update only.': lose(DEACTIVATED, ({ times }) => times > 1) },
  'events.connection.activated.not-when-already-active': { 'Publishes refused updates.': publish(UPDATE, ACTIVATED, isConflict) },
  'events.connection.deactivated.not-when-already-inactive': { 'Publishes refused updates.': publish(UPDATE, DEACTIVATED, isConflict) },
  'events.connection.deleted.not-while-numbers-assigned': {
    'Publishes refused deletions.': publish(CONNECTIONS.remove, DELETED, isConflict),
  },
  'events.assignment.deleted.on-connection-deletion': { 'Publishes nothing.': removeWithConnection },
  'events.provisioning.created.only-assigned-accounts': onlyAssigned('created'),
  'events.provisioning.deleted.only-assigned-accounts': onlyAssigned('deleted'),
} satisfies ByHand;
