import { userChanges } from '../actors/user-changes.ts';
import { mustNotGoBack } from '../expect/event-instants.ts';
import { mustCarry } from '../expect/event-members.ts';
import { mustSay } from '../expect/told.ts';
import { test } from '../runner/events-test.ts';
import { rule } from '../runner/rule.ts';

for (const [id, member, kind] of [
  ['events.provisioning.data.user-id', 'userId', 'a UUID'],
  ['events.provisioning.data.account-id', 'accountId', 'a UUID'],
  ['events.provisioning.data.updated-at', 'updatedAt', 'a date-time, also for a user that was never updated'],
] as const) {
  test(`A provisioning event carries ${member}, ${kind}.`, rule(id), async ({ has, events, connections, elsewhere }) => {
    for await (const change of userChanges({ has, events, connections, elsewhere })) await mustCarry(change, `/data/${member}`);
  });
}

test(
  'userId and accountId of a provisioning event are the unified id and the account of the user.',
  rule('events.provisioning.data.of-user'),
  async ({ has, events, connections, elsewhere }) => {
    for await (const change of userChanges({ has, events, connections, elsewhere }))
      await mustSay(change, { userId: change.user.id, accountId: change.user.accountId });
  },
);

test(
  'Of creating and deleting a user, the deletion has the later updatedAt.',
  rule('events.provisioning.data.updated-at-grows'),
  async ({ has, events, connections, elsewhere }) => {
    await mustNotGoBack(userChanges({ has, events, connections, elsewhere }), ({ user }) => user.id);
  },
);
