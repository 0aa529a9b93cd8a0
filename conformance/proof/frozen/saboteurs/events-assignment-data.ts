import { randomUUID } from 'node:crypto';
import type { EventType } from '../../../../src/contract/generated/events.ts';
import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { dataIn, isType, withData } from '../delivered.ts';
import type { Json } from '../exchange.ts';
import { delivering, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { eachInOne, hoursBefore, INSTANT_WAYS, inData, TEXT_WAYS, UUID_WAYS, unrecognized } from './events-members.ts';
import { ofEachType, type TargetType } from './target-types.ts';

const CREATED = 'experience.assignment.created';
const DELETED = 'experience.assignment.deleted';
const TYPES = [DELETED, CREATED] as const;

/** A server that changes the data of one type of event about targets of one type. */
function ofTarget(does: string, type: EventType, targetType: TargetType, change: (data: Json) => Json): Saboteur {
  return inData(`${does} in ${type} of ${targetType}.`, [type], (data) => (data.targetType === targetType ? change(data) : {}));
}

/** Servers whose events about assignments do not tell of them as it is. */
export const eventsAssignmentData = {
  'events.assignment.data.assignment-id': unrecognized([
    ...eachInOne('assignmentId', TYPES, UUID_WAYS),
    ofTarget('Leaves assignmentId out', DELETED, 'ACCOUNT', () => ({ assignmentId: undefined })),
  ]),
  'events.assignment.data.experience-id': eachInOne('experienceId', TYPES, UUID_WAYS),
  'events.assignment.data.experience-name': eachInOne('experienceName', TYPES, TEXT_WAYS),
  'events.assignment.data.provider-id': eachInOne('providerId', TYPES, TEXT_WAYS),
  'events.assignment.data.account-id': [
    ...eachInOne('accountId', TYPES, UUID_WAYS),
    ofTarget('Leaves accountId out', CREATED, 'USER', () => ({ accountId: undefined })),
  ],
  'events.assignment.data.target-type': [
    ...eachInOne('targetType', TYPES, [
      ['nothing', () => undefined],
      ['null', () => null],
      ['lower case', (type) => type.toLowerCase()],
    ]),
    ofTarget('Sends TELEPHONE_NUMBER for targetType', CREATED, 'PHONE_NUMBER', () => ({ targetType: 'TELEPHONE_NUMBER' })),
    ofTarget('Leaves targetType out', DELETED, 'USER', () => ({ targetType: undefined })),
  ],
  'events.assignment.data.target-value': [
    ...eachInOne('targetValue', TYPES, [
      ['nothing', () => undefined],
      ['null', () => null],
      ['an object', (value) => ({ value })],
    ]),
    ...ofEachType((type) =>
      ofTarget('Sends targetValue with a prefix', CREATED, type, ({ targetValue }) => ({ targetValue: `tel:${targetValue}` })),
    ),
    ofTarget('Sends a number without its plus', DELETED, 'PHONE_NUMBER', ({ targetValue }) => ({ targetValue: targetValue.slice(1) })),
    ofTarget('Sends a name for the id', DELETED, 'USER', () => ({ targetValue: 'Alex Doe' })),
  ],
  'events.assignment.data.updated-at': eachInOne('updatedAt', TYPES, INSTANT_WAYS),
  'events.assignment.data.names-experience': [
    inData('Sends the id of the Experience for its name.', TYPES, ({ experienceId }) => ({ experienceName: experienceId })),
    inData('Sends an empty experienceName when an assignment goes.', [DELETED], () => ({ experienceName: '' })),
    inData('Sends the experienceName in capitals when an assignment is created.', [CREATED], ({ experienceName }) => ({
      experienceName: experienceName.toUpperCase(),
    })),
  ],
  'events.assignment.data.names-provider': [
    inData('Sends the Experience for its provider when an assignment is created.', [CREATED], ({ experienceId }) => ({
      providerId: experienceId,
    })),
    inData('Sends the account for the provider when an assignment goes.', [DELETED], ({ accountId }) => ({ providerId: accountId })),
    delivering('Sends the name of the provider for its id.', async (delivery, { control }) =>
      isType(delivery, ...TYPES)
        ? withData(delivery, { providerId: (await control.find('providers', dataIn(delivery).providerId))?.name })
        : undefined,
    ),
  ],
  'events.assignment.data.of-assignment': unrecognized([
    inData('Sends an id of its own for the assignment that goes.', [DELETED], () => ({ assignmentId: randomUUID() })),
    inData('Sends another Experience when an assignment is created.', [CREATED], () => ({ experienceId: randomUUID() })),
    ofTarget('Sends the user for the account', CREATED, 'USER', ({ targetValue }) => ({ accountId: targetValue })),
    ofTarget('Sends the account for the target', DELETED, 'USER', ({ accountId }) => ({ targetType: 'ACCOUNT', targetValue: accountId })),
    ofTarget('Calls it a user', CREATED, 'ACCOUNT', () => ({ targetType: 'USER' })),
    ofTarget('Sends another number', DELETED, 'PHONE_NUMBER', () => ({ targetValue: '+12065550199' })),
  ]),
  'events.assignment.data.updated-at-of-assignment': [
    inData('Takes the time anew for the event of a new assignment.', [CREATED], ({ updatedAt }) => ({
      updatedAt: new Date(Date.parse(updatedAt) + 1).toISOString(),
    })),
    ofTarget('Sends an updatedAt to the hour', CREATED, 'USER', ({ updatedAt }) => ({ updatedAt: `${updatedAt.slice(0, 14)}00:00.000Z` })),
  ],
  'events.assignment.data.updated-at-grows': [
    inData('Takes the local time for UTC when an assignment goes.', [DELETED], ({ updatedAt }) => ({
      updatedAt: hoursBefore(updatedAt, 5),
    })),
    inData('Takes the local time for UTC when an assignment is created.', [CREATED], ({ updatedAt }) => ({
      updatedAt: hoursBefore(updatedAt, -2),
    })),
  ],
} satisfies SaboteursOf<Extract<TestableRuleId['asyncapi'], `events.assignment.data.${string}`>>;
