import type { RuleId } from '../../src/contract/generated/rules.ts';
import { must } from '../../src/expect/rule-broken.ts';
import { isSameId } from '../../src/expect/same-id.ts';
import { TARGET_TYPES, type TargetType } from '../../src/refusals/hostile-values.ts';
import type { Assignment, Assignments } from '../actors/assignments.ts';
import { type Entity, filterListed, readEntities, requestAllEntities, requestPage } from '../actors/lists.ts';
import { expectSuccess } from '../expect/response.ts';
import { runInOneWorker } from '../runner/repeated.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/capabilities.ts';

const OPERATION = 'getExperienceAssignments';
/** Checks with this lock run one at a time, because they may assign the same account or the same telephone number. */
const lock = ['account', 'number.second-account'];

type Filter = 'accountId' | 'experienceId' | 'targetType' | 'targetValue';

const createQuery = (assignment: Assignment, filters: readonly Filter[]) =>
  Object.fromEntries(filters.map((name) => [name, assignment[name]]));

const isMatching = (entity: Entity | Assignment, selected: Assignment, filters: readonly Filter[]): boolean =>
  filters.every((name) => isSameId(entity[name], selected[name]));

async function createFourAssignments(need: Need, assignments: Assignments, targetType: TargetType) {
  const selected = await assignments.createOrThrow({ targetType });
  const { experienceId } = selected;
  return [
    selected,
    await assignments.createOrThrow({ experienceId, targetType: targetType === 'USER' ? 'PHONE_NUMBER' : 'USER' }),
    await assignments.createOrThrow({ targetType, experienceId: await assignments.pickOtherExperience(experienceId) }),
    await assignments.createOrThrow({ experienceId, targetValue: await need('number.second-account') }),
  ] as const;
}

const SELECTIONS: readonly (readonly [id: RuleId, ...filters: Filter[]])[] = [
  ['assignments.list.by-account', 'accountId'],
  ['assignments.list.by-account-and-experience', 'accountId', 'experienceId'],
  ['assignments.list.by-account-and-type', 'accountId', 'targetType'],
  ['assignments.list.by-account-experience-and-type', 'accountId', 'experienceId', 'targetType'],
  ['assignments.list.by-target', 'targetType', 'targetValue'],
];

for (const targetType of TARGET_TYPES) {
  for (const [id, ...filters] of SELECTIONS) {
    test(...rule(id, targetType, { lock }), async ({ api, need, assignments }) => {
      const [selected, ...others] = await createFourAssignments(need, assignments, targetType);
      const query = createQuery(selected, filters);
      const list = await requestAllEntities(api, OPERATION, { token: await need('token'), query });
      for (const assignment of [selected, ...others]) {
        const isExpected = isMatching(assignment, selected, filters);
        const isListed = filterListed(list, [assignment]).length === 1;
        must(isListed === isExpected, `${JSON.stringify(assignment)} is ${isExpected ? '' : 'not '}listed for ${JSON.stringify(query)}`);
      }
      const foreign = list.find((entity) => !isMatching(entity, selected, filters));
      must(foreign === undefined, `every listed assignment matches ${JSON.stringify(query)}. Not matching: ${JSON.stringify(foreign)}`);
    });
  }

  test(...rule('assignments.list.shape', targetType, { lock }), async ({ api, need, assignments }) => {
    const created = await assignments.createOrThrow({ targetType });
    const query = { targetType, targetValue: created.targetValue };
    const { answer, entities } = await requestPage(api, OPERATION, { token: await need('token'), query });
    const listed = entities.find(({ id }) => isSameId(id, created.id));
    must(listed, 'the assignment is listed', answer);
    for (const field of ['experienceId', 'accountId', 'targetType', 'targetValue'] as const)
      must(isSameId(listed[field], created[field]), `${field} of the listed assignment is ${created[field]}`, answer);
  });

  test(...rule('assignments.list.updated-at-prefixed', targetType, { lock }), async ({ api, need, assignments }) => {
    const { id, targetValue } = await assignments.createOrThrow({ targetType });
    const call = { token: await need('token'), query: { targetType, targetValue }, form: 'prefixed' } as const;
    const { answer, entities } = await requestPage(api, OPERATION, call);
    const listed = entities.find((entity) => isSameId(entity.id, id));
    must(typeof listed?.updatedAt === 'string', 'the assignment is listed with updatedAt', answer);
  });
}

