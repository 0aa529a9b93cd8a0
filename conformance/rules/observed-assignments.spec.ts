import { randomUUID } from 'node:crypto';
import type { DecisionId } from '../../src/contract/generated/decisions.ts';
import type { Client } from '../actors/api-client.ts';
import { type Assignments, freeTarget } from '../actors/assignments.ts';
import { observe, observeStatus, questionOf } from '../expect/observed.ts';
import { requireSuccess } from '../expect/response.ts';
import { test } from '../runner/test.ts';
import type { Capability } from '../target/capabilities.ts';
import type { NewAssignment } from '../target/capabilities-of-events.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import { UNKNOWN_TARGETS } from '../target/sample-values.ts';

async function isAssignable(api: Client, need: Need, { experienceId, ...query }: NewAssignment): Promise<boolean | undefined> {
  const answer = await api.call('getExperienceAssignability', { token: await need('token'), path: { experienceId }, query });
  const { assignable } = requireSuccess('a check of assignability', answer).json as { assignable?: unknown };
  return typeof assignable === 'boolean' ? assignable : undefined;
}

/** A target that calls nothing assignable shows nothing. */
async function requireAssignable(api: Client, need: Need, body: NewAssignment): Promise<void> {
  if ((await isAssignable(api, need, body)) !== true) notTestable('a target that is assignable before');
}

test(questionOf('assignability.already-assigned'), async ({ api, need, assignments }) => {
  const body = await assignments.newBody();
  await requireAssignable(api, need, body);
  await assignments.make(body);
  observe('assignability.already-assigned', await isAssignable(api, need, body));
});

test(questionOf('assignability.agent-conflict'), async ({ api, need, assignments }) => {
  const body = await assignments.newBody({ experienceId: await need('experience.second-agent') });
  await requireAssignable(api, need, body);
  await assignments.make({ ...body, experienceId: await need('experience.agent') });
  observe('assignability.agent-conflict', await isAssignable(api, need, body));
});

test(questionOf('assignability.hidden-target'), async ({ api, need }) => {
  const ofUser = { experienceId: await need('experience'), targetType: 'USER' } as const;
  await requireAssignable(api, need, { ...ofUser, targetValue: await freeTarget(need, 'USER') });
  observe('assignability.hidden-target', await isAssignable(api, need, { ...ofUser, targetValue: await need('user.hidden') }));
});

/** Sends a creation with each of the faults, and then without, which must succeed. Reports the statuses. */
async function observeFaults(decision: DecisionId, assignments: Assignments, faults: readonly Partial<NewAssignment>[]): Promise<void> {
  const body = await assignments.newBody();
  const refused = [];
  for (const fault of faults) refused.push(await assignments.create({ ...body, ...fault }));
  requireSuccess('a creation without the fault', await assignments.create(body));
  for (const answer of refused) observeStatus(decision, answer);
}

/** The capability in a list, or an empty list: the decision can also be observed without it. */
async function ifThere<C extends Capability>(has: (capability: Capability) => boolean, need: Need, capability: C) {
  return has(capability) ? [await need(capability)] : [];
}

test(questionOf('assignments.create.malformed-body'), async ({ assignments }) => {
  const refused = [];
  for (const rawBody of ['{"unfinished":', '', '[]', 'null']) refused.push(await assignments.create(undefined, { rawBody }));
  requireSuccess('a creation', await assignments.create(await assignments.newBody()));
  for (const answer of refused) observeStatus('assignments.create.malformed-body', answer);
});

test(questionOf('assignments.create.duplicate'), async ({ assignments }) => {
  const body = await assignments.newBody();
  requireSuccess('a creation', await assignments.create(body));
  observeStatus('assignments.create.duplicate', await assignments.create(body));
});

test(questionOf('assignments.create.unknown-experience'), async ({ has, need, assignments }) => {
  const ids = [randomUUID(), ...(await ifThere(has, need, 'experience.hidden'))];
  const faults = ids.map((experienceId) => ({ experienceId }));
  await observeFaults('assignments.create.unknown-experience', assignments, faults);
});

test(questionOf('assignments.create.read-only-experience'), async ({ need, assignments }) => {
  await observeFaults('assignments.create.read-only-experience', assignments, [{ experienceId: await need('experience.read-only') }]);
});

test(questionOf('assignments.create.unknown-target'), async ({ has, need, assignments }) => {
  const accounts = [UNKNOWN_TARGETS.ACCOUNT(), ...(await ifThere(has, need, 'account.hidden'))];
  // Not an unknown user, for which the specification gives the status.
  const users = await ifThere(has, need, 'user.hidden');
  await observeFaults('assignments.create.unknown-target', assignments, [
    { targetType: 'PHONE_NUMBER', targetValue: UNKNOWN_TARGETS.PHONE_NUMBER() },
    ...accounts.map((targetValue) => ({ targetType: 'ACCOUNT', targetValue }) as const),
    ...users.map((targetValue) => ({ targetType: 'USER', targetValue }) as const),
  ]);
});

test(questionOf('assignments.create.read-only-target'), async ({ need, assignments }) => {
  const [{ id }, token] = [await assignments.make(), await need('token.reader')];
  requireSuccess('a target that may be read', await assignments.read(id, { token }));
  const body = await assignments.newBody();
  const answer = await assignments.create(body, { token });
  requireSuccess('the same by a caller that may manage it', await assignments.create(body));
  observeStatus('assignments.create.read-only-target', answer);
});

test(questionOf('assignments.create.needs-connection'), async ({ need, assignments, connections }) => {
  const body = await assignments.newBody({ experienceId: await (await need('experiences.unconnected'))() });
  const answer = await assignments.create(body);
  if (answer.status === 201) return observe('assignments.create.needs-connection', 'no');
  const { experienceId } = await connections.make({ accountId: await need('account') });
  requireSuccess('the same with a connection', await assignments.create({ ...body, experienceId }));
  observeStatus('assignments.create.needs-connection', answer);
});
