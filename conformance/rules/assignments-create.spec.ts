import { type Assignment, TARGET_TYPES } from '../actors/assignments.ts';
import { foundIn, listAll } from '../actors/lists.ts';
import { sameId } from '../expect/compare.ts';
import { expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { notTestable } from '../target/not-testable.ts';

const OPERATION = 'createExperienceAssignment';
/** There is one main account, so checks that assign it take turns; the same goes for the number of the second. */
const lock = ['account', 'number.second-account'];

for (const targetType of TARGET_TYPES) {
  test(`A creation with experienceId, targetType and targetValue is answered with 201 and the assignment: ${targetType}.`, {
    ...rule('assignments.create.created'),
    lock,
  }, async ({ assignments }) => {
    expectSuccess(OPERATION, await assignments.create(await assignments.newBody({ targetType })), 201);
  });

  test(`The new assignment carries the experienceId, targetType and targetValue sent, an id and updatedAt: ${targetType}.`, {
    ...rule('assignments.create.echo'),
    lock,
  }, async ({ assignments }) => {
    const sent = await assignments.newBody({ targetType });
    const answer = await assignments.create(sent);
    const made = expectSuccess<Assignment>(OPERATION, answer);
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
    const answer = await assignments.create({ ...(await assignments.newBody(made)), experienceId: await need(second) });
    // What type they are of is not shown: if it is AGENT, both, then this is the answer.
    if (targetType === 'PHONE_NUMBER' && answer.status === 422) notTestable('an Experience of another type than AGENT');
    const also = expectSuccess<Assignment>(OPERATION, answer, 201);
    const query = { targetType, targetValue: made.targetValue };
    const list = await listAll(api, 'getExperienceAssignments', { token: await need('token'), query });
    must(foundIn(list, [made, also]).length === 2, `${made.targetValue} is assigned to both Experiences`, answer);
  });
}

test(
  'Once an assignment is deleted, its target can be assigned to the Experience again.',
  rule('assignments.create.again'),
  async ({ api, need, assignments }) => {
    const wanted = await assignments.newBody();
    const { id } = await assignments.make(wanted);
    const token = await need('token');
    expectSuccess('deleteExperienceAssignment', await api.call('deleteExperienceAssignment', { token, path: { assignmentId: id } }), 204);
    const again = expectSuccess<Assignment>(OPERATION, await assignments.create(wanted), 201);
    const path = { assignmentId: again.id };
    expectSuccess('getExperienceAssignment', await api.call('getExperienceAssignment', { token, path }), 200);
  },
);

test('updatedAt is the last modification, in ISO 8601 UTC.', rule('assignments.create.updated-at-utc'), async ({ assignments }) => {
  const answer = await assignments.create(await assignments.newBody());
  // The contract's pattern asks for UTC; that it is a moment at all is asked here.
  const { updatedAt = '' } = expectSuccess<Assignment>(OPERATION, answer);
  const moment = Date.parse(updatedAt.replace(',', '.'));
  must(!Number.isNaN(moment), 'updatedAt is a moment', answer);
  // Whatever the target's clock says: it was set since clocks begin at 1970, or in the year 1.
  must(moment > Date.parse('2000-01-01T00:00:00Z'), 'updatedAt is the moment of the creation, not the beginning of time', answer);
});
