import { TARGET_TYPES } from '../../src/refusals/hostile-values.ts';
import type { Participants } from '../actors/participants.ts';
import { matchAssignmentEvent } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

test(...rule('events.assignment.created.on-create'), async ({ events, assignments }) => {
  const inbox = await events.openDefaultInbox();
  const created = [await assignments.createOrThrow(), await assignments.createOrThrow()];
  for (const { id } of created) await inbox.expectEvent(matchAssignmentEvent('created', id));
});

async function createExperience({ need, connections }: Pick<Participants, 'need' | 'connections'>): Promise<string> {
  return (await connections.createOrThrow({ accountId: await need('account') })).experienceId;
}

async function assignToEveryType({ assignments }: Pick<Participants, 'assignments'>, experienceId: string): Promise<string[]> {
  const ids: string[] = [];
  for (const targetType of TARGET_TYPES) ids.push((await assignments.createOrThrow({ experienceId, targetType })).id);
  return ids;
}

for (const [targetType, id] of [
  ['ACCOUNT', 'events.assignment.created.of-account'],
  ['PHONE_NUMBER', 'events.assignment.created.of-phone-number'],
  ['USER', 'events.assignment.created.of-user'],
] as const) {
  test(...rule(id), async ({ events, assignments, participants }) => {
    const experienceId = await createExperience(participants);
    const inbox = await events.openDefaultInbox();
    const created = await assignments.createOrThrow({ experienceId, targetType });
    await inbox.expectEvent(matchAssignmentEvent('created', created.id));
  });
}

test(...rule('events.assignment.deleted.on-delete'), async ({ events, assignments, participants }) => {
  const created = await assignToEveryType(participants, await createExperience(participants));
  const inbox = await events.openDefaultInbox();
  for (const id of created) requireSuccess('a deleted assignment', await assignments.remove(id));
  for (const id of created) await inbox.expectEvent(matchAssignmentEvent('deleted', id));
});

for (const [place, name] of [
  ['portal.assignments', 'on-portal'],
  ['platform.assignments', 'on-platform'],
] as const) {
  test(...rule(`events.assignment.created.${name}-create`), async ({ events, assignments, operator, participants }) => {
    const actions = await operator(place, 'account', 'numbers', 'users');
    const experienceId = await createExperience(participants);
    const [inbox, created] = [await events.openDefaultInbox(), [] as string[]];
    for (const targetType of TARGET_TYPES) created.push(await actions.create(await assignments.createBody({ experienceId, targetType })));
    for (const assignmentId of created) await inbox.expectEvent(matchAssignmentEvent('created', assignmentId));
  });

  test(...rule(`events.assignment.deleted.${name}-removal`), async ({ events, operator, participants }) => {
    const actions = await operator(place, 'account', 'numbers', 'users');
    const created = await assignToEveryType(participants, await createExperience(participants));
    const inbox = await events.openDefaultInbox();
    for (const assignmentId of created) await actions.remove(assignmentId);
    for (const assignmentId of created) await inbox.expectEvent(matchAssignmentEvent('deleted', assignmentId));
  });
}

for (const [place, targetType, id] of [
  ['platform.users', 'USER', 'events.assignment.deleted.on-user-deletion'],
  ['portal.users', 'USER', 'events.assignment.deleted.on-user-deletion'],
  ['platform.numbers', 'PHONE_NUMBER', 'events.assignment.deleted.on-number-deletion'],
] as const) {
  test(...rule(id, place), async ({ need, events, assignments, operator }) => {
    const targets = await operator(place, 'account', 'experience', 'experience.second');
    const targetValue = await targets.create(await need('account'));
    const created = [
      await assignments.createOrThrow({ experienceId: await need('experience'), targetType, targetValue }),
      await assignments.createOrThrow({ experienceId: await need('experience.second'), targetType, targetValue }),
    ];
    const inbox = await events.openDefaultInbox();
    await targets.remove(targetValue);
    for (const assignment of created) await inbox.expectEvent(matchAssignmentEvent('deleted', assignment.id));
  });
}

test(...rule('events.assignment.deleted.on-account-deletion'), async ({ events, connections, assignments, operator }) => {
  const accounts = await operator('platform.accounts');
  const accountId = await accounts.create();
  const created: string[] = [];
  for (const { experienceId } of [await connections.createOrThrow({ accountId }), await connections.createOrThrow({ accountId })])
    created.push((await assignments.createOrThrow({ experienceId, targetType: 'ACCOUNT', targetValue: accountId })).id);
  const inbox = await events.openDefaultInbox();
  await accounts.remove(accountId);
  for (const id of created) await inbox.expectEvent(matchAssignmentEvent('deleted', id));
});

for (const [targetType, place] of [
  ['USER', 'platform.users'],
  ['PHONE_NUMBER', 'platform.numbers'],
] as const) {
  test(
    ...rule('events.assignment.deleted.on-account-deletion-of-its-targets', targetType),
    async ({ events, connections, assignments, operator }) => {
      const [accounts, targets] = [await operator('platform.accounts', place), await operator(place)];
      const accountId = await accounts.create();
      const { experienceId } = await connections.createOrThrow({ accountId });
      const { id } = await assignments.createOrThrow({ experienceId, targetType, targetValue: await targets.create(accountId) });
      const inbox = await events.openDefaultInbox();
      await accounts.remove(accountId);
      await inbox.expectEvent(matchAssignmentEvent('deleted', id));
    },
  );
}

test(...rule('events.assignment.deleted.on-connection-deletion'), async ({ need, events, connections, assignments }) => {
  const connection = await connections.createOrThrow({ accountId: await need('account') });
  const { experienceId } = connection;
  const created = [
    await assignments.createOrThrow({ experienceId, targetType: 'ACCOUNT' }),
    await assignments.createOrThrow({ experienceId, targetType: 'USER' }),
  ];
  const inbox = await events.openDefaultInbox();
  await connections.deleteConnection(connection);
  for (const { id } of created) {
    const { status } = await assignments.read(id);
    if (status === 404) await inbox.expectEvent(matchAssignmentEvent('deleted', id));
    // The target kept the assignment (decision connections.delete.other-assignments).
    else requireSuccess('a deleted assignment', await assignments.remove(id));
  }
  for (const { id } of created) await inbox.waitForEvent(matchAssignmentEvent('deleted', id));
});
