import type { RuleId } from '../../src/contract/generated/rules.ts';
import { assignmentChanges } from '../actors/assignment-changes.ts';
import { type Assignment, TARGET_TYPES } from '../actors/assignments.ts';
import {
  type Change,
  expectEvent,
  expectFields,
  expectMember,
  expectUpdatedAt,
  expectUpdatedAtInOrder,
  waitForEvent,
} from '../actors/change-events.ts';
import { userChanges } from '../actors/changes.ts';
import { connectionChanges } from '../actors/connection-changes.ts';
import type { Participants } from '../actors/participants.ts';
import { type ShownConnection, shownValues } from '../expect/connection.ts';
import { expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { notTestable } from '../target/not-testable.ts';

/** A member of data that every event of the resource must carry. */
type Member = readonly [id: RuleId, member: string, description: string];

const CONNECTION: readonly Member[] = [
  ['events.connection.data.connection-id', 'connectionId', 'a UUID'],
  ['events.connection.data.experience-id', 'experienceId', 'a UUID'],
  ['events.connection.data.experience-name', 'experienceName', 'a string'],
  ['events.connection.data.provider-id', 'providerId', 'a string'],
  ['events.connection.data.account-id', 'accountId', 'a UUID'],
  ['events.connection.data.updated-at', 'updatedAt', 'a date-time'],
];
const ASSIGNMENT: readonly Member[] = [
  ['events.assignment.data.assignment-id', 'assignmentId', 'a UUID'],
  ['events.assignment.data.experience-id', 'experienceId', 'a UUID'],
  ['events.assignment.data.experience-name', 'experienceName', 'a string'],
  ['events.assignment.data.provider-id', 'providerId', 'a string'],
  ['events.assignment.data.account-id', 'accountId', 'a UUID'],
  ['events.assignment.data.target-type', 'targetType', 'which is USER, PHONE_NUMBER or ACCOUNT'],
  ['events.assignment.data.target-value', 'targetValue', 'the UUID of the user or the account, or the number in E.164'],
  ['events.assignment.data.updated-at', 'updatedAt', 'a date-time'],
];
const PROVISIONING: readonly Member[] = [
  ['events.provisioning.data.user-id', 'userId', 'a UUID'],
  ['events.provisioning.data.account-id', 'accountId', 'a UUID'],
  ['events.provisioning.data.updated-at', 'updatedAt', 'a date-time, also for a user that was never updated'],
];

const ofEveryTarget = (participants: Participants) => assignmentChanges(participants, TARGET_TYPES);

const MEMBERS: readonly [event: string, members: readonly Member[], makeChanges: (participants: Participants) => AsyncIterable<Change>][] =
  [
    ['A connection event', CONNECTION, (participants) => connectionChanges(participants)],
    ['An assignment event', ASSIGNMENT, ofEveryTarget],
    ['A provisioning event', PROVISIONING, (participants) => userChanges(participants)],
  ];
for (const [event, members, makeChanges] of MEMBERS) {
  for (const [id, member, description] of members) {
    test(`${event} carries ${member}, ${description}.`, rule(id), async ({ participants }) => {
      for await (const change of makeChanges(participants)) await expectMember(change, `/data/${member}`);
    });
  }
}

for (const [event, nameRule, providerRule, makeChanges] of [
  [
    'a connection event',
    'events.connection.data.names-experience',
    'events.connection.data.names-provider',
    (participants: Participants): AsyncIterable<Change> => connectionChanges(participants),
  ],
  [
    'an assignment event',
    'events.assignment.data.names-experience',
    'events.assignment.data.names-provider',
    (participants: Participants): AsyncIterable<Change> => assignmentChanges(participants),
  ],
] as const) {
  test(`experienceName of ${event} is the name of its Experience.`, rule(nameRule), async ({ need, participants }) => {
    const factsOf = await need('experience.facts');
    for await (const change of makeChanges(participants)) {
      const { name } = await factsOf(change.experienceId);
      await expectEvent(change, ({ experienceName }) => experienceName === name, `experienceName is ${name}`);
    }
  });

  test(`providerId of ${event} is the provider identifier of its Experience.`, rule(providerRule), async ({ need, participants }) => {
    const factsOf = await need('experience.facts');
    for await (const change of makeChanges(participants)) {
      const { providerId } = await factsOf(change.experienceId);
      await expectFields(change, { providerId });
    }
  });
}

test(
  'connectionId, experienceId and accountId of a connection event are those of the connection.',
  rule('events.connection.data.of-connection'),
  async ({ participants }) => {
    for await (const change of connectionChanges(participants)) {
      const { id, experienceId, accountId } = change.connection;
      await expectFields(change, { connectionId: id, experienceId, accountId });
    }
  },
);

test(
  'assignmentId, experienceId, accountId, targetType and targetValue of an assignment event are those of the assignment.',
  rule('events.assignment.data.of-assignment'),
  async ({ participants }) => {
    for await (const change of ofEveryTarget(participants)) {
      const { id, experienceId, accountId, targetType, targetValue } = change.assignment;
      await expectFields(change, { assignmentId: id, experienceId, accountId, targetType, targetValue });
    }
  },
);

test(
  'userId and accountId of a provisioning event are the unified id and the account of the user.',
  rule('events.provisioning.data.of-user'),
  async ({ participants }) => {
    for await (const change of userChanges(participants))
      await expectFields(change, { userId: change.user.id, accountId: change.user.accountId });
  },
);

// The updatedAt of a deletion is open, and there is nothing to compare it with.

test(
  'updatedAt of a connection event is the updatedAt that the change gave the connection.',
  rule('events.connection.data.updated-at-of-connection'),
  async ({ connections, participants }) => {
    for await (const change of connectionChanges(participants)) {
      if (change.type === 'experience.connection.deleted') continue;
      await waitForEvent(change);
      const read = expectSuccess<ShownConnection>('getExperienceConnection', await connections.read(change.connection), 200);
      const [updatedAt] = shownValues([read], 'updatedAt');
      await expectUpdatedAt(change, updatedAt);
    }
  },
);

test(
  'updatedAt of experience.assignment.created is the updatedAt of the assignment.',
  rule('events.assignment.data.updated-at-of-assignment'),
  async ({ assignments, participants }) => {
    for await (const change of assignmentChanges(participants, ['PHONE_NUMBER', 'USER'])) {
      if (change.type === 'experience.assignment.deleted') continue;
      const read = await assignments.read(change.assignment.id);
      const { updatedAt } = expectSuccess<Assignment>('getExperienceAssignment', read, 200);
      await expectUpdatedAt(change, updatedAt ?? notTestable('the updatedAt of an assignment'));
    }
  },
);

test(
  'Of two changes to a connection, the later one has the later updatedAt.',
  rule('events.connection.data.updated-at-grows'),
  async ({ participants }) => {
    await expectUpdatedAtInOrder(connectionChanges(participants), ({ connection }) => connection.id);
  },
);

test(
  'Of creating and deleting an assignment, the deletion has the later updatedAt.',
  rule('events.assignment.data.updated-at-grows'),
  async ({ participants }) => {
    await expectUpdatedAtInOrder(assignmentChanges(participants), ({ assignment }) => assignment.id);
  },
);

test(
  'Of creating and deleting a user, the deletion has the later updatedAt.',
  rule('events.provisioning.data.updated-at-grows'),
  async ({ participants }) => {
    await expectUpdatedAtInOrder(userChanges(participants), ({ user }) => user.id);
  },
);
