import { randomUUID } from 'node:crypto';
import type { DecisionId } from '../../src/contract/generated/decisions.ts';
import type { Assignments } from '../actors/assignments.ts';
import { observe, observeStatus, questionOf } from '../expect/observed.ts';
import { requireSuccess } from '../expect/response.ts';
import { test } from '../runner/test.ts';
import type { Capability } from '../target/capabilities.ts';
import type { NewAssignment } from '../target/capabilities-of-events.ts';
import type { Need } from '../target/need.ts';
import { UNKNOWN_TARGETS } from '../target/sample-values.ts';

/** Creations with faults, and then the same without, which shows that nothing else was in the way. */
async function refusedWith(decision: DecisionId, assignments: Assignments, faults: readonly Partial<NewAssignment>[]): Promise<void> {
  const wanted = await assignments.newBody();
  const refused = [];
  for (const fault of faults) refused.push(await assignments.create({ ...wanted, ...fault }));
  requireSuccess('a creation without the fault', await assignments.create(wanted));
  for (const answer of refused) observeStatus(decision, answer);
}

/** What the target has of these; the decision can be seen by the others, too. */
async function had<C extends Capability>(has: (capability: Capability) => boolean, need: Need, capability: C) {
  return has(capability) ? [await need(capability)] : [];
}

test(questionOf('assignments.create.malformed-body'), async ({ assignments }) => {
  const refused = [];
  for (const rawBody of ['{"unfinished":', '', '[]', 'null']) refused.push(await assignments.create(undefined, { rawBody }));
  requireSuccess('a creation', await assignments.create(await assignments.newBody()));
  for (const answer of refused) observeStatus('assignments.create.malformed-body', answer);
});

test(questionOf('assignments.create.duplicate'), async ({ assignments }) => {
  const wanted = await assignments.newBody();
  requireSuccess('a creation', await assignments.create(wanted));
  observeStatus('assignments.create.duplicate', await assignments.create(wanted));
});

test(questionOf('assignments.create.unknown-experience'), async ({ has, need, assignments }) => {
  const ids = [randomUUID(), ...(await had(has, need, 'experience.hidden'))];
  await refusedWith(
    'assignments.create.unknown-experience',
    assignments,
    ids.map((experienceId) => ({ experienceId })),
  );
});

test(questionOf('assignments.create.read-only-experience'), async ({ need, assignments }) => {
  await refusedWith('assignments.create.read-only-experience', assignments, [{ experienceId: await need('experience.read-only') }]);
});

test(questionOf('assignments.create.unknown-target'), async ({ has, need, assignments }) => {
  const accounts = [UNKNOWN_TARGETS.ACCOUNT(), ...(await had(has, need, 'account.hidden'))];
  // Of a user that does not exist the specification says the status; not of one that is hidden.
  const users = await had(has, need, 'user.hidden');
  await refusedWith('assignments.create.unknown-target', assignments, [
    { targetType: 'PHONE_NUMBER', targetValue: UNKNOWN_TARGETS.PHONE_NUMBER() },
    ...accounts.map((targetValue) => ({ targetType: 'ACCOUNT', targetValue }) as const),
    ...users.map((targetValue) => ({ targetType: 'USER', targetValue }) as const),
  ]);
});

test(questionOf('assignments.create.read-only-target'), async ({ api, need, assignments }) => {
  const [made, token] = [await assignments.make(), await need('token.reader')];
  requireSuccess('a target that may be read', await api.call('getExperienceAssignment', { token, path: { assignmentId: made.id } }));
  const wanted = await assignments.newBody();
  const answer = await assignments.create(wanted, { token });
  requireSuccess('the same by a caller that may manage it', await assignments.create(wanted));
  observeStatus('assignments.create.read-only-target', answer);
});

test(questionOf('assignments.create.needs-connection'), async ({ need, assignments, connections }) => {
  const loose = await assignments.newBody({ experienceId: await (await need('experiences.unconnected'))() });
  const answer = await assignments.create(loose);
  if (answer.status === 201) return observe('assignments.create.needs-connection', 'no');
  const { experienceId } = await connections.make({ accountId: await need('account') });
  requireSuccess('the same with a connection', await assignments.create({ ...loose, experienceId }));
  observeStatus('assignments.create.needs-connection', answer);
});
