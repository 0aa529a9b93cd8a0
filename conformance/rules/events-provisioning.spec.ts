import { assignedAccount } from '../actors/assigned-account.ts';
import { hears } from '../expect/hears.ts';
import { granted } from '../expect/observed.ts';
import { ofUser } from '../expect/wanted.ts';
import { test } from '../runner/events-test.ts';
import { rule } from '../runner/rule.ts';

for (const [who, on, user] of [
  ['platform.users', 'on-platform', 'A user that the platform creates'],
  ['portal.users', 'on-portal', 'A user that is created in an end-user portal'],
] as const) {
  test(
    `${user} in an account assigned to the Experience publishes provisioning.user.created.`,
    rule(`events.provisioning.created.${on}-create`),
    async ({ need, events, connections, elsewhere }) => {
      const users = await elsewhere(who, 'account.second');
      const inbox = await events.subscribed();
      const { accountId } = await assignedAccount(connections, inbox, await need('account.second'));
      const made = [await users.create(accountId), await users.create(accountId)];
      for (const userId of made) await inbox.event(ofUser('created', userId));
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
    async ({ need, events, connections, elsewhere }) => {
      const users = await elsewhere(who, 'account.second');
      const inbox = await events.subscribed();
      const { accountId } = await assignedAccount(connections, inbox, await need('account.second'));
      const userId = await users.create(accountId);
      await users.remove(userId);
      await inbox.event(ofUser('deleted', userId));
    },
  );

  test(
    `${user} in an account assigned to the Experience publishes provisioning.user.deleted: it was there before.`,
    rule(`events.provisioning.deleted.${on}-delete`),
    async ({ need, events, connections, elsewhere }) => {
      const users = await elsewhere(who, 'account.second');
      const [userId, inbox] = [await users.create(await need('account.second')), await events.subscribed()];
      await assignedAccount(connections, inbox, await need('account.second'));
      await users.remove(userId);
      await inbox.event(ofUser('deleted', userId));
    },
  );
}

test(
  'A user that is created in an account not assigned to the Experience publishes no provisioning.user.created for it: assigned to none.',
  rule('events.provisioning.created.only-assigned-accounts'),
  async ({ events, connections, elsewhere }) => {
    const [accounts, users] = [await elsewhere('platform.accounts', 'platform.users'), await elsewhere('platform.users')];
    const [accountId, inbox] = [await accounts.create(), await events.subscribed()];
    await inbox.none(
      ofUser('created', await users.create(accountId)),
      'a user of an account that is assigned to no Experience is not told',
    );
    await assignedAccount(connections, inbox, accountId);
    await hears(inbox, ofUser('created', await users.create(accountId)));
  },
);

test(
  'A user that is deleted in an account not assigned to the Experience publishes no provisioning.user.deleted for it: assigned to none.',
  rule('events.provisioning.deleted.only-assigned-accounts'),
  async ({ api, need, events, connections, elsewhere }) => {
    const [accounts, users] = [await elsewhere('platform.accounts', 'platform.users'), await elsewhere('platform.users')];
    const [accountId, inbox] = [await accounts.create(), await events.subscribed()];
    const [userId, other] = [await users.create(accountId), await users.create(accountId)];
    granted('a user that is read', await api.call('getUser', { token: await need('token'), path: { userId } }));
    await users.remove(userId);
    await inbox.none(ofUser('deleted', userId), 'a user of an account that is assigned to no Experience is not told');
    await assignedAccount(connections, inbox, accountId);
    await users.remove(other);
    await hears(inbox, ofUser('deleted', other));
  },
);

for (const happened of ['created', 'deleted'] as const) {
  test(
    `A user that is ${happened} in an account not assigned to the Experience publishes no provisioning.user.${happened} for it: assigned to another.`,
    rule(`events.provisioning.${happened}.only-assigned-accounts`),
    async ({ need, events, connections, elsewhere }) => {
      const users = await elsewhere('platform.users', 'account', 'account.second');
      const inbox = await events.subscribed();
      const { experienceId } = await assignedAccount(connections, inbox, await need('account'));
      const { accountId } = await assignedAccount(connections, inbox, await need('account.second'));
      const userId = await users.create(accountId);
      if (happened === 'deleted') await users.remove(userId);
      await hears(inbox, ofUser(happened, userId));
      await inbox.none({ ...ofUser(happened, userId), scope: { experienceId } }, 'the Experience of another account is not told');
    },
  );

  test(
    `A user that is ${happened} in an account not assigned to the Experience publishes no provisioning.user.${happened} for it: not any more.`,
    rule(`events.provisioning.${happened}.only-assigned-accounts`),
    async ({ need, events, connections, elsewhere }) => {
      const users = await elsewhere('platform.users', 'account.second');
      const inbox = await events.subscribed();
      const { accountId } = await assignedAccount(connections, inbox, await need('account.second'));
      const { experienceId, unassign } = await assignedAccount(connections, inbox, accountId);
      await unassign();
      const userId = await users.create(accountId);
      if (happened === 'deleted') await users.remove(userId);
      await hears(inbox, ofUser(happened, userId));
      await inbox.none({ ...ofUser(happened, userId), scope: { experienceId } }, 'an Experience that was assigned before is not told');
    },
  );
}
