import { assignAccount } from '../actors/arrange.ts';
import type { Inbox } from '../actors/inbox.ts';
import { getUserActions, selectUserEventRules } from '../actors/operator.ts';
import { matchUserEvent } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { PlatformUsers } from '../target/capabilities.ts';

for (const [place, cause] of [
  ['platform.users', 'on-platform'],
  ['portal.users', 'on-portal'],
] as const) {
  test(...rule(`events.provisioning.created.${cause}-create`), async ({ need, events, connections, operator }) => {
    const users = await operator(place, 'account.second');
    const inbox = await events.openDefaultInbox();
    const { accountId } = await assignAccount(connections, inbox, await need('account.second'));
    const created = [await users.create(accountId), await users.create(accountId)];
    for (const userId of created) await inbox.expectEvent(matchUserEvent('created', userId));
  });

  for (const order of ['after', 'before'] as const) {
    const variant = `created ${order} the assignment`;
    test(...rule(`events.provisioning.deleted.${cause}-delete`, variant), async ({ need, events, connections, operator }) => {
      const [users, accountId] = [await operator(place, 'account.second'), await need('account.second')];
      const earlier = order === 'before' ? await users.create(accountId) : undefined;
      const inbox = await events.openDefaultInbox();
      await assignAccount(connections, inbox, accountId);
      const userId = earlier ?? (await users.create(accountId));
      await users.remove(userId);
      await inbox.expectEvent(matchUserEvent('deleted', userId));
    });
  }
}

const UNASSIGNED_EXPECTATION = 'no event is published about a user in an account to which no Experience is assigned';

test(
  ...rule('events.provisioning.created.only-assigned-accounts', 'an account without an assigned Experience'),
  async ({ events, connections, operator }) => {
    const [accounts, users] = [await operator('platform.accounts', 'platform.users'), await operator('platform.users')];
    const [accountId, inbox] = [await accounts.create(), await events.openDefaultInbox()];
    await inbox.expectNoEvent(matchUserEvent('created', await users.create(accountId)), UNASSIGNED_EXPECTATION);
    await assignAccount(connections, inbox, accountId);
    await inbox.waitForEvent(matchUserEvent('created', await users.create(accountId)));
  },
);

test(
  ...rule('events.provisioning.deleted.only-assigned-accounts', 'an account without an assigned Experience'),
  async ({ api, need, events, connections, operator }) => {
    const [accounts, users] = [await operator('platform.accounts', 'platform.users'), await operator('platform.users')];
    const [accountId, inbox] = [await accounts.create(), await events.openDefaultInbox()];
    const [userId, otherId] = [await users.create(accountId), await users.create(accountId)];
    requireSuccess('a readable user', await api.call('getUser', { token: await need('token'), path: { userId } }));
    await users.remove(userId);
    await inbox.expectNoEvent(matchUserEvent('deleted', userId), UNASSIGNED_EXPECTATION);
    await assignAccount(connections, inbox, accountId);
    await users.remove(otherId);
    await inbox.waitForEvent(matchUserEvent('deleted', otherId));
  },
);

test(
  ...rule('events.provisioning.created.only-assigned-accounts', 'a user that existed before the assignment'),
  async ({ need, has, events, connections, operator }) => {
    const [users, accountId] = [await getUserActions({ has, operator }), await need('account.second')];
    const inbox = await events.openDefaultInbox();
    const userId = await users.create(accountId);
    // Wait until the target has processed the new user, before the account gets an assignment.
    await inbox.settle();
    const { experienceId } = await assignAccount(connections, inbox, accountId);
    await inbox.waitForEvent({ ...matchUserEvent('created', await users.create(accountId)), rule: selectUserEventRules({ has }).created });
    const match = { ...matchUserEvent('created', userId), scope: { experienceId } };
    await inbox.expectNoEvent(match, 'there is no event about a user that existed before the Experience was assigned to the account');
  },
);

for (const event of ['created', 'deleted'] as const) {
  const id = `events.provisioning.${event}.only-assigned-accounts` as const;

  test(...rule(id, "a different account's Experience"), async ({ need, events, connections, operator }) => {
    const users = await operator('platform.users', 'account', 'account.second');
    const inbox = await events.openDefaultInbox();
    const { experienceId } = await assignAccount(connections, inbox, await need('account'));
    const { accountId } = await assignAccount(connections, inbox, await need('account.second'));
    await expectNoUserEvent({ users, inbox, accountId, event, experienceId });
  });

  test(...rule(id, 'an Experience that is no longer assigned'), async ({ need, events, connections, operator }) => {
    const users = await operator('platform.users', 'account.second');
    const inbox = await events.openDefaultInbox();
    const { accountId } = await assignAccount(connections, inbox, await need('account.second'));
    const { experienceId, unassign } = await assignAccount(connections, inbox, accountId);
    await unassign();
    await expectNoUserEvent({ users, inbox, accountId, event, experienceId });
  });
}

interface UserEvent {
  readonly users: PlatformUsers;
  readonly inbox: Inbox;
  readonly accountId: string;
  readonly event: 'created' | 'deleted';
  readonly experienceId: string;
}

async function expectNoUserEvent({ users, inbox, accountId, event, experienceId }: UserEvent): Promise<void> {
  const userId = await users.create(accountId);
  if (event === 'deleted') await users.remove(userId);
  await inbox.waitForEvent(matchUserEvent(event, userId));
  const match = { ...matchUserEvent(event, userId), scope: { experienceId } };
  await inbox.expectNoEvent(match, 'there is no event for an Experience that is not assigned to the account');
}
