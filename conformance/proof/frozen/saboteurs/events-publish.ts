import { randomUUID } from 'node:crypto';
import type { EventType } from '../../../../src/contract/generated/events.ts';
import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { invented, isType, withDeliveryHeaders } from '../delivered.ts';
import { bodyOf, isSuccess, type Json, type Reply, type Request } from '../exchange.ts';
import { type DeliverySabotage, remembering, rememberingDeliveries, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { deliveringOf, ELSEWHERE, GOING_ALONG } from './events-causes.ts';

type Rule = Extract<TestableRuleId['asyncapi'], `events.publish.${string}`>;

const asTwo: DeliverySabotage = async (delivery, subscriber) => {
  await subscriber(withDeliveryHeaders(delivery, { 'webhook-id': randomUUID() }));
  return subscriber(delivery);
};

/** A server that publishes each event of these types as two. */
function twice(does: string, ...types: readonly EventType[]): Saboteur {
  return rememberingDeliveries(
    does,
    () => (delivery, subscriber, behind) => (isType(delivery, ...types) ? asTwo(delivery, subscriber, behind) : subscriber(delivery)),
  );
}

/** A server that publishes though nothing was changed. */
function publishing(does: string, operation: OperationId, type: EventType, where: (reply: Reply) => boolean): Saboteur {
  return remembering(does, () => async (request, service, behind) => {
    const reply = await service(request);
    if (request.operation === operation && where(reply)) await behind.deliver(await invented(behind, type, told(request)));
    return reply;
  });
}

/** What was asked for, or for what. */
function told(request: Request): Json {
  const { experienceConnectionId: connectionId, assignmentId, userId, experienceId } = request.path;
  const { targetType, targetValue } = request.query;
  const [body, asked] = [bodyOf(request), { connectionId, assignmentId, userId, experienceId, targetType, targetValue }];
  return { connectionId: randomUUID(), ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)), ...body };
}

const refusedWith =
  (...statuses: readonly number[]) =>
  ({ status }: Reply) =>
    statuses.includes(status);

/** Servers that publish one change as several, or what did not happen. */
export const eventsPublish: SaboteursOf<Rule> = {
  'events.publish.once-per-change': [
    twice(
      'Publishes the creation and the deletion of a connection as two events each.',
      'experience.connection.created',
      'experience.connection.deleted',
    ),
    twice(
      'Publishes a change of a connection’s state as two events.',
      'experience.connection.activated',
      'experience.connection.deactivated',
    ),
    twice('Publishes the deletion of an assignment as two events.', 'experience.assignment.deleted'),
    twice('Publishes a user who is created as two events.', 'provisioning.user.created'),
    deliveringOf(
      'Publishes a connection that becomes ACTIVE in a portal or on the platform as two events.',
      ['experience.connection.activated'],
      ELSEWHERE,
      asTwo,
    ),
    deliveringOf(
      'Publishes an assignment that goes with its account or its target as two events.',
      ['experience.assignment.deleted'],
      GOING_ALONG,
      asTwo,
    ),
    rememberingDeliveries('Takes each attempt for an event of its own.', () => {
      const sent = new Set<string>();
      return (delivery, subscriber) => {
        const isRepeat = sent.has(delivery.text);
        sent.add(delivery.text);
        return subscriber(isRepeat ? withDeliveryHeaders(delivery, { 'webhook-id': randomUUID() }) : delivery);
      };
    }),
  ],
  'events.publish.nothing-when-refused': [
    publishing(
      'Publishes the creation of a connection that is there already.',
      'createExperienceConnection',
      'experience.connection.created',
      refusedWith(409),
    ),
    publishing(
      'Publishes a change of state before it looks at who asks.',
      'updateExperienceConnection',
      'experience.connection.activated',
      refusedWith(401, 403, 404),
    ),
    publishing(
      'Publishes the deletion of a connection that is kept.',
      'deleteExperienceConnection',
      'experience.connection.deleted',
      refusedWith(409),
    ),
    publishing(
      'Publishes an assignment before it looks whether it is valid.',
      'createExperienceAssignment',
      'experience.assignment.created',
      refusedWith(422),
    ),
    publishing(
      'Publishes the deletion of an assignment that is gone already.',
      'deleteExperienceAssignment',
      'experience.assignment.deleted',
      refusedWith(404),
    ),
    publishing(
      'Publishes the creation of a connection before it looks at the token.',
      'createExperienceConnection',
      'experience.connection.created',
      refusedWith(401),
    ),
    publishing(
      'Publishes a connection as INACTIVE that it refuses to delete.',
      'deleteExperienceConnection',
      'experience.connection.deactivated',
      refusedWith(409),
    ),
    publishing(
      'Publishes the deletion of a connection that it cannot update.',
      'updateExperienceConnection',
      'experience.connection.deleted',
      refusedWith(400, 422),
    ),
  ],
  'events.publish.nothing-when-read': [
    publishing('Assigns what it checks, for a moment.', 'getExperienceAssignability', 'experience.assignment.created', isSuccess),
    publishing(
      'Publishes a connection as ACTIVE when it is read.',
      'getExperienceConnection',
      'experience.connection.activated',
      isSuccess,
    ),
    publishing('Publishes a user that is read for the first time.', 'getUser', 'provisioning.user.created', isSuccess),
  ],
};
