import type { Connections } from '../actors/make-connection.ts';
import { must } from '../expect/broken.ts';
import { mustBeUnchanged, readAndListed, shownOf } from '../expect/connection-shown.ts';
import { mustHold, type ShownConnection, shows } from '../expect/connections.ts';
import { eventually, settlingOf } from '../expect/eventually.ts';
import { refusal, success } from '../expect/verify.ts';
import { test } from '../runner/connections-test.ts';
import { rule } from '../runner/rule.ts';
import type { Pair } from '../target/capabilities-of-events.ts';
import type { Need } from '../target/need.ts';
import { MALFORMED_UUID } from '../target/sample-values.ts';
import { placeOf } from '../target/template.ts';

const OPERATION = 'createExperienceConnection';
const SCOPE = 'experience-connections:manage';

test('A creation by a caller that may create it succeeds.', rule('connections.create.success'), async ({ connections }) => {
  const pair = await connections.pair();
  const answer = await connections.create(pair);
  success(OPERATION, answer);
  // A 2xx alone is no success: what it says was made is there.
  const made = await connections.madeBy(answer, pair);
  await eventually(settlingOf(answer), async () => {
    const read = await connections.read(made);
    must(shows(success<ShownConnection>('getExperienceConnection', read, 200), made), 'there is a connection now', read);
  });
});

for (const [what, shared] of [
  ['the account is connected to another Experience', 'accountId'],
  ['the Experience is connected to another account', 'experienceId'],
] as const) {
  test(
    `A creation by a caller that may create it succeeds: ${what}.`,
    rule('connections.create.success'),
    async ({ need, connections }) => {
      const made = await connections.make();
      const pair = shared === 'accountId' ? await connections.pair() : { ...made, accountId: await need('account') };
      success(OPERATION, await connections.create(pair));
    },
  );
}

test('A new connection can be read and listed.', rule('connections.create.listed'), async ({ api, need, connections }) => {
  const pair = await connections.pair();
  const answer = await connections.create(pair);
  success(OPERATION, answer);
  const made = await connections.madeBy(answer, pair);
  await eventually(settlingOf(answer), async () => {
    success('getExperienceConnection', await connections.read(made), 200);
    await mustHold(api, await need('token'), { accountId: pair.accountId }, made);
  });
});

test('A new connection is either ACTIVE or INACTIVE.', rule('connections.create.state'), async ({ api, need, connections }) => {
  const pair = await connections.pair();
  const answer = await connections.create(pair);
  success(OPERATION, answer);
  const made = await connections.madeBy(answer, pair);
  // Which states there are is part of the schema that everything shown has to fit.
  await eventually(settlingOf(answer), async () => shownOf(await readAndListed({ api, need, connections }, made), 'state'));
});

test(
  'Once a connection is deleted, one for the same pair can be created again.',
  rule('connections.create.again'),
  async ({ connections }) => {
    const made = await connections.make();
    const removed = await connections.remove(made);
    success('deleteExperienceConnection', removed);
    await eventually(settlingOf(removed), async () => success(OPERATION, await connections.create(made)));
  },
);

test('A creation needs the scope.', rule('connections.create.scope'), async ({ need, connections }) => {
  const pair = await connections.pair();
  refusal(await connections.create(pair, { token: (await need('token.without-scope'))[SCOPE] }), 401, 403);
  // The twin that succeeds comes second: afterwards the pair is taken.
  success(OPERATION, await connections.create(pair));
});

test('A caller that may not create a connection gets 403.', rule('connections.create.read-only'), async ({ need, connections }) => {
  const pair = await connections.pair();
  refusal(await connections.create(pair, { token: await need('token.reader') }), 403);
  success(OPERATION, await connections.create(pair));
});

test('A second connection for the same account and Experience gets 409.', rule('connections.create.exists'), async ({ connections }) => {
  const pair = await connections.pair();
  const first = await connections.create(pair);
  success(OPERATION, first);
  await eventually(settlingOf(first), async () => refusal(await connections.create(pair), 409));
});

for (const state of ['ACTIVE', 'INACTIVE'] as const) {
  test(
    `A second connection for the same account and Experience gets 409: the first is ${state}.`,
    rule('connections.create.exists'),
    async ({ connections }) => {
      refusal(await connections.create(await connections.make({ state })), 409);
    },
  );
}

test('A creation whose body cannot be parsed gets 400.', rule('connections.create.malformed'), async ({ connections }) => {
  const pair = await connections.pair();
  refusal(await connections.create(pair, { rawBody: `{"accountId": "${pair.accountId}", "experienceId": ` }), 400);
  success(OPERATION, await connections.create(pair));
});

for (const name of ['accountId', 'experienceId'] as const) {
  test(
    `A creation without a required field gets 422: ${name}.`,
    rule('connections.create.required-field'),
    async ({ need, connections }) => {
      test.skip(placeOf(await need('bodies.connectionCreate'), name) !== 'required', `not-applicable: the target does not require ${name}`);
      const pair = await connections.pair();
      refusal(await connections.create({ ...pair, [name]: undefined }), 422);
      success(OPERATION, await connections.create(pair));
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
    refusal(await connections.create({ ...pair, [name]: value }), 422);
    success(OPERATION, await connections.create(pair));
  });
}

test(
  'A refused creation leaves the connections as they were: the one that exists.',
  rule('connections.create.refused-changes-nothing'),
  async ({ api, need, connections }) => {
    const made = await connections.make();
    const before = await connections.snapshot(made);
    refusal(await connections.create(made), 409);
    await mustBeUnchanged(connections, made, before);
    await mustHold(api, await need('token'), { accountId: made.accountId, experienceId: made.experienceId }, made);
  },
);

type Refused = (connections: Connections, pair: Pair, need: Need) => Promise<unknown>;
const REFUSED: Readonly<Record<string, Refused>> = {
  forbidden: async (connections, pair, need) => refusal(await connections.create(pair, { token: await need('token.reader') }), 403),
  'without the scope': async (connections, pair, need) =>
    refusal(await connections.create(pair, { token: (await need('token.without-scope'))[SCOPE] }), 401, 403),
  'with an invalid value': async (connections, pair, need) => {
    test.skip(placeOf(await need('bodies.connectionCreate'), 'state') === undefined, 'not-applicable: the body has no state');
    refusal(await connections.create({ ...pair, state: 'SLEEPING' }), 422);
  },
};
for (const [why, refused] of Object.entries(REFUSED)) {
  test(
    `A refused creation leaves the connections as they were, and none is made: ${why}.`,
    rule('connections.create.refused-changes-nothing'),
    async ({ api, need, connections }) => {
      const pair = await connections.pair();
      await refused(connections, pair, need);
      await mustHold(api, await need('token'), { accountId: pair.accountId }, pair, false);
      success(OPERATION, await connections.create(pair));
    },
  );
}
