import { randomUUID } from 'node:crypto';
import { type EventType, eventTypes } from '../../../../src/contract/generated/events.ts';
import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import { changeData, changeMembers, isType, type Json, parseBody, readData } from '../exchange.ts';
import { changeDelivery, changeSuccess, type DerivedMutant } from '../mutant.ts';
import { createPairs, TARGET_TYPES } from './schema.ts';

// Mutants that send well-formed but wrong values.

const REPLIES: readonly (readonly [rule: string, operation: OperationId, ...members: string[]])[] = [
  ['assignability.echo', 'getExperienceAssignability', 'experienceId', 'targetType', 'targetValue'],
  ['assignments.create.echo', 'createExperienceAssignment', 'experienceId', 'targetType', 'targetValue'],
  ['assignments.create.account-of-target', 'createExperienceAssignment', 'accountId'],
  [
    'assignments.get.same-as-created',
    'getExperienceAssignment',
    'id',
    'experienceId',
    'accountId',
    'targetType',
    'targetValue',
    'updatedAt',
  ],
];

const EVENTS: readonly (readonly [rule: string, types: string, ...members: string[]])[] = [
  ['events.connection.data.of-connection', 'experience.connection.', 'connectionId', 'experienceId', 'accountId'],
  ['events.connection.data.names-experience', 'experience.connection.', 'experienceName'],
  ['events.connection.data.names-provider', 'experience.connection.', 'providerId'],
  ['events.connection.data.updated-at-of-connection', 'experience.connection.created', 'updatedAt'],
  ['events.connection.data.updated-at-of-connection', 'experience.connection.deactivated', 'updatedAt'],
  ['events.connection.data.updated-at-grows', 'experience.connection.', 'updatedAt'],
  [
    'events.assignment.data.of-assignment',
    'experience.assignment.',
    'assignmentId',
    'experienceId',
    'accountId',
    'targetType',
    'targetValue',
  ],
  ['events.assignment.data.names-experience', 'experience.assignment.', 'experienceName'],
  ['events.assignment.data.names-provider', 'experience.assignment.', 'providerId'],
  ['events.assignment.data.updated-at-of-assignment', 'experience.assignment.created', 'updatedAt'],
  ['events.assignment.data.updated-at-grows', 'experience.assignment.', 'updatedAt'],
  ['events.provisioning.data.of-user', 'provisioning.user.', 'userId', 'accountId'],
  ['events.provisioning.data.updated-at-grows', 'provisioning.user.', 'updatedAt'],
];

const HOUR_MS = 3_600_000;
const addTime = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString();

/** Returns a wrong value in the right format. */
function createOtherValue(member: string, entity: Json): unknown {
  if (member === 'targetType') return entity.targetType === 'ACCOUNT' ? 'USER' : 'ACCOUNT';
  if (member === 'targetValue') return entity.targetType === 'PHONE_NUMBER' ? '+12065550198' : randomUUID();
  if (member === 'updatedAt') return addTime(entity.updatedAt, 2000);
  return member === 'experienceName' || member === 'providerId' ? `other ${entity[member]}` : randomUUID();
}

/** Makes `updatedAt` too early. For a creation event, makes it too late, because no earlier event exists. */
const moveBackwards = (type: EventType, { updatedAt }: Json): string =>
  addTime(updatedAt, type.endsWith('.created') ? 2 * HOUR_MS : -5 * HOUR_MS);

const replies = REPLIES.flatMap(([rule, operation, ...members]) =>
  createPairs(members, TARGET_TYPES).map(([member, type]) => {
    // The check of this rule creates assignments of a single target type, which may differ from `type`.
    const isSelectedEntity = (body: Json) => rule === 'assignments.get.same-as-created' || body.targetType === type;
    return {
      rule,
      description: `${operation} shows a wrong ${member} for a target of type ${type}.`,
      start: changeSuccess(operation, (reply) => {
        const body = parseBody(reply);
        return isSelectedEntity(body) ? changeMembers(reply, { [member]: createOtherValue(member, body) }) : undefined;
      }),
    };
  }),
);

const events = EVENTS.flatMap(([rule, prefix, ...members]) =>
  createPairs(
    members,
    eventTypes.filter((type) => type.startsWith(prefix)),
  ).map(([member, type]) => ({
    rule,
    description: `${type} has a wrong ${member}.`,
    start: changeDelivery((delivery) => {
      const data = readData(delivery);
      const value = rule.endsWith('-grows') ? moveBackwards(type, data) : createOtherValue(member, data);
      return isType(delivery, type) ? changeData(delivery, { [member]: value }) : undefined;
    }),
  })),
);

export const valueMutants: readonly DerivedMutant[] = [...replies, ...events];
