import { randomUUID } from 'node:crypto';
import { type Connections, otherState } from '../actors/connections.ts';
import { compareInstants } from '../expect/compare.ts';
import { type ConnectionKey, shownValues } from '../expect/connection.ts';
import { expectEffect, expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/need.ts';
import { placeOf } from '../target/template.ts';

const OPERATION = 'updateExperienceConnection';
const NOT_JSON = '{"state": "ACTIVE"';

const withoutScope = async (need: Need) => (await need('token.without-scope'))['experience-connections:manage'];

for (const [id, state] of [
  ['connections.update.activates', 'ACTIVE'],
  ['connections.update.deactivates', 'INACTIVE'],
] as const) {
  test(`An update that requests ${state} makes the connection ${state}.`, rule(id), async ({ connections }) => {
    const connection = await connections.make({ state: otherState(state) });
    const answer = await connections.update(connection, state);
    expectSuccess(OPERATION, answer);
    await expectEffect(answer, async () => {
      for (const shown of shownValues(await connections.readAndListed(connection), 'state'))
        must(shown === state, `the connection is ${state} after the update, not ${shown}`, answer);
    });
  });

  test(
    `updatedAt does not go back when a connection changes: it becomes ${state}.`,
    rule('connections.update.updated-at-grows'),
    async ({ connections }) => {
      const connection = await connections.make({ state: otherState(state) });
      const instants = async () => shownValues(await connections.readAndListed(connection), 'updatedAt');
      const [before] = await instants();
      const answer = await connections.update(connection, state);
      expectSuccess(OPERATION, answer);
      await expectEffect(answer, async () => {
        for (const after of await instants())
          must(compareInstants(before, after) <= 0, `updatedAt does not go back from ${before} to ${after}`);
      });
    },
  );

  test(
    `An update that requests the state the connection already has gets 409: ${state}.`,
    rule('connections.update.same-state'),
    async ({ connections }) => {
      const connection = await connections.make({ state });
      expectStatus(await connections.update(connection, state), 409);
      expectSuccess(OPERATION, await connections.update(connection, otherState(state)));
    },
  );

  test(
    `After that 409 the connection is unchanged, its updatedAt included: ${state}.`,
    rule('connections.update.same-state-unchanged'),
    async ({ connections }) => {
      const connection = await connections.make({ state });
      const before = await connections.snapshot(connection);
      expectStatus(await connections.update(connection, state), 409);
      await connections.expectUnchanged(connection, before);
    },
  );
}

// In the following checks the valid update comes last, as it would change the state.

test('Updating a connection needs the scope.', rule('connections.update.scope'), async ({ need, connections }) => {
  const connection = await connections.make({ state: 'INACTIVE' });
  expectStatus(await connections.update(connection, 'ACTIVE', { token: await withoutScope(need) }), 401, 403);
  expectSuccess(OPERATION, await connections.update(connection, 'ACTIVE'));
});

test(
  'A caller that may read the connection but not update it gets 403.',
  rule('connections.update.read-only'),
  async ({ need, connections }) => {
    const [connection, token] = [await connections.make({ state: 'INACTIVE' }), await need('token.reader')];
    expectSuccess('getExperienceConnection', await connections.read(connection, { token }), 200);
    expectStatus(await connections.update(connection, 'ACTIVE', { token }), 403);
    expectSuccess(OPERATION, await connections.update(connection, 'ACTIVE'));
  },
);

for (const [variant, id] of [
  ['its id is a UUID', randomUUID()],
  ['its id is no UUID', 'no-such-connection'],
] as const) {
  test(`An update of a connection that is missing gets 404: ${variant}.`, rule('connections.update.not-found'), async ({ connections }) => {
    const connection = await connections.make({ state: 'INACTIVE' });
    expectStatus(await connections.update({ ...connection, id }, 'ACTIVE'), 404);
    expectSuccess(OPERATION, await connections.update(connection, 'ACTIVE'));
  });
}

test(
  'An update of a connection that the caller has no access to gets 404.',
  rule('connections.update.not-found'),
  async ({ need, connections }) => {
    const connection = await connections.make({ state: 'INACTIVE' });
    expectStatus(await connections.update(connection, 'ACTIVE', { token: await need('token.outsider') }), 404);
    expectSuccess(OPERATION, await connections.update(connection, 'ACTIVE'));
  },
);

for (const state of ['SLEEPING', 'active']) {
  test(
    `An update that requests another state than ACTIVE and INACTIVE gets 422: ${state}.`,
    rule('connections.update.invalid-value'),
    async ({ connections }) => {
      const connection = await connections.make({ state: 'INACTIVE' });
      expectStatus(await connections.update(connection, state), 422);
      expectSuccess(OPERATION, await connections.update(connection, 'ACTIVE'));
    },
  );
}

test('An update whose body cannot be parsed gets 400.', rule('connections.update.malformed'), async ({ connections }) => {
  const connection = await connections.make({ state: 'INACTIVE' });
  expectStatus(await connections.update(connection, 'ACTIVE', { rawBody: NOT_JSON }), 400);
  expectSuccess(OPERATION, await connections.update(connection, 'ACTIVE'));
});

async function skipUnlessStateIsRequired(need: Need): Promise<void> {
  const isRequired = placeOf(await need('bodies.connectionUpdate'), 'state') === 'required';
  test.skip(!isRequired, 'not-applicable: the target does not require the state');
}

test(
  'An update without a required field gets 400 or 422.',
  rule('connections.update.missing-field-refused'),
  async ({ need, connections }) => {
    await skipUnlessStateIsRequired(need);
    const connection = await connections.make({ state: 'INACTIVE' });
    expectStatus(await connections.update(connection, undefined), 400, 422);
    expectSuccess(OPERATION, await connections.update(connection, 'ACTIVE'));
  },
);

type ExpectRefused = (connections: Connections, connection: ConnectionKey, need: Need) => Promise<void>;
const REFUSED: Readonly<Record<string, ExpectRefused>> = {
  'the state is invalid': async (connections, connection) => expectStatus(await connections.update(connection, 'SLEEPING'), 422),
  'the body cannot be parsed': async (connections, connection) =>
    expectStatus(await connections.update(connection, 'ACTIVE', { rawBody: NOT_JSON }), 400),
  'a required field is missing': async (connections, connection, need) => {
    await skipUnlessStateIsRequired(need);
    expectStatus(await connections.update(connection, undefined), 400, 422);
  },
  'the caller may only read': async (connections, connection, need) =>
    expectStatus(await connections.update(connection, 'ACTIVE', { token: await need('token.reader') }), 403),
  'the caller has no access': async (connections, connection, need) =>
    expectStatus(await connections.update(connection, 'ACTIVE', { token: await need('token.outsider') }), 404),
  'the token lacks the scope': async (connections, connection, need) =>
    expectStatus(await connections.update(connection, 'ACTIVE', { token: await withoutScope(need) }), 401, 403),
};
for (const [reason, expectRefused] of Object.entries(REFUSED)) {
  test(
    `An update that is refused leaves the connection unchanged: ${reason}.`,
    rule('connections.update.refused-changes-nothing'),
    async ({ need, connections }) => {
      const connection = await connections.make({ state: 'INACTIVE' });
      const before = await connections.snapshot(connection);
      await expectRefused(connections, connection, need);
      await connections.expectUnchanged(connection, before);
    },
  );
}
