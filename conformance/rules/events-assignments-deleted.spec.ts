import { TARGET_TYPES } from '../actors/assignments.ts';
import { assignmentEvent } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

test(
  'Deleting an assignment through the API publishes experience.assignment.deleted.',
  rule('events.assignment.deleted.on-delete'),
  async ({ api, need, events, connections, assignments }) => {
    const [{ experienceId }, made] = [await connections.make({ accountId: await need('account') }), [] as string[]];
    for (const targetType of TARGET_TYPES) made.push((await assignments.make({ experienceId, targetType })).id);
    const [inbox, token] = [await events.subscribed(), await need('token')];
    for (const assignmentId of made)
      requireSuccess('an assignment that is deleted', await api.call('deleteExperienceAssignment', { token, path: { assignmentId } }));
    for (const assignmentId of made) await inbox.expectEvent(assignmentEvent('deleted', assignmentId));
  },
);

for (const [who, id, sentence] of [
  [
    'portal.assignments',
    'events.assignment.deleted.on-portal-removal',
    'Removing an assignment in an end-user portal publishes experience.assignment.deleted.',
  ],
  [
    'platform.assignments',
    'events.assignment.deleted.on-platform-removal',
    'An assignment that the platform removes publishes experience.assignment.deleted.',
  ],
] as const) {
  test(sentence, rule(id), async ({ need, events, connections, assignments, operator }) => {
    const others = await operator(who, 'account', 'numbers', 'users');
    const [{ experienceId }, made] = [await connections.make({ accountId: await need('account') }), [] as string[]];
    for (const targetType of TARGET_TYPES) made.push((await assignments.make({ experienceId, targetType })).id);
    const inbox = await events.subscribed();
    for (const assignmentId of made) await others.remove(assignmentId);
    for (const assignmentId of made) await inbox.expectEvent(assignmentEvent('deleted', assignmentId));
  });
}

test(
  'Deleting an account publishes experience.assignment.deleted for each assignment whose target is the account.',
  rule('events.assignment.deleted.on-account-deletion'),
  async ({ events, connections, assignments, operator }) => {
    const [accounts, made] = [await operator('platform.accounts'), [] as string[]];
    const accountId = await accounts.create();
    for (const { experienceId } of [await connections.make({ accountId }), await connections.make({ accountId })])
      made.push((await assignments.make({ experienceId, targetType: 'ACCOUNT', targetValue: accountId })).id);
    const inbox = await events.subscribed();
    await accounts.remove(accountId);
    for (const assignmentId of made) await inbox.expectEvent(assignmentEvent('deleted', assignmentId));
  },
);

for (const who of ['platform.users', 'portal.users'] as const) {
  test(
    `Deleting a user publishes experience.assignment.deleted for each assignment whose target is the user: ${who}.`,
    rule('events.assignment.deleted.on-user-deletion'),
    async ({ need, events, assignments, operator }) => {
      const [users, made] = [await operator(who, 'account', 'experience', 'experience.second'), [] as string[]];
      const targetValue = await users.create(await need('account'));
      for (const experienceId of [await need('experience'), await need('experience.second')])
        made.push((await assignments.make({ experienceId, targetType: 'USER', targetValue })).id);
      const inbox = await events.subscribed();
      await users.remove(targetValue);
      for (const assignmentId of made) await inbox.expectEvent(assignmentEvent('deleted', assignmentId));
    },
  );
}

test(
  'Each assignment that goes with its connection publishes experience.assignment.deleted.',
  rule('events.assignment.deleted.on-connection-deletion'),
  async ({ api, need, events, connections, assignments }) => {
    const [token, made] = [await need('token'), await connections.make({ accountId: await need('account') })];
    const wanted = (['ACCOUNT', 'USER'] as const).map((targetType) => ({ experienceId: made.experienceId, targetType }));
    const assigned = [await assignments.make(wanted[0]), await assignments.make(wanted[1])];
    const inbox = await events.subscribed();
    await connections.deleteConnection(made);
    for (const { id } of assigned) {
      const { status } = await api.call('getExperienceAssignment', { token, path: { assignmentId: id } });
      if (status === 404) await inbox.expectEvent(assignmentEvent('deleted', id));
      // It may stay as well (decision connections.delete.other-assignments): then nothing is to be told yet.
      else
        requireSuccess(
          'an assignment that is deleted',
          await api.call('deleteExperienceAssignment', { token, path: { assignmentId: id } }),
        );
    }
    for (const { id } of assigned) await inbox.waitForEvent(assignmentEvent('deleted', id));
  },
);

test(
  'Deleting a telephone number publishes experience.assignment.deleted for each assignment whose target is the number.',
  rule('events.assignment.deleted.on-number-deletion'),
  async ({ need, events, assignments, operator }) => {
    const [numbers, made] = [await operator('platform.numbers', 'account', 'experience', 'experience.second'), [] as string[]];
    const targetValue = await numbers.create(await need('account'));
    for (const experienceId of [await need('experience'), await need('experience.second')])
      made.push((await assignments.make({ experienceId, targetValue })).id);
    const inbox = await events.subscribed();
    await numbers.remove(targetValue);
    for (const assignmentId of made) await inbox.expectEvent(assignmentEvent('deleted', assignmentId));
  },
);

for (const [targetType, who] of [
  ['USER', 'platform.users'],
  ['PHONE_NUMBER', 'platform.numbers'],
] as const) {
  test(
    `Deleting an account publishes experience.assignment.deleted for the assignments of its users and numbers, too, as they go with it: ${targetType}.`,
    rule('events.assignment.deleted.on-account-deletion-of-its-targets'),
    async ({ events, connections, assignments, operator }) => {
      const [accounts, targets] = [await operator('platform.accounts', who), await operator(who)];
      const accountId = await accounts.create();
      const { experienceId } = await connections.make({ accountId });
      const made = await assignments.make({ experienceId, targetType, targetValue: await targets.create(accountId) });
      const inbox = await events.subscribed();
      await accounts.remove(accountId);
      await inbox.expectEvent(assignmentEvent('deleted', made.id));
    },
  );
}
