import { assignAccount } from '../actors/changes.ts';
import { userEvent } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

for (const [place, cause, who] of [
  ['platform.users', 'on-platform', 'by the platform'],
  ['portal.users', 'on-portal', 'in an end-user portal'],
] as const) {
  test(
    `A user that is created ${who} in an account assigned to the Experience publishes provisioning.user.created.`,
    rule(`events.provisioning.created.${cause}-create`),
    async ({ need, events, connections, operator }) => {
      const users = await operator(place, 'account.second');
      const inbox = await events.subscribed();
      const { accountId } = await assignAccount(connections, inbox, await need('account.second'));
      const created = [await users.create(accountId), await users.create(accountId)];
      for (const userId of created) await inbox.expectEvent(userEvent('created', userId));
    },
  );

  test(
    `A user that is deleted ${who} in an account assigned to the Experience publishes provisioning.user.deleted: created after the assignment.`,
    rule(`events.provisioning.deleted.${cause}-delete`),
    async ({ need, events, connections, operator }) => {
      const users = await operator(place, 'account.second');
      const inbox = await events.subscribed();
      const { accountId } = await assignAccount(connections, inbox, await need('account.second'));
      const userId = await users.create(accountId);
      await users.remove(userId);
      await inbox.expectEvent(userEvent('deleted', userId));
    },
  );

  test(
    `A user that is deleted ${who} in an account assigned to the Experience publishes provisioning.user.deleted: created before the assignment.`,
    rule(`events.provisioning.deleted.${cause}-delete`),
    async ({ need, events, connections, operator }) => {
      const users = await operator(place, 'account.second');
      const [userId, inbox] = [await users.create(await need('account.second')), await events.subscribed()];
      await assignAccount(connections, inbox, await need('account.second'));
      await users.remove(userId);
      await inbox.expectEvent(userEvent('deleted', userId));
    },
  );
}

const UNASSIGNED = 'a user of an account that is assigned to no Experience publishes nothing';

test(
  'A user that is created in an account not assigned to the Experience publishes no provisioning.user.created for it: no Experience.',
  rule('events.provisioning.created.only-assigned-accounts'),
  async ({ events, connections, operator }) => {
    const [accounts, users] = [await operator('platform.accounts', 'platform.users'), await operator('platform.users')];
    const [accountId, inbox] = [await accounts.create(), await events.subscribed()];
    await inbox.expectNoEvent(userEvent('created', await users.create(accountId)), UNASSIGNED);
    await assignAccount(connections, inbox, accountId);
    await inbox.waitForEvent(userEvent('created', await users.create(accountId)));
  },
);

test(
  'A user that is deleted in an account not assigned to the Experience publishes no provisioning.user.deleted for it: no Experience.',
  rule('events.provisioning.deleted.only-assigned-accounts'),
  async ({ api, need, events, connections, operator }) => {
    const [accounts, users] = [await operator('platform.accounts', 'platform.users'), await operator('platform.users')];
    const [accountId, inbox] = [await accounts.create(), await events.subscribed()];
    const [userId, otherId] = [await users.create(accountId), await users.create(accountId)];
    requireSuccess('a user that is read', await api.call('getUser', { token: await need('token'), path: { userId } }));
    await users.remove(userId);
    await inbox.expectNoEvent(userEvent('deleted', userId), UNASSIGNED);
    await assignAccount(connections, inbox, accountId);
    await users.remove(otherId);
    await inbox.waitForEvent(userEvent('deleted', otherId));
  },
);

for (const event of ['created', 'deleted'] as const) {
  const sentence = `A user that is ${event} in an account not assigned to the Experience publishes no provisioning.user.${event} for it`;

  test(
    `${sentence}: the Experience of another account.`,
    rule(`events.provisioning.${event}.only-assigned-accounts`),
    async ({ need, events, connections, operator }) => {
      const users = await operator('platform.users', 'account', 'account.second');
      const inbox = await events.subscribed();
      const { experienceId } = await assignAccount(connections, inbox, await need('account'));
      const { accountId } = await assignAccount(connections, inbox, await need('account.second'));
      const userId = await users.create(accountId);
      if (event === 'deleted') await users.remove(userId);
      await inbox.waitForEvent(userEvent(event, userId));
      const match = { ...userEvent(event, userId), scope: { experienceId } };
      await inbox.expectNoEvent(match, 'there is no event for the Experience of another account');
    },
  );

  test(
    `${sentence}: an Experience that was assigned before.`,
    rule(`events.provisioning.${event}.only-assigned-accounts`),
    async ({ need, events, connections, operator }) => {
      const users = await operator('platform.users', 'account.second');
      const inbox = await events.subscribed();
      const { accountId } = await assignAccount(connections, inbox, await need('account.second'));
      const { experienceId, unassign } = await assignAccount(connections, inbox, accountId);
      await unassign();
      const userId = await users.create(accountId);
      if (event === 'deleted') await users.remove(userId);
      await inbox.waitForEvent(userEvent(event, userId));
      const match = { ...userEvent(event, userId), scope: { experienceId } };
      await inbox.expectNoEvent(match, 'there is no event for an Experience that was assigned before');
    },
  );
}
