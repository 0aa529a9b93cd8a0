import { randomUUID } from 'node:crypto';
import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { dataIn, isType, withData } from '../delivered.ts';
import { delivering, rememberingDeliveries, type SaboteursOf } from '../saboteur.ts';
import { eachInOne, hoursBefore, INSTANT_WAYS, inData, TEXT_WAYS, UUID_WAYS, unrecognized } from './events-members.ts';

const CREATED = 'experience.connection.created';
const ACTIVATED = 'experience.connection.activated';
const DEACTIVATED = 'experience.connection.deactivated';
const DELETED = 'experience.connection.deleted';
const TYPES = [DELETED, DEACTIVATED, ACTIVATED, CREATED] as const;

/** Servers whose events about connections do not tell of them as it is. */
export const eventsConnectionData = {
  'events.connection.data.connection-id': unrecognized(eachInOne('connectionId', TYPES, UUID_WAYS)),
  'events.connection.data.experience-id': eachInOne('experienceId', TYPES, UUID_WAYS),
  'events.connection.data.experience-name': eachInOne('experienceName', TYPES, TEXT_WAYS),
  'events.connection.data.provider-id': eachInOne('providerId', TYPES, TEXT_WAYS),
  'events.connection.data.account-id': eachInOne('accountId', TYPES, UUID_WAYS),
  'events.connection.data.updated-at': eachInOne('updatedAt', TYPES, INSTANT_WAYS),
  'events.connection.data.names-experience': [
    inData('Sends the id of the Experience for its name.', TYPES, ({ experienceId }) => ({ experienceName: experienceId })),
    inData('Sends an empty experienceName when a connection goes.', [DELETED], () => ({ experienceName: '' })),
    inData('Sends the experienceName in capitals when a connection is created.', [CREATED], ({ experienceName }) => ({
      experienceName: experienceName.toUpperCase(),
    })),
    delivering(
      'Sends the name of the account for that of the Experience when a connection becomes INACTIVE.',
      async (delivery, { control }) =>
        isType(delivery, DEACTIVATED)
          ? withData(delivery, { experienceName: (await control.find('accounts', dataIn(delivery).accountId))?.name })
          : undefined,
    ),
  ],
  'events.connection.data.names-provider': [
    inData('Sends the Experience for its provider when a connection becomes ACTIVE.', [ACTIVATED], ({ experienceId }) => ({
      providerId: experienceId,
    })),
    inData('Sends the account for the provider when a connection goes.', [DELETED], ({ accountId }) => ({ providerId: accountId })),
    delivering('Sends the name of the provider for its id.', async (delivery, { control }) =>
      isType(delivery, ...TYPES)
        ? withData(delivery, { providerId: (await control.find('providers', dataIn(delivery).providerId))?.name })
        : undefined,
    ),
  ],
  'events.connection.data.of-connection': unrecognized([
    inData('Swaps the account and the Experience when a connection is created.', [CREATED], ({ accountId, experienceId }) => ({
      accountId: experienceId,
      experienceId: accountId,
    })),
    inData('Sends an id of its own for the connection that becomes INACTIVE.', [DEACTIVATED], () => ({ connectionId: randomUUID() })),
    inData('Sends the connection for the account when it goes.', [DELETED], ({ connectionId }) => ({ accountId: connectionId })),
    inData('Sends another Experience when a connection becomes ACTIVE.', [ACTIVATED], () => ({ experienceId: randomUUID() })),
  ]),
  'events.connection.data.updated-at-of-connection': [
    inData('Takes the time anew for the event of a new connection.', [CREATED], ({ updatedAt }) => ({
      updatedAt: new Date(Date.parse(updatedAt) + 1).toISOString(),
    })),
    rememberingDeliveries('Sends the updatedAt that the connection had before its state changed.', () => {
      const before = new Map<string, string>();
      return (delivery, subscriber) => {
        const { connectionId, updatedAt } = dataIn(delivery);
        const known = before.get(connectionId) ?? updatedAt;
        if (!isType(delivery, CREATED, ACTIVATED, DEACTIVATED)) return subscriber(delivery);
        before.set(connectionId, updatedAt);
        return subscriber(withData(delivery, { updatedAt: known }));
      };
    }),
    inData('Sends an updatedAt to the minute when a connection becomes INACTIVE.', [DEACTIVATED], ({ updatedAt }) => ({
      updatedAt: `${updatedAt.slice(0, 17)}00.000Z`,
    })),
  ],
  'events.connection.data.updated-at-grows': [
    inData('Takes the local time for UTC when a connection becomes ACTIVE.', [ACTIVATED], ({ updatedAt }) => ({
      updatedAt: hoursBefore(updatedAt, 5),
    })),
    inData('Takes the local time for UTC when a connection becomes INACTIVE.', [DEACTIVATED], ({ updatedAt }) => ({
      updatedAt: hoursBefore(updatedAt, 5),
    })),
    inData('Sends an old updatedAt when a connection goes.', [DELETED], ({ updatedAt }) => ({ updatedAt: hoursBefore(updatedAt, 24) })),
  ],
} satisfies SaboteursOf<Extract<TestableRuleId['asyncapi'], `events.connection.data.${string}`>>;
