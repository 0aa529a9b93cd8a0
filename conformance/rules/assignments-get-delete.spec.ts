import { randomUUID } from 'node:crypto';
import { type Assignment, TARGET_TYPES } from '../actors/assignments.ts';
import { foundIn, listAll } from '../actors/lists.ts';
import { sameId } from '../expect/compare.ts';
import { expectRefused, expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/need.ts';

const GET = 'getExperienceAssignment';
const DELETE = 'deleteExperienceAssignment';

const withoutScope = async (need: Need) => (await need('token.without-scope'))['experience-assignments:manage'];

for (const targetType of TARGET_TYPES) {
  test(`An assignment carries id, experienceId, accountId, targetType, targetValue and updatedAt: ${targetType}.`, {
    ...rule('assignments.get.shape'),
    // Checks that assign the main account take turns.
    lock: 'account',
  }, async ({ assignments }) => {
    const { id } = await assignments.make({ targetType });
    const answer = await assignments.read(id);
    const read = expectSuccess<Assignment>(GET, answer, 200);
    must(sameId(read.id, id) && read.targetType === targetType, 'it is the assignment asked for', answer);
  });
}

test('Reading a new assignment returns what its creation returned.', rule('assignments.get.same-as-created'), async ({ assignments }) => {
  const creation = await assignments.create(await assignments.newBody());
  const created = expectSuccess<Assignment>('createExperienceAssignment', creation, 201);
  const answer = await assignments.read(created.id);
  const read = expectSuccess<Assignment>(GET, answer, 200);
  for (const field of ['id', 'experienceId', 'accountId', 'targetType', 'targetValue'] as const)
    must(sameId(read[field], created[field]), `its ${field} is ${created[field]}`, answer);
  // The two may have different precision.
  const difference = Math.abs(Date.parse(read.updatedAt ?? '') - Date.parse(created.updatedAt ?? ''));
  must(difference < 1000, `its updatedAt is ${created.updatedAt}`, answer);
});

const MISSING = [
  ['it does not exist', randomUUID()],
  ['its id is no UUID', 'no-such-assignment'],
] as const;
const GET_NOT_FOUND = 'An assignment that is missing, or that the caller has no access to, gets 404';

for (const [variant, missingId] of MISSING) {
  test(`${GET_NOT_FOUND}: ${variant}.`, rule('assignments.get.not-found'), async ({ assignments }) => {
    const { id } = await assignments.make();
    expectSuccess(GET, await assignments.read(id), 200);
    expectStatus(await assignments.read(missingId), 404);
  });
}

test(`${GET_NOT_FOUND}: the caller has no access.`, rule('assignments.get.not-found'), async ({ need, assignments }) => {
  const { id } = await assignments.make();
  expectSuccess(GET, await assignments.read(id), 200);
  expectStatus(await assignments.read(id, { token: await need('token.outsider') }), 404);
});

test(
  'Reading an assignment needs the scope experience-assignments:manage; a token without it never succeeds.',
  rule('assignments.get.scope'),
  async ({ need, assignments }) => {
    const { id } = await assignments.make();
    expectSuccess(GET, await assignments.read(id), 200);
    expectRefused(await assignments.read(id, { token: await withoutScope(need) }));
  },
);

test('A deletion gets 204 with no body.', rule('assignments.delete.no-body'), async ({ assignments }) => {
  const { id } = await assignments.make();
  const answer = await assignments.remove(id);
  expectSuccess(DELETE, answer, 204);
  must(answer.text === '', 'there is no body', answer);
});

test('A deleted assignment no longer exists.', rule('assignments.delete.gone'), async ({ api, need, assignments }) => {
  const created = await assignments.make();
  const { id, accountId, experienceId, targetType, targetValue } = created;
  expectSuccess(GET, await assignments.read(id), 200);
  expectSuccess(DELETE, await assignments.remove(id));
  expectStatus(await assignments.read(id), 404);
  for (const query of [{ targetType, targetValue }, { accountId }, { accountId, experienceId }]) {
    const list = await listAll(api, 'getExperienceAssignments', { token: await need('token'), query });
    must(foundIn(list, [created]).length === 0, `${id} is not listed any more for ${JSON.stringify(query)}`);
  }
});

// In the following checks the valid deletion comes last.

test(
  'A caller that may read the assignment but not delete it gets 403.',
  rule('assignments.delete.read-only'),
  async ({ need, assignments }) => {
    const [{ id }, token] = [await assignments.make(), await need('token.reader')];
    expectSuccess(GET, await assignments.read(id, { token }), 200);
    expectStatus(await assignments.remove(id, { token }), 403);
    expectSuccess(DELETE, await assignments.remove(id), 204);
  },
);

const DELETE_NOT_FOUND = 'Deleting an assignment that is missing, already deleted, or inaccessible to the caller gets 404';

for (const [variant, missingId] of MISSING) {
  test(`${DELETE_NOT_FOUND}: ${variant}.`, rule('assignments.delete.not-found'), async ({ assignments }) => {
    const { id } = await assignments.make();
    expectStatus(await assignments.remove(missingId), 404);
    expectSuccess(DELETE, await assignments.remove(id), 204);
  });
}

test(`${DELETE_NOT_FOUND}: it is already deleted.`, rule('assignments.delete.not-found'), async ({ assignments }) => {
  const { id } = await assignments.make();
  expectSuccess(DELETE, await assignments.remove(id), 204);
  expectStatus(await assignments.remove(id), 404);
});

test(`${DELETE_NOT_FOUND}: the caller has no access.`, rule('assignments.delete.not-found'), async ({ need, assignments }) => {
  const { id } = await assignments.make();
  expectStatus(await assignments.remove(id, { token: await need('token.outsider') }), 404);
  expectSuccess(DELETE, await assignments.remove(id), 204);
});

test(
  'Deleting an assignment needs the scope experience-assignments:manage; a token without it never succeeds.',
  rule('assignments.delete.scope'),
  async ({ need, assignments }) => {
    const { id } = await assignments.make();
    expectRefused(await assignments.remove(id, { token: await withoutScope(need) }));
    expectSuccess(DELETE, await assignments.remove(id), 204);
  },
);

for (const [who, tokenOf] of [
  ['a caller that may only read', (need: Need) => need('token.reader')],
  ['a caller without access', (need: Need) => need('token.outsider')],
  ['a token without the scope', withoutScope],
] as const) {
  test(
    `A refused deletion does not delete the assignment: ${who}.`,
    rule('assignments.delete.refused-changes-nothing'),
    async ({ need, assignments }) => {
      const { id } = await assignments.make();
      expectRefused(await assignments.remove(id, { token: await tokenOf(need) }));
      expectSuccess(GET, await assignments.read(id), 200);
    },
  );
}