test(...rule('assignments.list.only-visible'), async ({ api, need, assignments }) => {
  const created = await assignments.createOrThrow();
  const [token, outsider] = [await need('token'), await need('token.outsider')];
  const query = createQuery(created, ['targetType', 'targetValue']);
  const list = await requestAllEntities(api, OPERATION, { token, query });
  must(filterListed(list, [created]).length === 1, 'a caller with access sees the assignment in the list');
  const answer = await api.call(OPERATION, { token: outsider, query });
  // The target may refuse the request instead of omitting the assignment from the list.
  if (answer.status === 403 || answer.status === 404) return;
  const { entities } = expectSuccess<{ entities: Entity[] }>(answer, 200);
  must(filterListed(entities, [created]).length === 0, 'a caller without access does not see the assignment in the list', answer);
});

test(...rule('assignments.list.page-size', 'pageSize 1 and 2'), async ({ api, need, assignments }) => {
  for (let count = 0; count < 3; count += 1) await assignments.createOrThrow();
  const [token, accountId, experienceId] = [await need('token'), await need('account'), await need('experience')];
  for (const pageSize of [1, 2]) {
    const { entities, answer } = await requestPage(api, OPERATION, { token, query: { accountId, experienceId, pageSize } });
    must(entities.length === pageSize, `with pageSize ${pageSize}, a page of at least 3 assignments contains ${pageSize}`, answer);
  }
});

runInOneWorker(() => {
  test(...rule('assignments.list.default-page-size'), async ({ api, need }) => {
    const { accountId, experienceId } = await need('assignments.many');
    const query = { accountId, experienceId };
    const { entities, cursor, answer } = await requestPage(api, OPERATION, { token: await need('token'), query });
    const isFull = entities.length === 100 && cursor !== undefined;
    must(isFull, 'in a list of more than 100 assignments, the first page contains 100 and has a cursor', answer);
  });

  test(...rule('assignments.list.page-size', 'pageSize 100 and 101'), async ({ api, need }) => {
    const { accountId, experienceId } = await need('assignments.many');
    const token = await need('token');
    const page = await requestPage(api, OPERATION, { token, query: { accountId, experienceId, pageSize: 100 } });
    must(page.entities.length === 100, 'pageSize=100 returns 100 assignments, because there are more than 100', page.answer);
    // The specification does not say whether a pageSize above 100 is refused or reduced.
    const answer = await api.call(OPERATION, { token, query: { accountId, experienceId, pageSize: 101 } });
    if (answer.status === 400) return;
    expectSuccess(answer, 200);
    must((readEntities(answer)?.length ?? 0) <= 100, 'a page contains no more than 100 assignments', answer);
  });
});

test(...rule('assignments.list.cursor'), async ({ api, need, assignments }) => {
  for (let count = 0; count < 3; count += 1) await assignments.createOrThrow();
  const [token, accountId, experienceId] = [await need('token'), await need('account'), await need('experience')];
  const query = { accountId, experienceId, pageSize: 2 };
  const first = await requestPage(api, OPERATION, { token, query });
  must(first.cursor !== undefined, 'a page that is not the last has a cursor', first.answer);
  const expectFirstPage = async () => {
    const again = await requestPage(api, OPERATION, { token, query });
    must(filterListed(again.entities, first.entities).length > 0, 'a request without a cursor returns the first page', again.answer);
  };
  await expectFirstPage();
  const second = await requestPage(api, OPERATION, { token, query: { ...query, cursor: first.cursor } });
  const isNext = second.entities.length > 0 && filterListed(second.entities, first.entities).length === 0;
  must(isNext, 'the next page contains assignments, and none from the first page', second.answer);
  await expectFirstPage();
});
