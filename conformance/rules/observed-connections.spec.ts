import { randomUUID } from 'node:crypto';
import { observe, observeStatus, questionOf } from '../expect/observed.ts';
import { expectEffect, expectStatus, isSuccess, requireSuccess } from '../expect/response.ts';
import { test } from '../runner/test.ts';
import type { Pair } from '../target/capabilities-of-events.ts';
import { notTestable } from '../target/not-testable.ts';
import { placeOf } from '../target/template.ts';

test(questionOf('connections.malformed-body'), async ({ connections }) => {
  const [connection, pair] = [await connections.make({ state: 'INACTIVE' }), await connections.pair()];
  const refused = [];
  for (const rawBody of ['[]', 'null', '"text"'])
    refused.push(await connections.create(pair, { rawBody }), await connections.update(connection, 'ACTIVE', { rawBody }));
  requireSuccess('a creation', await connections.create(pair));
  requireSuccess('an update', await connections.update(connection, 'ACTIVE'));
  for (const answer of refused) observeStatus('connections.malformed-body', answer);
});

test(questionOf('connections.create.status'), async ({ connections }) => {
  observeStatus('connections.create.status', await connections.create(await connections.pair()));
});

test(questionOf('connections.create.initial-state'), async ({ need, connections }) => {
  if (placeOf(await need('bodies.connectionCreate'), 'state') === 'required') notTestable('a creation that asks for no state');
  const state = await connections.stateOf(await connections.make());
  observe('connections.create.initial-state', state === 'ACTIVE' || state === 'INACTIVE' ? state : undefined);
});

test(questionOf('connections.create.unknown-account-or-experience'), async ({ has, need, connections }) => {
  const pair = await connections.pair();
  const unknown: Partial<Pair>[] = [{ experienceId: randomUUID() }, { accountId: randomUUID() }];
  if (has('experience.hidden')) unknown.push({ experienceId: await need('experience.hidden') });
  if (has('account.hidden')) unknown.push({ accountId: await need('account.hidden') });
  const refused = [];
  for (const change of unknown) refused.push(await connections.create({ ...pair, ...change }));
  requireSuccess('a creation with both known', await connections.create(pair));
  for (const answer of refused) observeStatus('connections.create.unknown-account-or-experience', answer);
});

test(questionOf('connections.update.status'), async ({ connections }) => {
  observeStatus('connections.update.status', await connections.update(await connections.make({ state: 'INACTIVE' }), 'ACTIVE'));
});

test(questionOf('connections.update.missing-field'), async ({ need, connections }) => {
  if (placeOf(await need('bodies.connectionUpdate'), 'state') !== 'required') notTestable('an update whose state is required');
  const connection = await connections.make({ state: 'INACTIVE' });
  const answer = await connections.update(connection, undefined);
  requireSuccess('the same with the state', await connections.update(connection, 'ACTIVE'));
  observeStatus('connections.update.missing-field', answer);
});

test(questionOf('connections.delete.status'), async ({ connections }) => {
  observeStatus('connections.delete.status', await connections.remove(await connections.make()));
});

test(questionOf('connections.delete.blocking-numbers'), async ({ need, assignments, connections }) => {
  const connection = await connections.make();
  const { experienceId } = connection;
  // The account of the number is connected, too, because an assignment may need that.
  const other = { accountId: await need('account'), experienceId };
  requireSuccess('a connection of another account', await connections.create(other));
  const { id } = await assignments.make({ experienceId });
  const answer = await connections.remove(connection);
  if (isSuccess(answer)) observe('connections.delete.blocking-numbers', 'account');
  if (answer.status !== 409) return;
  await assignments.remove(id);
  requireSuccess('the deletion without the number', await connections.remove(connection));
  observe('connections.delete.blocking-numbers', 'experience');
});

test(questionOf('connections.delete.other-assignments'), async ({ need, assignments, connections }) => {
  const connection = await connections.make({ accountId: await need('account') });
  const { id } = await assignments.make({ experienceId: connection.experienceId, targetType: 'USER' });
  const deletion = requireSuccess('the deletion of a connection', await connections.remove(connection));
  await expectEffect(deletion, async () => expectStatus(await connections.read(connection), 404));
  const { status } = await assignments.read(id);
  observe('connections.delete.other-assignments', status === 200 ? 'kept' : status === 404 ? 'removed' : undefined);
});
