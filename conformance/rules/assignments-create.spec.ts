import { test } from '../support/assignments-test.ts';
import { must } from '../support/broken.ts';
import { type Assignment, TARGET_TYPES } from '../support/make-assignment.ts';
import { rule } from '../support/rule.ts';
import { sameId } from '../support/same-id.ts';
import { success } from '../support/verify.ts';

const OPERATION = 'createExperienceAssignment';
/** There is one main account, so checks that assign it take turns; the same goes for the number of the second. */
const lock = ['account', 'number.second-account'];

for (const targetType of TARGET_TYPES) {
  test(`A creation with experienceId, targetType and targetValue is answered with 201 and the assignment: ${targetType}.`, {
    ...rule('assignments.create.created'),
    lock,
  }, async ({ assignments }) => {
    success(OPERATION, await assignments.create(await assignments.wanted({ targetType })), 201);
  });

  test(`The new assignment carries the experienceId, targetType and targetValue sent, an id and updatedAt: ${targetType}.`, {
    ...rule('assignments.create.echo'),
    lock,
  }, async ({ assignments }) => {
    const sent = await assignments.wanted({ targetType });
    const answer = await assignments.create(sent);
    const made = success<Assignment>(OPERATION, answer);
    must(sameId(made.experienceId, sent.experienceId), 'the Experience sent comes back', answer);
    must(made.targetType === targetType && sameId(made.targetValue, sent.targetValue), 'the target sent comes back', answer);
    must(made.id !== '' && made.updatedAt !== undefined, 'there are an id and updatedAt', answer);
  });
}

for (const targetType of TARGET_TYPES) {
  test(`The accountId of an assignment is the account that owns the target: ${targetType}.`, {
    ...rule('assignments.create.account-of-target'),
    lock,
  }, async ({ need, assignments }) => {
    const { accountId } = await assignments.make({ targetType });
    must(sameId(accountId, await need('account')), `accountId is ${await need('account')}, not ${accountId}`);
  });
}

test('The accountId of an assignment is the account that owns the target: a number of a second account.', {
  ...rule('assignments.create.account-of-target'),
  lock,
}, async ({ need, assignments }) => {
  const { accountId } = await assignments.make({ targetValue: await need('number.second-account') });
  must(sameId(accountId, await need('account.second')), `accountId is ${await need('account.second')}, not ${accountId}`);
});

for (const [first, second] of [
  ['experience', 'experience.second'],
  ['experience.agent', 'experience.second-agent'],
] as const) {
  test(
    `A target may be assigned to several Experiences: ${first} and ${second}.`,
    rule('assignments.create.several-experiences'),
    async ({ need, assignments }) => {
      const { targetType, targetValue } = await assignments.make({ experienceId: await need(first), targetType: 'USER' });
      success(OPERATION, await assignments.create({ experienceId: await need(second), targetType, targetValue }), 201);
    },
  );
}

test(
  'Once an assignment is deleted, its target can be assigned to the Experience again.',
  rule('assignments.create.again'),
  async ({ api, need, assignments }) => {
    const wanted = await assignments.wanted();
    const { id } = await assignments.make(wanted);
    success(
      'deleteExperienceAssignment',
      await api.call('deleteExperienceAssignment', { token: await need('token'), path: { assignmentId: id } }),
      204,
    );
    success(OPERATION, await assignments.create(wanted), 201);
  },
);

test('updatedAt is the last modification, in ISO 8601 UTC.', rule('assignments.create.updated-at-utc'), async ({ assignments }) => {
  const answer = await assignments.create(await assignments.wanted());
  // The contract's pattern asks for UTC; that it is a moment at all is asked here.
  const { updatedAt = '' } = success<Assignment>(OPERATION, answer);
  must(!Number.isNaN(Date.parse(updatedAt.replace(',', '.'))), 'updatedAt is a moment', answer);
});
