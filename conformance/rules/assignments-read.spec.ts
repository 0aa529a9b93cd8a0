import { randomUUID } from 'node:crypto';
import { type Assignment, TARGET_TYPES } from '../actors/make-assignment.ts';
import { must } from '../expect/broken.ts';
import { among, listed } from '../expect/pages.ts';
import { sameId } from '../expect/same-id.ts';
import { refusal, refused, success } from '../expect/verify.ts';
import { test } from '../runner/assignments-test.ts';
import { rule } from '../runner/rule.ts';

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
    const read = success<Assignment>(GET, answer, 200);
    must(sameId(read.id, id) && read.targetType === targetType, 'it is the assignment asked for', answer);
  });
}

test(
  'Reading a new assignment gives what its creation answered.',
  rule('assignments.get.same-as-created'),
  async ({ api, need, assignments }) => {
    const made = success<Assignment>('createExperienceAssignment', await assignments.create(await assignments.wanted()), 201);
    const answer = await api.call(GET, { token: await need('token'), path: { assignmentId: made.id } });
    const read = success<Assignment>(GET, answer, 200);
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
      success(GET, await api.call(GET, { token, path: { assignmentId: id } }), 200);
      refusal(await api.call(GET, { token, path: { assignmentId } }), 404);
    },
  );

  test(
    `An assignment that is missing, already deleted, or out of the caller’s reach gets 404: ${which}.`,
    rule('assignments.delete.not-found'),
    async ({ api, need, assignments }) => {
      const { id } = await assignments.make();
      const token = await need('token');
      refusal(await api.call(DELETE, { token, path: { assignmentId } }), 404);
      success(DELETE, await api.call(DELETE, { token, path: { assignmentId: id } }), 204);
    },
  );
}

test(
  'An assignment that is missing, or that the caller has no access to, gets 404: one out of reach.',
  rule('assignments.get.not-found'),
  async ({ api, need, assignments }) => {
    const { id } = await assignments.make();
    const path = { assignmentId: id };
    success(GET, await api.call(GET, { token: await need('token'), path }), 200);
    refusal(await api.call(GET, { token: await need('token.outsider'), path }), 404);
  },
);

test(
  'Reading an assignment needs the scope experience-assignments:manage; a token without it is never answered with success.',
  rule('assignments.get.scope'),
  async ({ api, need, assignments }) => {
    const { id } = await assignments.make();
    const path = { assignmentId: id };
    success(GET, await api.call(GET, { token: await need('token'), path }), 200);
    const { 'experience-assignments:manage': token } = await need('token.without-scope');
    refused(await api.call(GET, { token, path }));
  },
);

test('A deletion is answered with 204 and no body.', rule('assignments.delete.no-body'), async ({ api, need, assignments }) => {
  const { id } = await assignments.make();
  const answer = await api.call(DELETE, { token: await need('token'), path: { assignmentId: id } });
  success(DELETE, answer, 204);
  must(answer.text === '', 'there is no body', answer);
});

test('A deleted assignment no longer exists.', rule('assignments.delete.gone'), async ({ api, need, assignments }) => {
  const made = await assignments.make();
  const [token, path] = [await need('token'), { assignmentId: made.id }];
  const { accountId, experienceId, targetType, targetValue } = made;
  success(GET, await api.call(GET, { token, path }), 200);
  success(DELETE, await api.call(DELETE, { token, path }));
  refusal(await api.call(GET, { token, path }), 404);
  for (const query of [{ targetType, targetValue }, { accountId }, { accountId, experienceId }]) {
    const left = await listed(api, 'getExperienceAssignments', { token, query });
    must(among(left, [made]).length === 0, `${made.id} is not listed any more for ${JSON.stringify(query)}`);
  }
});

test(
  'A caller that may read the assignment but not delete it gets 403.',
  rule('assignments.delete.read-only'),
  async ({ api, need, assignments }) => {
    const { id } = await assignments.make();
    const [token, path] = [await need('token.reader'), { assignmentId: id }];
    success(GET, await api.call(GET, { token, path }), 200);
    refusal(await api.call(DELETE, { token, path }), 403);
    success(DELETE, await api.call(DELETE, { token: await need('token'), path }), 204);
  },
);

test(
  'An assignment that is missing, already deleted, or out of the caller’s reach gets 404: one already deleted.',
  rule('assignments.delete.not-found'),
  async ({ api, need, assignments }) => {
    const { id } = await assignments.make();
    const call = { token: await need('token'), path: { assignmentId: id } };
    success(DELETE, await api.call(DELETE, call), 204);
    refusal(await api.call(DELETE, call), 404);
  },
);

test(
  'An assignment that is missing, already deleted, or out of the caller’s reach gets 404: one out of reach.',
  rule('assignments.delete.not-found'),
  async ({ api, need, assignments }) => {
    const { id } = await assignments.make();
    const path = { assignmentId: id };
    refusal(await api.call(DELETE, { token: await need('token.outsider'), path }), 404);
    success(DELETE, await api.call(DELETE, { token: await need('token'), path }), 204);
  },
);

for (const who of ['token.reader', 'token.outsider', 'token.without-scope'] as const) {
  test(
    `A refused deletion leaves the assignment: ${who}.`,
    rule('assignments.delete.refused-changes-nothing'),
    async ({ api, need, assignments }) => {
      const { id } = await assignments.make();
      const path = { assignmentId: id };
      const token = who === 'token.without-scope' ? (await need(who))['experience-assignments:manage'] : await need(who);
      refused(await api.call(DELETE, { token, path }));
      success(GET, await api.call(GET, { token: await need('token'), path }), 200);
    },
  );
}

test(
  'Deleting an assignment needs the scope experience-assignments:manage; a token without it is never answered with success.',
  rule('assignments.delete.scope'),
  async ({ api, need, assignments }) => {
    const { id } = await assignments.make();
    const path = { assignmentId: id };
    const { 'experience-assignments:manage': token } = await need('token.without-scope');
    refused(await api.call(DELETE, { token, path }));
    success(DELETE, await api.call(DELETE, { token: await need('token'), path }), 204);
  },
);
