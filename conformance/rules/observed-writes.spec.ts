import { isSuccess } from '../../src/expect/response.ts';
import { must } from '../../src/expect/rule-broken.ts';
import type { Client } from '../actors/api-client.ts';
import { getUnassignedTarget } from '../actors/assignments.ts';
import { getDecisionQuestion, observe, observeStatus } from '../expect/observed.ts';
import { expectEffect, expectStatus, requireSuccess } from '../expect/response.ts';
import { test } from '../runner/test.ts';
import type { Need, NewAssignment } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import { findPlaceholder } from '../target/template.ts';

async function isAssignable(api: Client, need: Need, { experienceId, ...query }: NewAssignment): Promise<boolean | undefined> {
  const answer = await api.call('getExperienceAssignability', { token: await need('token'), path: { experienceId }, query });
  const { assignable } = requireSuccess('an assignability check', answer).json as { assignable?: unknown };
  return typeof assignable === 'boolean' ? assignable : undefined;
}

/** Requires `assignable` to be true at first, because a later `false` must be the effect of the check's changes. */
async function requireAssignable(api: Client, need: Need, body: NewAssignment): Promise<void> {
  if ((await isAssignable(api, need, body)) !== true) endAsNotTestable('assignable is not true at the start of the check');
}

test(getDecisionQuestion('assignability.already-assigned'), async ({ api, need, assignments }) => {
  const body = await assignments.createBody();
  await requireAssignable(api, need, body);
  await assignments.createOrThrow(body);
  observe('assignability.already-assigned', await isAssignable(api, need, body));
});

test(getDecisionQuestion('assignability.agent-conflict'), async ({ api, need, assignments }) => {
  const body = await assignments.createBody({ experienceId: await need('experience.second-agent') });
  await requireAssignable(api, need, body);
  await assignments.createOrThrow({ ...body, experienceId: await need('experience.agent') });
  observe('assignability.agent-conflict', await isAssignable(api, need, body));
});

test(getDecisionQuestion('assignability.hidden-target'), async ({ api, need }) => {
  const ofUser = { experienceId: await need('experience'), targetType: 'USER' } as const;
  await requireAssignable(api, need, { ...ofUser, targetValue: await getUnassignedTarget(need, 'USER') });
  observe('assignability.hidden-target', await isAssignable(api, need, { ...ofUser, targetValue: await need('user.hidden') }));
});

test(getDecisionQuestion('assignments.create.duplicate'), async ({ assignments }) => {
  const body = await assignments.createBody();
  requireSuccess('a new assignment', await assignments.create(body));
  observeStatus('assignments.create.duplicate', await assignments.create(body));
});

test(getDecisionQuestion('assignments.create.needs-connection'), async ({ need, assignments, connections }) => {
  const body = await assignments.createBody({ experienceId: await (await need('experiences.unconnected'))() });
  const answer = await assignments.create(body);
  if (answer.status === 201) return observe('assignments.create.needs-connection', 'no');
  const { experienceId } = await connections.createOrThrow({ accountId: await need('account') });
  requireSuccess('the create request to succeed with a connection', await assignments.create({ ...body, experienceId }));
  observeStatus('assignments.create.needs-connection', answer);
});

test(getDecisionQuestion('connections.create.status'), async ({ connections }) => {
  observeStatus('connections.create.status', await connections.create(await connections.pickPair()));
});

test(getDecisionQuestion('connections.create.initial-state'), async ({ need, connections }) => {
  if (findPlaceholder(await need('bodies.connectionCreate'), 'state') === 'required')
    endAsNotTestable('the body of a create request requires a state');
  const state = await connections.readState(await connections.createOrThrow());
  observe('connections.create.initial-state', state === 'ACTIVE' || state === 'INACTIVE' ? state : undefined);
});

test(getDecisionQuestion('connections.update.status'), async ({ connections }) => {
  observeStatus('connections.update.status', await connections.update(await connections.createOrThrow({ state: 'INACTIVE' }), 'ACTIVE'));
});

test(getDecisionQuestion('connections.state-letter-case'), async ({ connections }) => {
  const connection = await connections.createOrThrow({ state: 'INACTIVE' });
  const answer = await connections.update(connection, 'active');
  if (answer.status === 422) return observe('connections.state-letter-case', 'refused');
  requireSuccess('an update that gets a 2xx or a 422 response', answer);
  await expectEffect(answer, async () => must((await connections.readState(connection)) === 'ACTIVE', 'the connection is ACTIVE'));
  observe('connections.state-letter-case', 'accepted');
});

test(getDecisionQuestion('connections.delete.status'), async ({ connections }) => {
  observeStatus('connections.delete.status', await connections.remove(await connections.createOrThrow()));
});

test(getDecisionQuestion('connections.delete.blocking-numbers'), async ({ need, assignments, connections }) => {
  const connection = await connections.createOrThrow();
  const { experienceId } = connection;
  // Also connect the number's account, because the target may require this connection for the assignment.
  const other = { accountId: await need('account'), experienceId };
  requireSuccess('a connection of a different account', await connections.create(other));
  const { id } = await assignments.createOrThrow({ experienceId });
  const answer = await connections.remove(connection);
  if (isSuccess(answer)) observe('connections.delete.blocking-numbers', 'account');
  if (answer.status !== 409) return;
  await assignments.remove(id);
  requireSuccess('the deletion to succeed after the number was unassigned', await connections.remove(connection));
  observe('connections.delete.blocking-numbers', 'experience');
});

test(getDecisionQuestion('connections.delete.other-assignments'), async ({ need, assignments, connections }) => {
  const connection = await connections.createOrThrow({ accountId: await need('account') });
  const { id } = await assignments.createOrThrow({ experienceId: connection.experienceId, targetType: 'USER' });
  const deletion = requireSuccess('a deleted connection', await connections.remove(connection));
  await expectEffect(deletion, async () => expectStatus(await connections.read(connection), 404));
  const { status } = await assignments.read(id);
  observe('connections.delete.other-assignments', status === 200 ? 'kept' : status === 404 ? 'removed' : undefined);
});
