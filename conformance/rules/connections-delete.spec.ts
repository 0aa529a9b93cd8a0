import { randomUUID } from 'node:crypto';
import { mustBeUnchanged } from '../expect/connection-shown.ts';
import { mustHold } from '../expect/connections.ts';
import { eventually, settlingOf } from '../expect/eventually.ts';
import { refusal, success } from '../expect/verify.ts';
import { test } from '../runner/connections-test.ts';
import { rule } from '../runner/rule.ts';

const OPERATION = 'deleteExperienceConnection';

for (const state of ['ACTIVE', 'INACTIVE'] as const) {
  test(
    `A connection with no telephone numbers assigned to its Experience can be deleted: ${state}.`,
    rule('connections.delete.deleted'),
    async ({ connections }) => {
      success(OPERATION, await connections.remove(await connections.make({ state })));
    },
  );
}

test(
  'A connection with no telephone numbers assigned to its Experience can be deleted: no more.',
  rule('connections.delete.deleted'),
  async ({ need, connections }) => {
    const made = await connections.make({ accountId: await need('account') });
    const unassign = await connections.assign(made, 'PHONE_NUMBER', await (await need('numbers'))());
    refusal(await connections.remove(made), 409);
    await unassign();
    success(OPERATION, await connections.remove(made));
  },
);

test(
  'A connection with no telephone numbers assigned to its Experience can be deleted: but to another one.',
  rule('connections.delete.deleted'),
  async ({ need, connections }) => {
    const accountId = await need('account');
    const [made, other] = [await connections.make({ accountId }), await connections.make({ accountId })];
    await connections.assign(other, 'PHONE_NUMBER', await (await need('numbers'))());
    success(OPERATION, await connections.remove(made));
  },
);

test('A deleted connection can no longer be read or listed.', rule('connections.delete.gone'), async ({ api, need, connections }) => {
  const [made, token] = [await connections.make(), await need('token')];
  await mustHold(api, token, { accountId: made.accountId }, made);
  const answer = await connections.remove(made);
  success(OPERATION, answer);
  await eventually(settlingOf(answer), async () => {
    refusal(await connections.read(made), 404);
    await mustHold(api, token, { accountId: made.accountId }, made, false);
  });
});

test('Deleting a connection needs the scope.', rule('connections.delete.scope'), async ({ need, connections }) => {
  const made = await connections.make();
  refusal(await connections.remove(made, { token: (await need('token.without-scope'))['experience-connections:manage'] }), 401, 403);
  success(OPERATION, await connections.remove(made));
});

test(
  'A caller that may read the connection but not delete it gets 403.',
  rule('connections.delete.read-only'),
  async ({ need, connections }) => {
    const [made, token] = [await connections.make(), await need('token.reader')];
    success('getExperienceConnection', await connections.read(made, { token }), 200);
    refusal(await connections.remove(made, { token }), 403);
    success(OPERATION, await connections.remove(made));
  },
);

for (const [what, id] of [
  ['a UUID', randomUUID()],
  ['no UUID', 'no-such-connection'],
] as const) {
  test(
    `Deleting a connection that is missing gets 404: its id is ${what}.`,
    rule('connections.delete.not-found'),
    async ({ connections }) => {
      const made = await connections.make();
      refusal(await connections.remove({ ...made, id }), 404);
      success(OPERATION, await connections.remove(made));
    },
  );
}

test('Deleting a connection that is already deleted gets 404.', rule('connections.delete.not-found'), async ({ connections }) => {
  const made = await connections.make();
  const answer = await connections.remove(made);
  success(OPERATION, answer);
  await eventually(settlingOf(answer), async () => refusal(await connections.remove(made), 404));
});

test('Deleting a connection out of the caller’s reach gets 404.', rule('connections.delete.not-found'), async ({ need, connections }) => {
  const made = await connections.make();
  refusal(await connections.remove(made, { token: await need('token.outsider') }), 404);
  success(OPERATION, await connections.remove(made));
});

for (const state of ['ACTIVE', 'INACTIVE'] as const) {
  test(
    `While telephone numbers are assigned to its Experience a connection is not deleted but gets 409: ${state}.`,
    rule('connections.delete.numbers-assigned'),
    async ({ need, connections }) => {
      const made = await connections.make({ accountId: await need('account'), state });
      const unassign = await connections.assign(made, 'PHONE_NUMBER', await (await need('numbers'))());
      refusal(await connections.remove(made), 409);
      // The twin that succeeds: the same request once the number is free.
      await unassign();
      success(OPERATION, await connections.remove(made));
    },
  );
}

test('After that 409 the connection is unchanged.', rule('connections.delete.refused-changes-nothing'), async ({ need, connections }) => {
  const made = await connections.make({ accountId: await need('account') });
  await connections.assign(made, 'PHONE_NUMBER', await (await need('numbers'))());
  const before = await connections.snapshot(made);
  refusal(await connections.remove(made), 409);
  await mustBeUnchanged(connections, made, before);
});

for (const targetType of ['ACCOUNT', 'USER'] as const) {
  test(
    `Assignments of the account or of its users do not stop the deletion: ${targetType}.`,
    rule('connections.delete.only-numbers-block'),
    async ({ need, connections }) => {
      const made = await connections.make({ accountId: await need('account') });
      await connections.assign(made, targetType, targetType === 'USER' ? await (await need('users'))() : made.accountId);
      success(OPERATION, await connections.remove(made));
    },
  );
}
