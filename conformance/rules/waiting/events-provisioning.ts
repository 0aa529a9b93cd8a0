import { assignAccount } from '../../actors/arrange.ts';
import { matchUserEvent } from '../../expect/event.ts';
import { rule, SILENCE_TAG } from '../../runner/rule.ts';
import { test } from '../../runner/test.ts';

for (const [place, cause] of [
  ['platform.users', 'on-platform'],
  ['portal.users', 'on-portal'],
] as const) {
  test(...rule(`events.provisioning.created.${cause}-create`), async ({ need, events, connections, operator }) => {
    const users = await operator(place, 'account.second');
    const inbox = await events.openDefaultInbox();
    const { accountId } = await assignAccount(connections, inbox, await need('account.second'));
    await inbox.expectEvent(matchUserEvent('created', await users.create(accountId)));
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

for (const event of ['created', 'deleted'] as const) {
  const id = `events.provisioning.${event}.only-assigned-accounts` as const;
  test(...rule(id, undefined, { tag: SILENCE_TAG }), async ({ need, events, connections, operator }) => {
    const users = await operator('platform.users', 'account', 'account.second');
    const inbox = await events.openDefaultInbox();
    const { experienceId } = await assignAccount(connections, inbox, await need('account'));
    const { accountId } = await assignAccount(connections, inbox, await need('account.second'));
    const userId = await users.create(accountId);
    if (event === 'deleted') await users.remove(userId);
    await inbox.waitForEvent(matchUserEvent(event, userId));
    const match = { ...matchUserEvent(event, userId), scope: { experienceId } };
    await inbox.expectNoEvent(match, 'there is no event for an Experience that is not assigned to the account');
  });
}
