import { matchAssignmentEvent } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

test(...rule('events.assignment.created.on-create'), async ({ events, assignments }) => {
  const inbox = await events.openDefaultInbox();
  await inbox.expectEvent(matchAssignmentEvent('created', (await assignments.createOrThrow()).id));
});

for (const [targetType, id] of [
  ['ACCOUNT', 'events.assignment.created.of-account'],
  ['PHONE_NUMBER', 'events.assignment.created.of-phone-number'],
  ['USER', 'events.assignment.created.of-user'],
] as const) {
  test(...rule(id), async ({ need, events, connections, assignments }) => {
    const { experienceId } = await connections.createOrThrow({ accountId: await need('account') });
    const inbox = await events.openDefaultInbox();
    const created = await assignments.createOrThrow({ experienceId, targetType });
    await inbox.expectEvent(matchAssignmentEvent('created', created.id));
  });
}

test(...rule('events.assignment.deleted.on-delete'), async ({ events, assignments }) => {
  const { id } = await assignments.createOrThrow();
  const inbox = await events.openDefaultInbox();
  requireSuccess('a deleted assignment', await assignments.remove(id));
  await inbox.expectEvent(matchAssignmentEvent('deleted', id));
});

for (const [place, name] of [
  ['portal.assignments', 'on-portal'],
  ['platform.assignments', 'on-platform'],
] as const) {
  test(...rule(`events.assignment.created.${name}-create`), async ({ events, assignments, operator }) => {
    const [actions, inbox] = [await operator(place, 'account', 'numbers'), await events.openDefaultInbox()];
    await inbox.expectEvent(matchAssignmentEvent('created', await actions.create(await assignments.createBody())));
  });

  test(...rule(`events.assignment.deleted.${name}-removal`), async ({ events, assignments, operator }) => {
    const [actions, { id }] = [await operator(place, 'account', 'numbers'), await assignments.createOrThrow()];
    const inbox = await events.openDefaultInbox();
    await actions.remove(id);
    await inbox.expectEvent(matchAssignmentEvent('deleted', id));
  });
}

for (const [place, targetType, id] of [
  ['platform.users', 'USER', 'events.assignment.deleted.on-user-deletion'],
  ['portal.users', 'USER', 'events.assignment.deleted.on-user-deletion'],
  ['platform.numbers', 'PHONE_NUMBER', 'events.assignment.deleted.on-number-deletion'],
] as const) {
  test(...rule(id, place), async ({ need, events, assignments, operator }) => {
    const targets = await operator(place, 'account', 'experience');
    const targetValue = await targets.create(await need('account'));
    const created = await assignments.createOrThrow({ targetType, targetValue });
    const inbox = await events.openDefaultInbox();
    await targets.remove(targetValue);
    await inbox.expectEvent(matchAssignmentEvent('deleted', created.id));
  });
}

for (const [id, targetType, place] of [
  ['events.assignment.deleted.on-account-deletion', 'ACCOUNT', undefined],
  ['events.assignment.deleted.on-account-deletion-of-its-targets', 'USER', 'platform.users'],
  ['events.assignment.deleted.on-account-deletion-of-its-targets', 'PHONE_NUMBER', 'platform.numbers'],
] as const) {
  test(...rule(id, place && targetType), async ({ events, connections, assignments, operator }) => {
    const accounts = await operator('platform.accounts', ...(place ? [place] : []));
    const accountId = await accounts.create();
    const targetValue = place ? await (await operator(place)).create(accountId) : accountId;
    const { experienceId } = await connections.createOrThrow({ accountId });
    const { id } = await assignments.createOrThrow({ experienceId, targetType, targetValue });
    const inbox = await events.openDefaultInbox();
    await accounts.remove(accountId);
    await inbox.expectEvent(matchAssignmentEvent('deleted', id));
  });
}

test(...rule('events.assignment.deleted.on-connection-deletion'), async ({ need, events, connections, assignments }) => {
  const connection = await connections.createOrThrow({ accountId: await need('account') });
  const { id } = await assignments.createOrThrow({ experienceId: connection.experienceId, targetType: 'USER' });
  const inbox = await events.openDefaultInbox();
  await connections.deleteConnection(connection);
  const { status } = await assignments.read(id);
  if (status === 404) return void (await inbox.expectEvent(matchAssignmentEvent('deleted', id)));
  // The target kept the assignment (decision connections.delete.other-assignments).
  requireSuccess('a deleted assignment', await assignments.remove(id));
  await inbox.waitForEvent(matchAssignmentEvent('deleted', id));
});
