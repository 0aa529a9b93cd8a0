import { randomUUID } from 'node:crypto';
import type { EventType } from '../../../../src/contract/generated/events.ts';
import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import { type Delivery, dataOf, isType, withEvent } from '../delivery.ts';
import { bodyOf, isSuccess, type Json, type Reply, type Request, success, withHeaders } from '../exchange.ts';
import { ACKNOWLEDGED, type ByHand, type DeliveryHandler, onRequest, type Start } from '../mutant.ts';
import { connectionAt } from './connections-world.ts';
import { handleWhere, invent, type Known, lose, subjectOf } from './events-causes.ts';

const CREATED = 'experience.connection.created';

const ACTIVATED = 'experience.connection.activated';

const DEACTIVATED = 'experience.connection.deactivated';

const DELETED = 'experience.connection.deleted';

const ASSIGNED = 'experience.assignment.created';

const UNASSIGNED = 'experience.assignment.deleted';

const USER_CREATED = 'provisioning.user.created';

const asTwo: DeliveryHandler = async (delivery, subscriber) => {
  await subscriber(withHeaders(delivery, { 'webhook-id': randomUUID() }));
  return subscriber(delivery);
};

const twice = (types: readonly EventType[], where: (known: Known) => boolean = () => true): Start => handleWhere(types, where, asTwo);

/** Publishes an event although nothing has changed. */
const publish = (operation: OperationId, type: EventType, isMeant: (reply: Reply) => boolean): Start =>
  onRequest(operation, async (request, service, kit) => {
    const reply = await service(request);
    if (isMeant(reply)) await kit.deliver(await invent(kit, type, subjectIn(request)));
    return reply;
  });

const refusedWith =
  (...statuses: readonly number[]) =>
  ({ status }: Reply): boolean =>
    statuses.includes(status);

const subjectIn = ({ path, query, ...message }: Request): Json => ({
  connectionId: path.experienceConnectionId ?? randomUUID(),
  ...path,
  ...query,
  ...bodyOf(message),
});

type Change = typeof ACTIVATED | typeof DEACTIVATED;

/** Publishes the first event of a connection again where it changes so a second time. */
const repeatFirst =
  (type: Change): Start =>
  () => {
    const firsts = new Map<string, Delivery>();
    return {
      deliveries(delivery, subscriber) {
        if (!isType(delivery, type)) return subscriber(delivery);
        const first = firsts.get(subjectOf(delivery)) ?? delivery;
        firsts.set(subjectOf(delivery), first);
        return subscriber(first);
      },
    };
  };

const updatedAgain = (type: Change) => ({
  'Publishes the first such update only.': lose(type, ({ times }) => times > 1),
  'Repeats the first such event.': repeatFirst(type),
});

/** Publishes updates to the present state. */
const publishedAgain = (type: Change) => {
  const state = type === ACTIVATED ? 'ACTIVE' : 'INACTIVE';
  const tell = (when: 'before' | 'after' | 'long ago', isAccepted = false): Start =>
    onRequest('updateExperienceConnection', async (request, service, kit) => {
      const connection = bodyOf(request).state === state ? await connectionAt(request, kit) : undefined;
      if (connection?.state !== state) return service(request);
      const made = await invent(kit, type, { ...connection, connectionId: connection.id });
      const event = when === 'long ago' ? withEvent(made, { timestamp: connection.updatedAt }) : made;
      if (when === 'before') await kit.deliver(event);
      const reply = await service(request);
      if (when !== 'before' && !isSuccess(reply)) await kit.deliver(event);
      return isAccepted ? success(200, connection) : reply;
    });
  return {
    'Publishes before it reads the connection.': tell('before'),
    'Publishes as of the last change.': tell('long ago'),
    'Publishes and accepts.': tell('after', true),
  };
};

const publishRefusal = (state?: string): Start =>
  onRequest('deleteExperienceConnection', async (request, service, kit) => {
    const connection = await connectionAt(request, kit);
    const reply = await service(request);
    if (connection && !isSuccess(reply) && [undefined, connection.state].includes(state))
      await kit.deliver(await invent(kit, DELETED, { ...connection, connectionId: connection.id }));
    return reply;
  });

