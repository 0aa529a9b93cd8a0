import { type Assignment, TARGET_TYPES } from '../actors/make-assignment.ts';
import { must } from '../expect/broken.ts';
import { among, listed } from '../expect/pages.ts';
import { sameId } from '../expect/same-id.ts';
import { success } from '../expect/verify.ts';
import { test } from '../runner/assignments-test.ts';
import { rule } from '../runner/rule.ts';
import { notTestable } from '../target/not-testable.ts';

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

const SEVERAL = [
  ['USER', 'experience', 'experience.second'],
  ['USER', 'experience.agent', 'experience.second-agent'],
  ['ACCOUNT', 'experience', 'experience.second'],
  ['PHONE_NUMBER', 'experience', 'experience.second'],
  ['PHONE_NUMBER', 'experience', 'experience.agent'],
  ['PHONE_NUMBER', 'experience.agent', 'experience'],
] as const;

for (const [targetType, first, second] of SEVERAL) {
  test(`A target may be assigned to several Experiences: ${targetType}, ${first} and ${second}.`, {
    ...rule('assignments.create.several-experiences'),
    lock,
  }, async ({ api, need, assignments }) => {
    const made = await assignments.make({ experienceId: await need(first), targetType });
    const answer = await assignments.create({ ...(await assignments.wanted(made)), experienceId: await need(second) });
    // What type they are of is not shown: if it is AGENT, both, then this is the answer.
    if (targetType === 'PHONE_NUMBER' && answer.status === 422) notTestable('an Experience of another type than AGENT');
    const also = success<Assignment>(OPERATION, answer, 201);
    const query = { targetType, targetValue: made.targetValue };
    const list = await listed(api, 'getExperienceAssignments', { token: await need('token'), query });
    must(among(list, [made, also]).length === 2, `${made.targetValue} is assigned to both Experiences`, answer);
  });
}

test(
  'Once an assignment is deleted, its target can be assigned to the Experience again.',
  rule('assignments.create.again'),
  async ({ api, need, assignments }) => {
    const wanted = await assignments.wanted();
    const { id } = await assignments.make(wanted);
    const token = await need('token');
    success('deleteExperienceAssignment', await api.call('deleteExperienceAssignment', { token, path: { assignmentId: id } }), 204);
    const again = success<Assignment>(OPERATION, await assignments.create(wanted), 201);
    const path = { assignmentId: again.id };
    success('getExperienceAssignment', await api.call('getExperienceAssignment', { token, path }), 200);
  },
);

test('updatedAt is the last modification, in ISO 8601 UTC.', rule('assignments.create.updated-at-utc'), async ({ assignments }) => {
  const answer = await assignments.create(await assignments.wanted());
  // The contract's pattern asks for UTC; that it is a moment at all is asked here.
  const { updatedAt = '' } = success<Assignment>(OPERATION, answer);
  const moment = Date.parse(updatedAt.replace(',', '.'));
  must(!Number.isNaN(moment), 'updatedAt is a moment', answer);
  // Whatever the target's clock says: it was set since clocks begin at 1970, or in the year 1.
  must(moment > Date.parse('2000-01-01T00:00:00Z'), 'updatedAt is the moment of the creation, not the beginning of time', answer);
});
