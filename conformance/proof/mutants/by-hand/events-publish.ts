import { randomUUID } from 'node:crypto';
import type { EventType } from '../../../../src/contract/generated/events.ts';
import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import { isSuccess, isType, type Json, parseBody, type Reply, type Request, readData } from '../exchange.ts';
import { ACKNOWLEDGEMENT, changeDelivery, changeReply, handleRequests, type MutantsByRule, type StartMutant } from '../mutant.ts';
import { EVENTS_BY_OPERATION, inventEvent } from './events-causes.ts';
import { generateId } from './events-content.ts';
import { ASSIGNMENTS, CONNECTIONS, listAssigned } from './resources.ts';

const ACTIVATED = EVENTS_BY_OPERATION[CONNECTIONS.update];
const DEACTIVATED = 'experience.connection.deactivated';
const DELETED = EVENTS_BY_OPERATION[CONNECTIONS.remove];

const createEventData = ({ path, query, text }: Request): Json => ({
  connectionId: path.experienceConnectionId ?? randomUUID(),
  ...path,
  ...query,
  ...parseBody({ text }),
});

const publishInventedEvent = (operation: OperationId, type: EventType, isSelected: (reply: Reply) => boolean): StartMutant =>
  changeReply(
    operation,
    async (_, { request, kit }) => void (await kit.deliver(await inventEvent(kit, type, createEventData(request)))),
    isSelected,
  );
const isRefusal = (reply: Reply): boolean => !isSuccess(reply);
const isConflict = ({ status }: Reply): boolean => status === 409;

/** Loses every third event about each connection. */
export const loseEveryThird: StartMutant = () => {
  const seen = new Map<unknown, unknown[]>();
  return changeDelivery((delivery) => {
    const { connectionId } = readData(delivery);
    const known = seen.get(connectionId) ?? [];
    const ids = [...new Set([...known, delivery.headers['webhook-id']])];
    seen.set(connectionId, ids);
    return connectionId !== undefined && ids.indexOf(delivery.headers['webhook-id']) % 3 === 2 ? 'lost' : undefined;
  })();
};

/** Drops the events of a subscription while one of its deliveries waits to be repeated. */
const dropBesideFailing: StartMutant = () => {
  const failing = new Map<unknown, Set<string | undefined>>();
  return {
    async handleDelivery(delivery, subscriber) {
      const { subscriptionId } = parseBody(delivery);
      const own = failing.get(subscriptionId) ?? new Set();
      failing.set(subscriptionId, own);
      const id = delivery.headers['webhook-id'];
      if (own.size > 0 && !own.has(id)) return ACKNOWLEDGEMENT;
      const reply = await subscriber(delivery);
      if (reply !== undefined && isSuccess(reply)) own.delete(id);
      else own.add(id);
      return reply;
    },
  };
};

const publishTwice: StartMutant = () => ({
  async handleDelivery(delivery, subscriber) {
    await subscriber(generateId(delivery));
    return subscriber(delivery);
  },
});

/** A mutant that deletes a connection's assignments together with the connection, without publishing events about them. */
const deleteAssignmentsWithConnection: StartMutant = () => {
  const removed = new Set<unknown>();
  return {
    ...handleRequests(CONNECTIONS.remove, async (request, service, kit) => {
      const assigned = await listAssigned(request, service);
      const reply = await service(request);
      for (const { id } of isSuccess(reply) ? assigned : []) {
        removed.add(id);
        if (await kit.exists('assignments', id)) await kit.control.remove('assignments', id);
      }
      return reply;
    })(),
    ...changeDelivery((delivery) =>
      isType(delivery, 'experience.assignment.deleted') && removed.has(readData(delivery).assignmentId) ? 'lost' : undefined,
    )(),
  };
};

/** A mutant that repeats each user event for every Experience assigned by the check. */
const publishForEveryExperience =
  (change: 'created' | 'deleted'): StartMutant =>
  () => {
    const assigned: string[] = [];
    return {
      async handleRequest(request, service) {
        const { targetType, experienceId } = request.operation === ASSIGNMENTS.create ? parseBody(request) : {};
        if (targetType === 'ACCOUNT') assigned.push(experienceId);
        return service(request);
      },
      async handleDelivery(delivery, subscriber, kit) {
        if (isType(delivery, `provisioning.user.${change}`))
          for (const experienceId of assigned)
            await subscriber(await inventEvent(kit, `provisioning.user.${change}`, { ...readData(delivery), experienceId }));
        return subscriber(delivery);
      },
    };
  };

export const eventsPublish = {
  'events.publish.every-change': {
    'Loses every third event about a connection.': loseEveryThird,
    'Drops events while an earlier delivery waits to be repeated.': dropBesideFailing,
  },
  'events.publish.once-per-change': { 'Publishes every event twice.': publishTwice },
  'events.publish.nothing-when-refused': Object.fromEntries(
    (Object.keys(EVENTS_BY_OPERATION) as (keyof typeof EVENTS_BY_OPERATION)[]).map((operation) => [
      `Publishes an event when it refuses ${operation}.`,
      publishInventedEvent(operation, EVENTS_BY_OPERATION[operation], isRefusal),
    ]),
  ),
  'events.publish.nothing-when-read': {
    'Publishes an event when a connection is read.': publishInventedEvent(CONNECTIONS.get, ACTIVATED, isSuccess),
    'Publishes an event when a user is read.': publishInventedEvent('getUser', 'provisioning.user.created', isSuccess),
  },
  'events.connection.activated.not-when-already-active': {
    'Publishes an event when it refuses an update.': publishInventedEvent(CONNECTIONS.update, ACTIVATED, isConflict),
  },
  'events.connection.deactivated.not-when-already-inactive': {
    'Publishes an event when it refuses an update.': publishInventedEvent(CONNECTIONS.update, DEACTIVATED, isConflict),
  },
  'events.connection.deleted.not-while-numbers-assigned': {
    'Publishes an event when it refuses a deletion.': publishInventedEvent(CONNECTIONS.remove, DELETED, isConflict),
  },
  'events.assignment.deleted.on-connection-deletion': {
    'Publishes no events about assignments deleted with their connection.': deleteAssignmentsWithConnection,
  },
  'events.provisioning.created.only-assigned-accounts': {
    'Publishes user events for every Experience.': publishForEveryExperience('created'),
  },
  'events.provisioning.deleted.only-assigned-accounts': {
    'Publishes user events for every Experience.': publishForEveryExperience('deleted'),
  },
} satisfies MutantsByRule;
