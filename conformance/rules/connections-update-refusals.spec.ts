import { randomUUID } from 'node:crypto';
import { type Connections, otherState } from '../actors/make-connection.ts';
import { mustBeUnchanged } from '../expect/connection-shown.ts';
import type { ConnectionKey } from '../expect/connections.ts';
import { refusal, success } from '../expect/verify.ts';
import { test } from '../runner/connections-test.ts';
import { rule } from '../runner/rule.ts';
import type { Need } from '../target/need.ts';
import { placeOf } from '../target/template.ts';

const OPERATION = 'updateExperienceConnection';
const SCOPE = 'experience-connections:manage';
const NOT_JSON = '{"state": "ACTIVE"';

test('Updating a connection needs the scope.', rule('connections.update.scope'), async ({ need, connections }) => {
  const made = await connections.make({ state: 'INACTIVE' });
  refusal(await connections.update(made, 'ACTIVE', { token: (await need('token.without-scope'))[SCOPE] }), 401, 403);
  success(OPERATION, await connections.update(made, 'ACTIVE'));
});

test(
  'A caller that may read the connection but not update it gets 403.',
  rule('connections.update.read-only'),
  async ({ need, connections }) => {
    const [made, token] = [await connections.make({ state: 'INACTIVE' }), await need('token.reader')];
    success('getExperienceConnection', await connections.read(made, { token }), 200);
    refusal(await connections.update(made, 'ACTIVE', { token }), 403);
    success(OPERATION, await connections.update(made, 'ACTIVE'));
  },
);

for (const [what, id] of [
  ['a UUID', randomUUID()],
  ['no UUID', 'no-such-connection'],
] as const) {
  test(
    `An update of a connection that is missing gets 404: its id is ${what}.`,
    rule('connections.update.not-found'),
    async ({ connections }) => {
      const made = await connections.make({ state: 'INACTIVE' });
      refusal(await connections.update({ ...made, id }, 'ACTIVE'), 404);
      success(OPERATION, await connections.update(made, 'ACTIVE'));
    },
  );
}

test(
  'An update of a connection that the caller has no access to gets 404.',
  rule('connections.update.not-found'),
  async ({ need, connections }) => {
    const made = await connections.make({ state: 'INACTIVE' });
    refusal(await connections.update(made, 'ACTIVE', { token: await need('token.outsider') }), 404);
    success(OPERATION, await connections.update(made, 'ACTIVE'));
  },
);

for (const state of ['ACTIVE', 'INACTIVE'] as const) {
  test(
    `An update that requests the state the connection already has gets 409: ${state}.`,
    rule('connections.update.same-state'),
    async ({ connections }) => {
      const made = await connections.make({ state });
      refusal(await connections.update(made, state), 409);
      success(OPERATION, await connections.update(made, otherState(state)));
    },
  );

  test(
    `After that 409 the connection is unchanged, its updatedAt included: ${state}.`,
    rule('connections.update.same-state-unchanged'),
    async ({ connections }) => {
      const made = await connections.make({ state });
      const before = await connections.snapshot(made);
      refusal(await connections.update(made, state), 409);
      await mustBeUnchanged(connections, made, before);
    },
  );
}

for (const state of ['SLEEPING', 'active']) {
  test(
    `An update that requests another state than ACTIVE and INACTIVE gets 422: ${state}.`,
    rule('connections.update.invalid-value'),
    async ({ connections }) => {
      const made = await connections.make({ state: 'INACTIVE' });
      refusal(await connections.update(made, state), 422);
      success(OPERATION, await connections.update(made, 'ACTIVE'));
    },
  );
}

test('An update whose body cannot be parsed gets 400.', rule('connections.update.malformed'), async ({ connections }) => {
  const made = await connections.make({ state: 'INACTIVE' });
  refusal(await connections.update(made, 'ACTIVE', { rawBody: NOT_JSON }), 400);
  success(OPERATION, await connections.update(made, 'ACTIVE'));
});

test(
  'An update that lacks what it needs gets 400 or 422.',
  rule('connections.update.missing-field-refused'),
  async ({ need, connections }) => {
    await whereStateIsRequired(need);
    const made = await connections.make({ state: 'INACTIVE' });
    refusal(await connections.update(made, undefined), 400, 422);
    success(OPERATION, await connections.update(made, 'ACTIVE'));
  },
);

type Refused = (connections: Connections, made: ConnectionKey, need: Need) => Promise<unknown>;
/** Updates of an INACTIVE connection that are refused, by why. */
const REFUSED: Readonly<Record<string, Refused>> = {
  invalid: async (connections, made) => refusal(await connections.update(made, 'SLEEPING'), 422),
  malformed: async (connections, made) => refusal(await connections.update(made, 'ACTIVE', { rawBody: NOT_JSON }), 400),
  'lacking what it needs': async (connections, made, need) => {
    await whereStateIsRequired(need);
    refusal(await connections.update(made, undefined), 400, 422);
  },
  forbidden: async (connections, made, need) =>
    refusal(await connections.update(made, 'ACTIVE', { token: await need('token.reader') }), 403),
  'out of the caller’s reach': async (connections, made, need) =>
    refusal(await connections.update(made, 'ACTIVE', { token: await need('token.outsider') }), 404),
  'without the scope': async (connections, made, need) =>
    refusal(await connections.update(made, 'ACTIVE', { token: (await need('token.without-scope'))[SCOPE] }), 401, 403),
};
for (const [why, refused] of Object.entries(REFUSED)) {
  test(
    `An update that is refused leaves the connection unchanged: ${why}.`,
    rule('connections.update.refused-changes-nothing'),
    async ({ need, connections }) => {
      const made = await connections.make({ state: 'INACTIVE' });
      const before = await connections.snapshot(made);
      await refused(connections, made, need);
      await mustBeUnchanged(connections, made, before);
    },
  );
}

async function whereStateIsRequired(need: Need): Promise<void> {
  const required = placeOf(await need('bodies.connectionUpdate'), 'state') === 'required';
  test.skip(!required, 'not-applicable: the target does not require the state');
}
