import { assignmentChanges, EVERY_TARGET_TYPE } from '../actors/assignment-changes.ts';
import type { Assignment } from '../actors/make-assignment.ts';
import { mustHaveUpdatedAt, mustNotGoBack } from '../expect/event-instants.ts';
import { mustCarry } from '../expect/event-members.ts';
import { mustSay, mustTell } from '../expect/told.ts';
import { success } from '../expect/verify.ts';
import { test } from '../runner/events-test.ts';
import { rule } from '../runner/rule.ts';
import { notTestable } from '../target/not-testable.ts';

for (const [id, member, kind] of [
  ['events.assignment.data.assignment-id', 'assignmentId', 'carries assignmentId, a UUID'],
  ['events.assignment.data.experience-id', 'experienceId', 'carries experienceId, a UUID'],
  ['events.assignment.data.experience-name', 'experienceName', 'carries experienceName, a string'],
  ['events.assignment.data.provider-id', 'providerId', 'carries providerId, a string'],
  ['events.assignment.data.account-id', 'accountId', 'carries accountId, a UUID'],
  ['events.assignment.data.target-type', 'targetType', 'carries targetType: USER, PHONE_NUMBER or ACCOUNT'],
  [
    'events.assignment.data.target-value',
    'targetValue',
    'carries targetValue: the UUID of the user or the account, or the number in E.164, as its targetType says',
  ],
  ['events.assignment.data.updated-at', 'updatedAt', 'carries updatedAt, a date-time'],
] as const) {
  test(`An assignment event ${kind}.`, rule(id), async ({ parts }) => {
    for await (const change of assignmentChanges(parts, EVERY_TARGET_TYPE)) await mustCarry(change, `/data/${member}`);
  });
}

test(
  'experienceName of an assignment event is the name of its Experience.',
  rule('events.assignment.data.names-experience'),
  async ({ need, parts }) => {
    const factsOf = await need('experience.facts');
    for await (const change of assignmentChanges(parts)) {
      const { name } = await factsOf(change.experienceId);
      await mustTell(change, ({ experienceName }) => experienceName === name, `experienceName is ${name}`);
    }
  },
);

test(
  'providerId of an assignment event is the provider identifier of its Experience.',
  rule('events.assignment.data.names-provider'),
  async ({ need, parts }) => {
    const factsOf = await need('experience.facts');
    for await (const change of assignmentChanges(parts))
      await mustSay(change, { providerId: (await factsOf(change.experienceId)).providerId });
  },
);

test(
  'assignmentId, experienceId, accountId, targetType and targetValue of an assignment event are those of the assignment.',
  rule('events.assignment.data.of-assignment'),
  async ({ parts }) => {
    for await (const change of assignmentChanges(parts, EVERY_TARGET_TYPE)) {
      const { id, experienceId, accountId, targetType, targetValue } = change.assignment;
      await mustSay(change, { assignmentId: id, experienceId, accountId, targetType, targetValue });
    }
  },
);

test(
  'updatedAt of experience.assignment.created is the updatedAt of the assignment.',
  rule('events.assignment.data.updated-at-of-assignment'),
  async ({ api, need, parts }) => {
    for await (const change of assignmentChanges(parts, ['PHONE_NUMBER', 'USER'])) {
      // What it is of a deletion is left open, and there is nothing to compare it with.
      if (change.type === 'experience.assignment.deleted') continue;
      const read = await api.call('getExperienceAssignment', { token: await need('token'), path: { assignmentId: change.assignment.id } });
      const { updatedAt } = success<Assignment>('getExperienceAssignment', read, 200);
      await mustHaveUpdatedAt(change, updatedAt ?? notTestable('the updatedAt of an assignment'));
    }
  },
);

test(
  'Of creating and deleting an assignment, the deletion has the later updatedAt.',
  rule('events.assignment.data.updated-at-grows'),
  async ({ parts }) => {
    await mustNotGoBack(assignmentChanges(parts), ({ assignment }) => assignment.id);
  },
);
