import { randomUUID } from 'node:crypto';
import { type Assignment, TARGET_TYPES } from '../actors/assignments.ts';
import { foundIn, listAll } from '../actors/lists.ts';
import { sameId } from '../expect/compare.ts';
import { expectRefused, expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

const GET = 'getExperienceAssignment';
const DELETE = 'deleteExperienceAssignment';
/** There is one main account, so checks that assign it take turns. */
const lock = 'account';

for (const targetType of TARGET_TYPES) {
  test(`An assignment carries id, experienceId, accountId, targetType, targetValue and updatedAt: ${targetType}.`, {
    ...rule('assignments.get.shape'),
    lock,
  }, async ({ api, need, assignments }) => {
    const { id } = await assignments.make({ targetType });
    const answer = await api.call(GET, { token: await need('token'), path: { assignmentId: id } });
    const read = expectSuccess<Assignment>(GET, answer, 200);
    must(sameId(read.id, id) && read.targetType === targetType, 'it is the assignment asked for', answer);
  });
}

test(
  'Reading a new assignment gives what its creation answered.',
  rule('assignments.get.same-as-created'),
  async ({ api, need, assignments }) => {
    const made = expectSuccess<Assignment>('createExperienceAssignment', await assignments.create(await assignments.newBody()), 201);
    const answer = await api.call(GET, { token: await need('token'), path: { assignmentId: made.id } });
    const read = expectSuccess<Assignment>(GET, answer, 200);
    for (const field of ['id', 'experienceId', 'accountId', 'targetType', 'targetValue'] as const)
      must(sameId(read[field], made[field]), `its ${field} is ${made[field]}`, answer);
    // The two may be written with different precision.
    const apart = Math.abs(Date.parse(read.updatedAt ?? '') - Date.parse(made.updatedAt ?? ''));
    must(apart < 1000, `its updatedAt is ${made.updatedAt}`, answer);
  },
);

for (const [which, assignmentId] of [
  ['one that does not exist', randomUUID()],
  ['one whose id is no UUID', 'no-such-assignment'],
] as const) {
  test(
    `An assignment that is missing, or that the caller has no access to, gets 404: ${which}.`,
    rule('assignments.get.not-found'),
    async ({ api, need, assignments }) => {
      const { id } = await assignments.make();
      const token = await need('token');
      expectSuccess(GET, await api.call(GET, { token, path: { assignmentId: id } }), 200);
      expectStatus(await api.call(GET, { token, path: { assignmentId } }), 404);
    },
  );

  test(
    `An assignment that is missing, already deleted, or out of the caller’s reach gets 404: ${which}.`,
    rule('assignments.delete.not-found'),
    async ({ api, need, assignments }) => {
      const { id } = await assignments.make();
      const token = await need('token');
      expectStatus(await api.call(DELETE, { token, path: { assignmentId } }), 404);
      expectSuccess(DELETE, await api.call(DELETE, { token, path: { assignmentId: id } }), 204);
    },
  );
}

test(
  'An assignment that is missing, or that the caller has no access to, gets 404: one out of reach.',
  rule('assignments.get.not-found'),
  async ({ api, need, assignments }) => {
    const { id } = await assignments.make();
    const path = { assignmentId: id };
    expectSuccess(GET, await api.call(GET, { token: await need('token'), path }), 200);
    expectStatus(await api.call(GET, { token: await need('token.outsider'), path }), 404);
  },
);

test(
  'Reading an assignment needs the scope experience-assignments:manage; a token without it is never answered with expectSuccess.',
  rule('assignments.get.scope'),
  async ({ api, need, assignments }) => {
    const { id } = await assignments.make();
    const path = { assignmentId: id };
    expectSuccess(GET, await api.call(GET, { token: await need('token'), path }), 200);
    const { 'experience-assignments:manage': token } = await need('token.without-scope');
    expectRefused(await api.call(GET, { token, path }));
  },
);

test('A deletion is answered with 204 and no body.', rule('assignments.delete.no-body'), async ({ api, need, assignments }) => {
  const { id } = await assignments.make();
  const answer = await api.call(DELETE, { token: await need('token'), path: { assignmentId: id } });
  expectSuccess(DELETE, answer, 204);
  must(answer.text === '', 'there is no body', answer);
});

test('A deleted assignment no longer exists.', rule('assignments.delete.gone'), async ({ api, need, assignments }) => {
  const made = await assignments.make();
  const [token, path] = [await need('token'), { assignmentId: made.id }];
  const { accountId, experienceId, targetType, targetValue } = made;
  expectSuccess(GET, await api.call(GET, { token, path }), 200);
  expectSuccess(DELETE, await api.call(DELETE, { token, path }));
  expectStatus(await api.call(GET, { token, path }), 404);
  for (const query of [{ targetType, targetValue }, { accountId }, { accountId, experienceId }]) {
    const left = await listAll(api, 'getExperienceAssignments', { token, query });
    must(foundIn(left, [made]).length === 0, `${made.id} is not listAll any more for ${JSON.stringify(query)}`);
  }
});

test(
  'A caller that may read the assignment but not delete it gets 403.',
  rule('assignments.delete.read-only'),
  async ({ api, need, assignments }) => {
    const { id } = await assignments.make();
    const [token, path] = [await need('token.reader'), { assignmentId: id }];
    expectSuccess(GET, await api.call(GET, { token, path }), 200);
    expectStatus(await api.call(DELETE, { token, path }), 403);
    expectSuccess(DELETE, await api.call(DELETE, { token: await need('token'), path }), 204);
  },
);

test(
  'An assignment that is missing, already deleted, or out of the caller’s reach gets 404: one already deleted.',
  rule('assignments.delete.not-found'),
  async ({ api, need, assignments }) => {
    const { id } = await assignments.make();
    const call = { token: await need('token'), path: { assignmentId: id } };
    expectSuccess(DELETE, await api.call(DELETE, call), 204);
    expectStatus(await api.call(DELETE, call), 404);
  },
);

test(
  'An assignment that is missing, already deleted, or out of the caller’s reach gets 404: one out of reach.',
  rule('assignments.delete.not-found'),
  async ({ api, need, assignments }) => {
    const { id } = await assignments.make();
    const path = { assignmentId: id };
    expectStatus(await api.call(DELETE, { token: await need('token.outsider'), path }), 404);
    expectSuccess(DELETE, await api.call(DELETE, { token: await need('token'), path }), 204);
  },
);

for (const who of ['token.reader', 'token.outsider', 'token.without-scope'] as const) {
  test(
    `A expectRefused deletion leaves the assignment: ${who}.`,
    rule('assignments.delete.refused-changes-nothing'),
    async ({ api, need, assignments }) => {
      const { id } = await assignments.make();
      const path = { assignmentId: id };
      const token = who === 'token.without-scope' ? (await need(who))['experience-assignments:manage'] : await need(who);
      expectRefused(await api.call(DELETE, { token, path }));
      expectSuccess(GET, await api.call(GET, { token: await need('token'), path }), 200);
    },
  );
}

test(
  'Deleting an assignment needs the scope experience-assignments:manage; a token without it is never answered with expectSuccess.',
  rule('assignments.delete.scope'),
  async ({ api, need, assignments }) => {
    const { id } = await assignments.make();
    const path = { assignmentId: id };
    const { 'experience-assignments:manage': token } = await need('token.without-scope');
    expectRefused(await api.call(DELETE, { token, path }));
    expectSuccess(DELETE, await api.call(DELETE, { token: await need('token'), path }), 204);
  },
);