/** Removes assignments to such targets with their connection, and publishes nothing. */
const removeWithConnection =
  (...targetTypes: readonly string[]): Start =>
  () => {
    const connections = new Map<unknown, unknown>();
    const assignments: Json[] = [];
    const removed = new Set<unknown>();
    return {
      async requests(request, service, { control }) {
        const reply = await service(request);
        if (!isSuccess(reply)) return reply;
        const body = bodyOf(reply);
        if (request.operation === 'createExperienceConnection') connections.set(body.id, body.experienceId);
        if (request.operation === 'createExperienceAssignment' && targetTypes.includes(body.targetType)) assignments.push(body);
        if (request.operation !== 'deleteExperienceConnection') return reply;
        const experienceId = connections.get(request.path.experienceConnectionId);
        for (const { id } of assignments.filter((each) => each.experienceId === experienceId)) {
          removed.add(id);
          await control.remove('assignments', id);
        }
        return reply;
      },
      deliveries: async (delivery, subscriber) =>
        isType(delivery, UNASSIGNED) && removed.has(dataOf(delivery).assignmentId) ? ACKNOWLEDGED : subscriber(delivery),
    };
  };

/** Publishes every attempt as an event of its own. */
const eachAttempt: Start = () => {
  const sent = new Set<string>();
  return {
    deliveries(delivery, subscriber) {
      const isRepeat = sent.has(delivery.text);
      sent.add(delivery.text);
      return subscriber(isRepeat ? withHeaders(delivery, { 'webhook-id': randomUUID() }) : delivery);
    },
  };
};

export const eventsPublish = {
  'events.publish.once-per-change': {
    'Publishes created and deleted connections twice.': twice([CREATED, DELETED]),
    'Publishes changes of state twice.': twice([ACTIVATED, DEACTIVATED]),
    'Publishes deleted assignments twice.': twice([UNASSIGNED]),
    'Publishes new users twice.': twice([USER_CREATED]),
    'Publishes activations in a portal or by the platform twice.': twice([ACTIVATED], ({ cause }) => cause === 'elsewhere'),
    'Publishes assignments that go with their account or target twice.': twice(
      [UNASSIGNED],
      ({ cause }) => cause === 'account' || cause === 'target',
    ),
    'Publishes every attempt as another event.': eachAttempt,
  },
  'events.publish.nothing-when-refused': {
    'Publishes a creation that exists.': publish('createExperienceConnection', CREATED, refusedWith(409)),
    'Publishes an update before it knows who asks.': publish('updateExperienceConnection', ACTIVATED, refusedWith(401, 403, 404)),
    'Publishes a deletion that numbers prevent.': publish('deleteExperienceConnection', DELETED, refusedWith(409)),
    'Publishes a deactivation where numbers prevent a deletion.': publish('deleteExperienceConnection', DEACTIVATED, refusedWith(409)),
    'Publishes an invalid assignment.': publish('createExperienceAssignment', ASSIGNED, refusedWith(422)),
    'Publishes the deletion of a missing assignment.': publish('deleteExperienceAssignment', UNASSIGNED, refusedWith(404)),
    'Publishes a creation before it knows who asks.': publish('createExperienceConnection', CREATED, refusedWith(401)),
    'Publishes a deletion for an invalid update.': publish('updateExperienceConnection', DELETED, refusedWith(400, 422)),
  },
  'events.publish.nothing-when-read': {
    'Publishes what it checks.': publish('getExperienceAssignability', ASSIGNED, isSuccess),
    'Publishes what it reads.': publish('getExperienceConnection', ACTIVATED, isSuccess),
    'Publishes a user that it reads.': publish('getUser', USER_CREATED, isSuccess),
  },
  'events.connection.activated.on-update': updatedAgain(ACTIVATED),
  'events.connection.deactivated.on-update': updatedAgain(DEACTIVATED),
  'events.connection.activated.not-when-already-active': publishedAgain(ACTIVATED),
  'events.connection.deactivated.not-when-already-inactive': publishedAgain(DEACTIVATED),
  'events.connection.deleted.not-while-numbers-assigned': {
    'Publishes a deletion that it refuses.': publishRefusal(),
    'Publishes the deletion of an INACTIVE connection that it refuses.': publishRefusal('INACTIVE'),
  },
  'events.assignment.deleted.on-connection-deletion': {
    'Removes accounts and users with a connection, and publishes nothing.': removeWithConnection('ACCOUNT', 'USER'),
    'Removes users with a connection, and publishes nothing.': removeWithConnection('USER'),
  },
} satisfies ByHand;
