import { randomUUID } from 'node:crypto';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { type Connections, otherState } from '../actors/connections.ts';
import { compareInstants } from '../expect/compare.ts';
import { type ConnectionKey, shownValues } from '../expect/connection.ts';
import { expectEffect, expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Answer } from '../target/exchange.ts';
import type { Need } from '../target/need.ts';
import { placeOf } from '../target/template.ts';

const OPERATION = 'updateExperienceConnection';

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

/** An update of an INACTIVE connection that is refused. */
interface Refusal {
  readonly id: RuleId;
  readonly title: string;
  /** For the check that the connection is unchanged. */
  readonly reason: string;
  readonly statuses: readonly number[];
  readonly update: (connections: Connections, connection: ConnectionKey, need: Need) => Promise<Answer>;
}

const REFUSALS: readonly Refusal[] = [
  {
    id: 'connections.update.scope',
    title: 'Updating a connection needs the scope.',
    reason: 'the token lacks the scope',
    statuses: [401, 403],
    update: async (connections, connection, need) => {
      const { 'experience-connections:manage': token } = await need('token.without-scope');
      return connections.update(connection, 'ACTIVE', { token });
    },
  },
  {
    id: 'connections.update.read-only',
    title: 'A caller that may read the connection but not update it gets 403.',
    reason: 'the caller may only read',
    statuses: [403],
    async update(connections, connection, need) {
      const token = await need('token.reader');
      expectSuccess('getExperienceConnection', await connections.read(connection, { token }), 200);
      return connections.update(connection, 'ACTIVE', { token });
    },
  },
  {
    id: 'connections.update.not-found',
    title: 'An update of a connection that the caller has no access to gets 404.',
    reason: 'the caller has no access',
    statuses: [404],
    update: async (connections, connection, need) => connections.update(connection, 'ACTIVE', { token: await need('token.outsider') }),
  },
  ...[['its id is a UUID', randomUUID()] as const, ['its id is no UUID', 'no-such-connection'] as const].map(
    ([variant, id]): Refusal => ({
      id: 'connections.update.not-found',
      title: `An update of a connection that is missing gets 404: ${variant}.`,
      reason: `it is about a missing one, ${variant}`,
      statuses: [404],
      update: (connections, connection) => connections.update({ ...connection, id }, 'ACTIVE'),
    }),
  ),
  ...['SLEEPING', 'active'].map(
    (state): Refusal => ({
      id: 'connections.update.invalid-value',
      title: `An update that requests another state than ACTIVE and INACTIVE gets 422: ${state}.`,
      reason: `the state is ${state}`,
      statuses: [422],
      update: (connections, connection) => connections.update(connection, state),
    }),
  ),
  {
    id: 'connections.update.malformed',
    title: 'An update whose body cannot be parsed gets 400.',
    reason: 'the body cannot be parsed',
    statuses: [400],
    update: (connections, connection) => connections.update(connection, 'ACTIVE', { rawBody: '{"state": "ACTIVE"' }),
  },
  {
    id: 'connections.update.missing-field-refused',
    title: 'An update without a required field gets 400 or 422.',
    reason: 'a required field is missing',
    statuses: [400, 422],
    async update(connections, connection, need) {
      const isRequired = placeOf(await need('bodies.connectionUpdate'), 'state') === 'required';
      test.skip(!isRequired, 'not-applicable: the target does not require the state');
      return connections.update(connection, undefined);
    },
  },
];

for (const { id, title, reason, statuses, update } of REFUSALS) {
  test(title, rule(id), async ({ need, connections }) => {
    const connection = await connections.make({ state: 'INACTIVE' });
    expectStatus(await update(connections, connection, need), ...statuses);
    expectSuccess(OPERATION, await connections.update(connection, 'ACTIVE'));
  });

  test(
    `An update that is refused leaves the connection unchanged: ${reason}.`,
    rule('connections.update.refused-changes-nothing'),
    async ({ need, connections }) => {
      const connection = await connections.make({ state: 'INACTIVE' });
      const before = await connections.snapshot(connection);
      expectStatus(await update(connections, connection, need), ...statuses);
      await connections.expectUnchanged(connection, before);
    },
  );
}
