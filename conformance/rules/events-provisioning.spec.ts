import { assignAccount } from '../actors/changes.ts';
import { userEvent } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

for (const [who, on, user] of [
  ['platform.users', 'on-platform', 'A user that the platform creates'],
  ['portal.users', 'on-portal', 'A user that is created in an end-user portal'],
] as const) {
  test(
    `${user} in an account assigned to the Experience publishes provisioning.user.created.`,
    rule(`events.provisioning.created.${on}-create`),
    async ({ need, events, connections, operator }) => {
      const users = await operator(who, 'account.second');
      const inbox = await events.subscribed();
      const { accountId } = await assignAccount(connections, inbox, await need('account.second'));
      const made = [await users.create(accountId), await users.create(accountId)];
      for (const userId of made) await inbox.expectEvent(userEvent('created', userId));
    },
  );
}

for (const [who, on, user] of [
  ['platform.users', 'on-platform', 'A user that the platform deletes'],
  ['portal.users', 'on-portal', 'A user that is deleted in an end-user portal'],
] as const) {
  test(
    `${user} in an account assigned to the Experience publishes provisioning.user.deleted: it was told of.`,
    rule(`events.provisioning.deleted.${on}-delete`),
    async ({ need, events, connections, operator }) => {
      const users = await operator(who, 'account.second');
      const inbox = await events.subscribed();
      const { accountId } = await assignAccount(connections, inbox, await need('account.second'));
      const userId = await users.create(accountId);
      await users.remove(userId);
      await inbox.expectEvent(userEvent('deleted', userId));
    },
  );

  test(
    `${user} in an account assigned to the Experience publishes provisioning.user.deleted: it was there before.`,
    rule(`events.provisioning.deleted.${on}-delete`),
    async ({ need, events, connections, operator }) => {
      const users = await operator(who, 'account.second');
      const [userId, inbox] = [await users.create(await need('account.second')), await events.subscribed()];
      await assignAccount(connections, inbox, await need('account.second'));
      await users.remove(userId);
      await inbox.expectEvent(userEvent('deleted', userId));
    },
  );
}

test(
  'A user that is created in an account not assigned to the Experience publishes no provisioning.user.created for it: assigned to none.',
  rule('events.provisioning.created.only-assigned-accounts'),
  async ({ events, connections, operator }) => {
    const [accounts, users] = [await operator('platform.accounts', 'platform.users'), await operator('platform.users')];
    const [accountId, inbox] = [await accounts.create(), await events.subscribed()];
    await inbox.expectNoEvent(
      userEvent('created', await users.create(accountId)),
      'a user of an account that is assigned to no Experience is not told',
    );
    await assignAccount(connections, inbox, accountId);
    await inbox.waitForEvent(userEvent('created', await users.create(accountId)));
  },
);

test(
  'A user that is deleted in an account not assigned to the Experience publishes no provisioning.user.deleted for it: assigned to none.',
  rule('events.provisioning.deleted.only-assigned-accounts'),
  async ({ api, need, events, connections, operator }) => {
    const [accounts, users] = [await operator('platform.accounts', 'platform.users'), await operator('platform.users')];
    const [accountId, inbox] = [await accounts.create(), await events.subscribed()];
    const [userId, other] = [await users.create(accountId), await users.create(accountId)];
    requireSuccess('a user that is read', await api.call('getUser', { token: await need('token'), path: { userId } }));
    await users.remove(userId);
    await inbox.expectNoEvent(userEvent('deleted', userId), 'a user of an account that is assigned to no Experience is not told');
    await assignAccount(connections, inbox, accountId);
    await users.remove(other);
    await inbox.waitForEvent(userEvent('deleted', other));
  },
);

for (const happened of ['created', 'deleted'] as const) {
  test(
    `A user that is ${happened} in an account not assigned to the Experience publishes no provisioning.user.${happened} for it: assigned to another.`,
    rule(`events.provisioning.${happened}.only-assigned-accounts`),
    async ({ need, events, connections, operator }) => {
      const users = await operator('platform.users', 'account', 'account.second');
      const inbox = await events.subscribed();
      const { experienceId } = await assignAccount(connections, inbox, await need('account'));
      const { accountId } = await assignAccount(connections, inbox, await need('account.second'));
      const userId = await users.create(accountId);
      if (happened === 'deleted') await users.remove(userId);
      await inbox.waitForEvent(userEvent(happened, userId));
      await inbox.expectNoEvent(
        { ...userEvent(happened, userId), scope: { experienceId } },
        'the Experience of another account is not told',
      );
    },
  );

  test(
    `A user that is ${happened} in an account not assigned to the Experience publishes no provisioning.user.${happened} for it: not any more.`,
    rule(`events.provisioning.${happened}.only-assigned-accounts`),
    async ({ need, events, connections, operator }) => {
      const users = await operator('platform.users', 'account.second');
      const inbox = await events.subscribed();
      const { accountId } = await assignAccount(connections, inbox, await need('account.second'));
      const { experienceId, unassign } = await assignAccount(connections, inbox, accountId);
      await unassign();
      const userId = await users.create(accountId);
      if (happened === 'deleted') await users.remove(userId);
      await inbox.waitForEvent(userEvent(happened, userId));
      await inbox.expectNoEvent(
        { ...userEvent(happened, userId), scope: { experienceId } },
        'an Experience that was assigned before is not told',
      );
    },
  );
}
