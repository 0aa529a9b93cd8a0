import { randomUUID } from 'node:crypto';
import type { Client } from '../actors/api-client.ts';
import { type Assignment, TARGET_TYPES } from '../actors/assignments.ts';
import { foundIn, listAll } from '../actors/lists.ts';
import { compareInstants, sameId } from '../expect/compare.ts';
import { expectRefused, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { NewAssignment } from '../target/capabilities-of-events.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import { UNKNOWN_TARGETS } from '../target/sample-values.ts';

const OPERATION = 'createExperienceAssignment';
const LIST = 'getExperienceAssignments';
/** Checks that assign the main account, or the known number of the second account, take turns. */
const lock = ['account', 'number.second-account'];

for (const targetType of TARGET_TYPES) {
  test(`A creation with experienceId, targetType and targetValue gets 201 with the assignment: ${targetType}.`, {
    ...rule('assignments.create.created'),
    lock,
  }, async ({ assignments }) => {
    expectSuccess(OPERATION, await assignments.create(await assignments.newBody({ targetType })), 201);
  });

  test(`The new assignment carries the experienceId, targetType and targetValue sent, an id and updatedAt: ${targetType}.`, {
    ...rule('assignments.create.echo'),
    lock,
  }, async ({ assignments }) => {
    const body = await assignments.newBody({ targetType });
    const answer = await assignments.create(body);
    const created = expectSuccess<Assignment>(OPERATION, answer);
    must(sameId(created.experienceId, body.experienceId), 'experienceId is the one sent', answer);
    must(created.targetType === targetType && sameId(created.targetValue, body.targetValue), 'the target is the one sent', answer);
    must(created.id !== '' && created.updatedAt !== undefined, 'there are an id and updatedAt', answer);
  });

  test(`The accountId of an assignment is the account that owns the target: ${targetType}.`, {
    ...rule('assignments.create.account-of-target'),
    lock,
  }, async ({ need, assignments }) => {
    const { accountId } = await assignments.make({ targetType });
    must(sameId(accountId, await need('account')), `accountId is ${await need('account')}, not ${accountId}`);
  });
}

test('The accountId of an assignment is the account that owns the target: a number of the second account.', {
  ...rule('assignments.create.account-of-target'),
  lock,
}, async ({ need, assignments }) => {
  const { accountId } = await assignments.make({ targetValue: await need('number.second-account') });
  must(sameId(accountId, await need('account.second')), `accountId is ${await need('account.second')}, not ${accountId}`);
});

for (const [targetType, first, second] of [
  ['USER', 'experience', 'experience.second'],
  ['USER', 'experience.agent', 'experience.second-agent'],
  ['ACCOUNT', 'experience', 'experience.second'],
  ['PHONE_NUMBER', 'experience', 'experience.second'],
  ['PHONE_NUMBER', 'experience', 'experience.agent'],
  ['PHONE_NUMBER', 'experience.agent', 'experience'],
] as const) {
  test(`A target may be assigned to several Experiences: ${targetType}, ${first} and ${second}.`, {
    ...rule('assignments.create.several-experiences'),
    lock,
  }, async ({ api, need, assignments }) => {
    const created = await assignments.make({ experienceId: await need(first), targetType });
    const { targetValue } = created;
    const answer = await assignments.create({ experienceId: await need(second), targetType, targetValue });
    // The specification does not show the types of these Experiences. Two of type AGENT cannot share a number.
    if (targetType === 'PHONE_NUMBER' && answer.status === 422) notTestable('an Experience of another type than AGENT');
    const other = expectSuccess<Assignment>(OPERATION, answer, 201);
    const list = await listAll(api, LIST, { token: await need('token'), query: { targetType, targetValue } });
    must(foundIn(list, [created, other]).length === 2, `${targetValue} is assigned to both Experiences`, answer);
  });
}

test(
  'Once an assignment is deleted, its target can be assigned to the Experience again.',
  rule('assignments.create.again'),
  async ({ assignments }) => {
    const body = await assignments.newBody();
    const { id } = await assignments.make(body);
    expectSuccess('deleteExperienceAssignment', await assignments.remove(id), 204);
    const again = expectSuccess<Assignment>(OPERATION, await assignments.create(body), 201);
    expectSuccess('getExperienceAssignment', await assignments.read(again.id), 200);
  },
);

test('updatedAt is the last modification, in ISO 8601 UTC.', rule('assignments.create.updated-at-utc'), async ({ assignments }) => {
  const answer = await assignments.create(await assignments.newBody());
  // The contract requires the form in UTC; here it must also be a plausible time.
  const { updatedAt = '' } = expectSuccess<Assignment>(OPERATION, answer);
  const time = Date.parse(updatedAt.replace(',', '.'));
  must(!Number.isNaN(time), 'updatedAt is a point in time', answer);
  must(time > Date.parse('2000-01-01T00:00:00Z'), 'updatedAt is the time of the creation, not a default of 1970 or earlier', answer);
});

const UNCHANGED = 'A refused creation leaves the assignments as they were';

/** @throws RuleBroken unless the target has exactly these assignments */
async function expectAssignments(
  api: Client,
  need: Need,
  { targetType, targetValue }: Pick<NewAssignment, 'targetType' | 'targetValue'>,
  expected: readonly Assignment[],
): Promise<void> {
  const list = await listAll(api, LIST, { token: await need('token'), query: { targetType, targetValue } });
  const isExact = list.length === expected.length && foundIn(list, expected).length === expected.length;
  must(isExact, `${targetValue} has the assignments it had, ${JSON.stringify(expected)}, not ${JSON.stringify(list)}`);
}

test(`${UNCHANGED}: a duplicate.`, rule('assignments.create.refused-changes-nothing'), async ({ api, need, assignments }) => {
  const created = await assignments.make();
  const { id, experienceId, targetType, targetValue } = created;
  const read = async () => expectSuccess<Assignment>('getExperienceAssignment', await assignments.read(id), 200);
  const before = await read();
  expectRefused(await assignments.create({ experienceId, targetType, targetValue }));
  await expectAssignments(api, need, created, [created]);
  const after = await read();
  for (const field of ['experienceId', 'accountId', 'targetType', 'targetValue'] as const)
    must(sameId(after[field], before[field]), `its ${field} is still ${before[field]}, not ${after[field]}`);
  const isSame = compareInstants(before.updatedAt ?? '', after.updatedAt ?? '') === 0;
  must(isSame, `its updatedAt is still ${before.updatedAt}, not ${after.updatedAt}`);
});

test(
  `${UNCHANGED}: a number of another AGENT Experience.`,
  rule('assignments.create.refused-changes-nothing'),
  async ({ api, need, assignments }) => {
    const created = await assignments.make({ experienceId: await need('experience.agent') });
    const { targetType, targetValue } = created;
    expectRefused(await assignments.create({ experienceId: await need('experience.second-agent'), targetType, targetValue }));
    await expectAssignments(api, need, created, [created]);
  },
);

/** Requests that are refused: changes to the body, or another token. */
const REFUSED: readonly [reason: string, change: (need: Need) => Promise<{ experienceId?: unknown; token?: string }>][] = [
  ['no experienceId', async () => ({ experienceId: undefined })],
  ['experienceId is null', async () => ({ experienceId: null })],
  ['the Experience does not exist', async () => ({ experienceId: randomUUID() })],
  ['the caller may only read', async (need) => ({ token: await need('token.reader') })],
  ['the caller has no access', async (need) => ({ token: await need('token.outsider') })],
  ['the token lacks the scope', async (need) => ({ token: (await need('token.without-scope'))['experience-assignments:manage'] })],
];
for (const [reason, change] of REFUSED) {
  test(`${UNCHANGED}: ${reason}.`, rule('assignments.create.refused-changes-nothing'), async ({ api, need, assignments }) => {
    const body = await assignments.newBody();
    const { token = await need('token'), ...changes } = await change(need);
    expectRefused(await assignments.create({ ...body, ...changes }, { token }));
    await expectAssignments(api, need, body, []);
    expectSuccess(OPERATION, await assignments.create(body), 201);
  });
}

test(`${UNCHANGED}: the user is unknown.`, rule('assignments.create.refused-changes-nothing'), async ({ api, need, assignments }) => {
  const body = await assignments.newBody({ targetType: 'USER' });
  const query = { targetType: 'USER', targetValue: UNKNOWN_TARGETS.USER() };
  expectRefused(await assignments.create({ ...body, ...query }));
  expectSuccess(OPERATION, await assignments.create(body), 201);
  const answer = await api.call(LIST, { token: await need('token'), query });
  // A target may refuse to list the assignments of an unknown user.
  if (answer.status === 403 || answer.status === 404) return;
  must(expectSuccess<{ entities: unknown[] }>(LIST, answer, 200).entities.length === 0, 'the user has no assignments', answer);
});
