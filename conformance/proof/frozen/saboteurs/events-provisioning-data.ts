import { randomUUID } from 'node:crypto';
import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import type { SaboteursOf } from '../saboteur.ts';
import { eachInOne, hoursBefore, INSTANT_WAYS, inData, UUID_WAYS } from './events-members.ts';

const CREATED = 'provisioning.user.created';
const DELETED = 'provisioning.user.deleted';
const TYPES = [DELETED, CREATED] as const;

/** Servers whose events about users do not tell of them as it is. */
export const eventsProvisioningData = {
  'events.provisioning.data.user-id': eachInOne('userId', TYPES, [
    ...UUID_WAYS,
    ['a native id', (id) => BigInt(`0x${id.replaceAll('-', '')}`).toString(36)],
  ]),
  'events.provisioning.data.account-id': eachInOne('accountId', TYPES, UUID_WAYS),
  // The second, null in provisioning.user.created, is what GET /users shows of a user that was never updated.
  'events.provisioning.data.updated-at': eachInOne('updatedAt', TYPES, INSTANT_WAYS),
  'events.provisioning.data.of-user': [
    inData('Sends an id of its own for the user who goes.', [DELETED], () => ({ userId: randomUUID() })),
    inData('Swaps the user and the account of a new user.', [CREATED], ({ userId, accountId }) => ({
      userId: accountId,
      accountId: userId,
    })),
    inData('Sends another account for the user who goes.', [DELETED], () => ({ accountId: randomUUID() })),
    inData('Sends another account for a new user.', [CREATED], () => ({ accountId: randomUUID() })),
  ],
  'events.provisioning.data.updated-at-grows': [
    inData('Takes the local time for UTC when a user goes.', [DELETED], ({ updatedAt }) => ({ updatedAt: hoursBefore(updatedAt, 5) })),
    inData('Takes the local time for UTC when a user is created.', [CREATED], ({ updatedAt }) => ({
      updatedAt: hoursBefore(updatedAt, -2),
    })),
  ],
} satisfies SaboteursOf<Extract<TestableRuleId['asyncapi'], `events.provisioning.data.${string}`>>;
