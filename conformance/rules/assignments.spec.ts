import { randomUUID } from 'node:crypto';
import { toMilliseconds } from '../../src/contract/instants.ts';
import { isSuccess } from '../../src/expect/response.ts';
import { must } from '../../src/expect/rule-broken.ts';
import { isSameId } from '../../src/expect/same-id.ts';
import { TARGET_TYPES } from '../../src/refusals/hostile-values.ts';
import type { Assignment } from '../actors/assignments.ts';
import { filterListed, requestAllEntities } from '../actors/lists.ts';
import { expectStatus, expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { endAsNotTestable } from '../target/check-report.ts';

const LIST = 'getExperienceAssignments';
/** Checks that assign the same account run one at a time. */
const lock = 'account';

for (const targetType of TARGET_TYPES) {
  test(...rule('assignments.create.created', targetType, { lock }), async ({ assignments }) => {
    expectSuccess(await assignments.create(await assignments.createBody({ targetType })), 201);
  });

  test(...rule('assignments.create.echo', targetType, { lock }), async ({ assignments }) => {
    const body = await assignments.createBody({ targetType });
    const answer = await assignments.create(body);
    const created = expectSuccess<Assignment>(answer);
    must(isSameId(created.experienceId, body.experienceId), 'experienceId is the id in the request', answer);
    must(
      created.targetType === targetType && isSameId(created.targetValue, body.targetValue),
      'targetType and targetValue are the values in the request',
      answer,
    );
    must(created.id !== '' && created.updatedAt !== undefined, 'the assignment has an id and updatedAt', answer);
  });

  test(...rule('assignments.create.account-of-target', targetType, { lock }), async ({ need, assignments }) => {
    const { accountId } = await assignments.createOrThrow({ targetType });
    must(isSameId(accountId, await need('account')), `accountId is ${await need('account')}, not ${accountId}`);
  });

  test(...rule('assignments.create.updated-at-utc', targetType, { lock }), async ({ assignments }) => {
    const answer = await assignments.create(await assignments.createBody({ targetType }));
    // The schema already requires UTC, so check only whether the value is a time.
    const { updatedAt = '' } = expectSuccess<Assignment>(answer);
    const time = Date.parse(updatedAt.replace(',', '.'));
    must(!Number.isNaN(time), 'updatedAt is a point in time', answer);
    must(time > Date.parse('2000-01-01T00:00:00Z'), 'updatedAt is the time of the creation, not a default such as 1970', answer);
  });

  test(...rule('assignments.get.shape', targetType, { lock }), async ({ assignments }) => {
    const { id } = await assignments.createOrThrow({ targetType });
    const answer = await assignments.read(id);
    const read = expectSuccess<Assignment>(answer, 200);
    must(isSameId(read.id, id) && read.targetType === targetType, 'the response contains the requested assignment', answer);
  });

  test(...rule('assignments.get.same-as-created', targetType, { lock }), async ({ assignments }) => {
    const created = expectSuccess<Assignment>(await assignments.create(await assignments.createBody({ targetType })), 201);
    const answer = await assignments.read(created.id);
    const read = expectSuccess<Assignment>(answer, 200);
    for (const field of ['id', 'experienceId', 'accountId', 'targetType', 'targetValue'] as const)
      must(isSameId(read[field], created[field]), `${field} of the assignment is ${created[field]}`, answer);
    // One of the two responses may contain fewer digits of updatedAt.
    const difference = Math.abs(toMilliseconds(read.updatedAt ?? '') - toMilliseconds(created.updatedAt ?? ''));
    must(difference < 1000, `updatedAt of the assignment is ${created.updatedAt}`, answer);
  });
}

test(...rule('assignments.create.read-only-members'), async ({ need, assignments }) => {
  const body = await assignments.createBody();
  const members = { id: randomUUID(), accountId: await need('account.second'), updatedAt: '2001-01-01T00:00:00Z' };
  const answer = await assignments.create({ ...body, ...members });
  // A target may refuse the members, if it accepts the same request without them.
  if (!isSuccess(answer)) return void expectSuccess(await assignments.create(body), 201);
  for (const shown of [answer, await assignments.read(String(Object(answer.json).id))]) {
    const { id, accountId, updatedAt = '' } = expectSuccess<Assignment>(shown);
    must(!isSameId(id, members.id) && !isSameId(accountId, members.accountId), 'id and accountId are not those in the request', shown);
    must(!updatedAt.startsWith('2001-'), 'updatedAt is not the one in the request', shown);
  }
});

for (const targetType of ['USER', 'PHONE_NUMBER'] as const) {
  test(...rule('assignments.create.several-experiences', targetType), async ({ api, need, assignments }) => {
    const created = await assignments.createOrThrow({ targetType, experienceId: await need('experience') });
    const { targetValue } = created;
    const answer = await assignments.create({ experienceId: await need('experience.second'), targetType, targetValue });
    // Two AGENT Experiences cannot share a number, so a 422 may be correct.
    if (targetType === 'PHONE_NUMBER' && answer.status === 422)
      endAsNotTestable('both Experiences are possibly of type AGENT, and two AGENT Experiences cannot share a number');
    const other = expectSuccess<Assignment>(answer, 201);
    const list = await requestAllEntities(api, LIST, { token: await need('token'), query: { targetType, targetValue } });
    must(filterListed(list, [created, other]).length === 2, `${targetValue} is assigned to both Experiences`, answer);
  });
}

test(...rule('assignments.create.again'), async ({ assignments }) => {
  const body = await assignments.createBody();
  const { id } = await assignments.createOrThrow(body);
  expectSuccess(await assignments.remove(id), 204);
  const answer = await assignments.create(body);
  const again = expectSuccess<Assignment>(answer, 201);
  must(!isSameId(again.id, id), 'the new assignment has a new id', answer);
  expectSuccess(await assignments.read(again.id), 200);
});

test(...rule('assignments.create.agent-number-freed'), async ({ need, assignments }) => {
  const [first, second] = [await need('experience.agent'), await need('experience.second-agent')];
  const body = await assignments.createBody({ experienceId: first });
  const { id } = await assignments.createOrThrow(body);
  expectSuccess(await assignments.remove(id), 204);
  expectSuccess(await assignments.create({ ...body, experienceId: second }), 201);
});

test(...rule('assignments.delete.no-body'), async ({ assignments }) => {
  const { id } = await assignments.createOrThrow();
  const answer = await assignments.remove(id);
  expectSuccess(answer, 204);
  must(answer.text === '', 'the response has no body', answer);
});

test(...rule('assignments.delete.gone'), async ({ assignments }) => {
  const { id } = await assignments.createOrThrow();
  expectStatus(await assignments.read(id), 200);
  expectSuccess(await assignments.remove(id));
  expectStatus(await assignments.read(id), 404);
});

test(...rule('assignments.delete.unlisted'), async ({ api, need, assignments }) => {
  const created = await assignments.createOrThrow();
  const { id, accountId, experienceId, targetType, targetValue } = created;
  expectSuccess(await assignments.remove(id));
  for (const query of [{ targetType, targetValue }, { accountId }, { accountId, experienceId }]) {
    const list = await requestAllEntities(api, LIST, { token: await need('token'), query });
    must(filterListed(list, [created]).length === 0, `the deleted assignment ${id} is not listed for ${JSON.stringify(query)}`);
  }
});
