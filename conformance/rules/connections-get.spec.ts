import { randomUUID } from 'node:crypto';
import { must } from '../expect/broken.ts';
import { type ShownConnection, shows } from '../expect/connections.ts';
import { refusal, success } from '../expect/verify.ts';
import { test } from '../runner/connections-test.ts';
import { rule } from '../runner/rule.ts';

const OPERATION = 'getExperienceConnection';

test('The fields of a connection have the types of the table.', rule('connections.get.shape'), async ({ connections }) => {
  const made = await connections.make();
  const answer = await connections.read(made);
  must(shows(success<ShownConnection>(OPERATION, answer, 200), made), 'the connection asked for is answered', answer);
});

test(
  'The fields of a connection have the types of the table: one that was activated.',
  rule('connections.get.shape'),
  async ({ connections }) => {
    const made = await connections.make({ state: 'INACTIVE' });
    success('updateExperienceConnection', await connections.update(made, 'ACTIVE'));
    const answer = await connections.read(made);
    must(shows(success<ShownConnection>(OPERATION, answer, 200), made), 'the connection asked for is answered', answer);
  },
);

test('Reading a connection needs the scope.', rule('connections.get.scope'), async ({ need, connections }) => {
  const made = await connections.make();
  success(OPERATION, await connections.read(made), 200);
  refusal(await connections.read(made, { token: (await need('token.without-scope'))['experience-connections:manage'] }), 401, 403);
});

for (const [what, id] of [
  ['a UUID', randomUUID()],
  ['no UUID', 'no-such-connection'],
] as const) {
  test(`A connection that is missing gets 404: its id is ${what}.`, rule('connections.get.not-found'), async ({ connections }) => {
    const made = await connections.make();
    success(OPERATION, await connections.read(made), 200);
    refusal(await connections.read({ ...made, id }), 404);
  });
}

test('A connection that the caller has no access to gets 404.', rule('connections.get.not-found'), async ({ need, connections }) => {
  const made = await connections.make();
  success(OPERATION, await connections.read(made), 200);
  refusal(await connections.read(made, { token: await need('token.outsider') }), 404);
});
