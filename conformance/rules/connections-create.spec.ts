import type { Connections } from '../actors/connections.ts';
import { isConnection, type ShownConnection, shownValues } from '../expect/connection.ts';
import { expectEffect, expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Pair } from '../target/capabilities-of-events.ts';
import type { Need } from '../target/need.ts';
import { MALFORMED_UUID } from '../target/sample-values.ts';
import { placeOf } from '../target/template.ts';

const OPERATION = 'createExperienceConnection';

const withoutScope = async (need: Need) => (await need('token.without-scope'))['experience-connections:manage'];

test('A creation by a caller that may create it succeeds.', rule('connections.create.success'), async ({ connections }) => {
  const pair = await connections.pair();
  const answer = await connections.create(pair);
  expectSuccess(OPERATION, answer);
  const created = await connections.createdBy(answer, pair);
  // A 2xx alone is no success: the connection must exist.
  await expectEffect(answer, async () => {
    const read = await connections.read(created);
    must(isConnection(expectSuccess<ShownConnection>('getExperienceConnection', read, 200), created), 'the connection exists', read);
  });
});

for (const [variant, shared] of [
  ['the account is connected to another Experience', 'accountId'],
  ['the Experience is connected to another account', 'experienceId'],
] as const) {
  test(
    `A creation by a caller that may create it succeeds: ${variant}.`,
    rule('connections.create.success'),
    async ({ need, connections }) => {
      const existing = await connections.make();
      const pair = shared === 'accountId' ? await connections.pair() : { ...existing, accountId: await need('account') };
      expectSuccess(OPERATION, await connections.create(pair));
    },
  );
}

test('A new connection can be read and listed.', rule('connections.create.listed'), async ({ connections }) => {
  const pair = await connections.pair();
  const answer = await connections.create(pair);
  expectSuccess(OPERATION, answer);
  const created = await connections.createdBy(answer, pair);
  await expectEffect(answer, () => connections.readAndListed(created));
});

test('A new connection is either ACTIVE or INACTIVE.', rule('connections.create.state'), async ({ connections }) => {
  const pair = await connections.pair();
  const answer = await connections.create(pair);
  expectSuccess(OPERATION, answer);
  const created = await connections.createdBy(answer, pair);
  // The schema of a connection allows no other states, and everything that is shown is validated.
  await expectEffect(answer, async () => shownValues(await connections.readAndListed(created), 'state'));
});

test(
  'Once a connection is deleted, one for the same pair can be created again.',
  rule('connections.create.again'),
  async ({ connections }) => {
    const connection = await connections.make();
    const deletion = await connections.remove(connection);
    expectSuccess('deleteExperienceConnection', deletion);
    await expectEffect(deletion, async () => expectSuccess(OPERATION, await connections.create(connection)));
  },
);

test('A second connection for the same account and Experience gets 409.', rule('connections.create.exists'), async ({ connections }) => {
  const pair = await connections.pair();
  const first = await connections.create(pair);
  expectSuccess(OPERATION, first);
  await expectEffect(first, async () => expectStatus(await connections.create(pair), 409));
});

for (const state of ['ACTIVE', 'INACTIVE'] as const) {
  test(
    `A second connection for the same account and Experience gets 409: the first is ${state}.`,
    rule('connections.create.exists'),
    async ({ connections }) => {
      expectStatus(await connections.create(await connections.make({ state })), 409);
    },
  );
}

// In the following checks the valid creation comes last, as it would make the pair unavailable.

test('A creation needs the scope.', rule('connections.create.scope'), async ({ need, connections }) => {
  const pair = await connections.pair();
  expectStatus(await connections.create(pair, { token: await withoutScope(need) }), 401, 403);
  expectSuccess(OPERATION, await connections.create(pair));
});

test('A caller that may not create a connection gets 403.', rule('connections.create.read-only'), async ({ need, connections }) => {
  const pair = await connections.pair();
  expectStatus(await connections.create(pair, { token: await need('token.reader') }), 403);
  expectSuccess(OPERATION, await connections.create(pair));
});

test('A creation whose body cannot be parsed gets 400.', rule('connections.create.malformed'), async ({ connections }) => {
  const pair = await connections.pair();
  expectStatus(await connections.create(pair, { rawBody: `{"accountId": "${pair.accountId}", "experienceId": ` }), 400);
  expectSuccess(OPERATION, await connections.create(pair));
});

for (const name of ['accountId', 'experienceId'] as const) {
  test(
    `A creation without a required field gets 422: ${name}.`,
    rule('connections.create.required-field'),
    async ({ need, connections }) => {
      test.skip(placeOf(await need('bodies.connectionCreate'), name) !== 'required', `not-applicable: the target does not require ${name}`);
      const pair = await connections.pair();
      expectStatus(await connections.create({ ...pair, [name]: undefined }), 422);
      expectSuccess(OPERATION, await connections.create(pair));
    },
  );
}

for (const [name, value] of [
  ['accountId', MALFORMED_UUID],
  ['experienceId', MALFORMED_UUID],
  ['state', 'SLEEPING'],
] as const) {
  test(`A creation with an invalid value gets 422: ${name}.`, rule('connections.create.invalid-value'), async ({ need, connections }) => {
    test.skip(placeOf(await need('bodies.connectionCreate'), name) === undefined, `not-applicable: the body has no ${name}`);
    const pair = await connections.pair();
    expectStatus(await connections.create({ ...pair, [name]: value }), 422);
    expectSuccess(OPERATION, await connections.create(pair));
  });
}

test(
  'A refused creation leaves the connections as they were: a connection exists.',
  rule('connections.create.refused-changes-nothing'),
  async ({ connections }) => {
    const existing = await connections.make();
    const { accountId, experienceId } = existing;
    const before = await connections.snapshot(existing);
    expectStatus(await connections.create(existing), 409);
    await connections.expectUnchanged(existing, before);
    await connections.expectListed({ accountId, experienceId }, existing);
  },
);

type ExpectRefused = (connections: Connections, pair: Pair, need: Need) => Promise<void>;
const REFUSED: Readonly<Record<string, ExpectRefused>> = {
  'the caller may only read': async (connections, pair, need) =>
    expectStatus(await connections.create(pair, { token: await need('token.reader') }), 403),
  'the token lacks the scope': async (connections, pair, need) =>
    expectStatus(await connections.create(pair, { token: await withoutScope(need) }), 401, 403),
  'a value is invalid': async (connections, pair, need) => {
    test.skip(placeOf(await need('bodies.connectionCreate'), 'state') === undefined, 'not-applicable: the body has no state');
    expectStatus(await connections.create({ ...pair, state: 'SLEEPING' }), 422);
  },
};
for (const [reason, expectRefused] of Object.entries(REFUSED)) {
  test(
    `A refused creation leaves the connections as they were: ${reason}.`,
    rule('connections.create.refused-changes-nothing'),
    async ({ need, connections }) => {
      const pair = await connections.pair();
      await expectRefused(connections, pair, need);
      await connections.expectNotListed({ accountId: pair.accountId }, pair);
      expectSuccess(OPERATION, await connections.create(pair));
    },
  );
}
