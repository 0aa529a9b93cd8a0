import { randomUUID } from 'node:crypto';
import type { EventType } from '../../../../src/contract/generated/events.ts';
import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import { isSuccess, isType, type Json, parseBody, parseRequest, type Reply, type Request, readData } from '../exchange.ts';
import {
  ACKNOWLEDGEMENT,
  changeDelivery,
  changeReply,
  changeSuccess,
  handleRequests,
  type MutantsByRule,
  type StartMutant,
} from '../mutant.ts';
import { EVENTS_BY_OPERATION, inventEvent, loseEvents } from './events-causes.ts';
import { changeRepeats, generateId } from './events-content.ts';
import { ASSIGNMENTS, CONNECTIONS, list } from './resources.ts';

const UPDATE_OPERATION = 'updateExperienceConnection';
const ACTIVATED = EVENTS_BY_OPERATION[UPDATE_OPERATION];
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
    async (_, { request, kit }) => {
      await kit.deliver(await inventEvent(kit, type, createEventData(request)));
      return undefined;
    },
    isSelected,
  );
const isRefusal = (reply: Reply): boolean => !isSuccess(reply);
const isConflict = ({ status }: Reply): boolean => status === 409;

const loseEveryThird =
  (entity: 'connection' | 'assignment'): StartMutant =>
  () => {
    const seen = new Set<unknown>();
    return changeDelivery((delivery) => {
      if (!String(parseBody(delivery).type).startsWith(`experience.${entity}.`)) return undefined;
      const id = delivery.headers['webhook-id'];
      seen.add(id);
      return [...seen].indexOf(id) % 3 === 2 ? 'lost' : undefined;
    })();
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
      const { accountId, experienceId } = parseBody(await service(parseRequest('GET', request.url, request.headers, '')));
      const assigned = await list(ASSIGNMENTS, { accountId, experienceId }, request, service);
      const reply = await service(request);
      for (const { id } of isSuccess(reply) ? assigned : []) {
        removed.add(id);
        if (await kit.exists('assignments', id)) await kit.control.remove('assignments', id);
      }
      return reply;
    })(),
    handleDelivery: async (delivery, subscriber) =>
      isType(delivery, 'experience.assignment.deleted') && removed.has(readData(delivery).assignmentId)
        ? ACKNOWLEDGEMENT
        : subscriber(delivery),
  };
};

type UserChange = 'created' | 'deleted';

/** A mutant that publishes an event about every user created or deleted since the previous request. */
const publishEveryUser =
  (change: UserChange): StartMutant =>
  () => {
    let known: Map<unknown, Json> | undefined;
    return handleRequests('any', async (request, service, kit) => {
      const all: readonly Json[] = await kit.control.all('users');
      const present = new Map(all.map((user) => [user.id, user]));
      // At the first request, the mutant cannot know which users the check has created, so it treats the ten newest users as created.
      const newest = all.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, 10);
      const created = known ? all.filter(({ id }) => !known?.has(id)) : newest;
      const deleted = [...(known?.values() ?? [])].filter(({ id }) => !present.has(id));
      known = present;
      for (const { id, account } of { created, deleted }[change]) {
        const accountId = (await kit.control.find('accounts', account))?.id;
        await kit.deliver(await inventEvent(kit, `provisioning.user.${change}`, { userId: id, accountId, ...parseBody(request) }));
      }
      return service(request);
    })();
  };

/** A mutant that repeats each user event for every Experience assigned by the check. */
const publishForEveryExperience =
  (change: UserChange): StartMutant =>
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

const publishExistingUsers: StartMutant = changeSuccess(ASSIGNMENTS.create, async (_, { request, kit }) => {
  const { targetValue: accountId, experienceId } = parseBody(request);
  const { alias } = (await kit.control.find('accounts', accountId)) ?? {};
  for (const { id, account } of await kit.control.all('users'))
    if (account === alias) await kit.deliver(await inventEvent(kit, 'provisioning.user.created', { userId: id, accountId, experienceId }));
  return undefined;
});

const createUserEventMutants = (change: UserChange) => ({
  'Publishes user events even for accounts without an assignment.': publishEveryUser(change),
  'Publishes user events for every Experience.': publishForEveryExperience(change),
});

export const eventsPublish = {
  'events.publish.every-change': {
    'Loses every third event about a connection.': loseEveryThird('connection'),
    'Loses every third event about an assignment.': loseEveryThird('assignment'),
  },
  'events.publish.once-per-change': {
    'Publishes every event twice.': publishTwice,
    'Uses a different webhook-id for every attempt.': changeRepeats(generateId),
  },
  'events.publish.nothing-when-refused': Object.fromEntries(
    (Object.keys(EVENTS_BY_OPERATION) as (keyof typeof EVENTS_BY_OPERATION)[]).map((operation) => [
      `Publishes an event when it refuses ${operation}.`,
      publishInventedEvent(operation, EVENTS_BY_OPERATION[operation], isRefusal),
    ]),
  ),
  'events.publish.nothing-when-read': {
    'Publishes an event for an assignability check.': publishInventedEvent(
      'getExperienceAssignability',
      'experience.assignment.created',
      isSuccess,
    ),
    'Publishes an event when a connection is read.': publishInventedEvent(CONNECTIONS.get, ACTIVATED, isSuccess),
    'Publishes an event when a user is read.': publishInventedEvent('getUser', 'provisioning.user.created', isSuccess),
  },
  'events.connection.activated.on-update': { 'Publishes only the first activation.': loseEvents(ACTIVATED, ({ times }) => times > 1) },
  'events.connection.deactivated.on-update': {
    'Publishes only the first deactivation.': loseEvents(DEACTIVATED, ({ times }) => times > 1),
  },
  'events.connection.activated.not-when-already-active': {
    'Publishes an event when it refuses an update.': publishInventedEvent(UPDATE_OPERATION, ACTIVATED, isConflict),
  },
  'events.connection.deactivated.not-when-already-inactive': {
    'Publishes an event when it refuses an update.': publishInventedEvent(UPDATE_OPERATION, DEACTIVATED, isConflict),
  },
  'events.connection.deleted.not-while-numbers-assigned': {
    'Publishes an event when it refuses a deletion.': publishInventedEvent(CONNECTIONS.remove, DELETED, isConflict),
  },
  'events.assignment.deleted.on-connection-deletion': {
    'Publishes no events about assignments deleted with their connection.': deleteAssignmentsWithConnection,
  },
  'events.provisioning.created.only-assigned-accounts': {
    ...createUserEventMutants('created'),
    "Publishes events about an account's existing users when an Experience is assigned to the account.": publishExistingUsers,
  },
  'events.provisioning.deleted.only-assigned-accounts': createUserEventMutants('deleted'),
} satisfies MutantsByRule;
