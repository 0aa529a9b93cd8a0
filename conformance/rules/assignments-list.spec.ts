import type { RuleId } from '../../src/contract/generated/rules.ts';
import { TARGET_TYPES, type TargetType } from '../../src/refusals/hostile-values.ts';
import type { Assignment, Assignments } from '../actors/assignments.ts';
import { type Entity, filterListed, readEntities, requestAllEntities, requestPage } from '../actors/lists.ts';
import { isSameId } from '../expect/compare.ts';
import { expectRefused, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { runInOneWorker } from '../runner/repeated.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/need.ts';

const OPERATION = 'getExperienceAssignments';
/** Checks with this lock run one at a time, because they may assign the same account or the same telephone number. */
const lock = ['account', 'number.second-account'];

type Filter = 'accountId' | 'experienceId' | 'targetType' | 'targetValue';

const createQuery = (assignment: Assignment, filters: readonly Filter[]) =>
  Object.fromEntries(filters.map((name) => [name, assignment[name]]));

function findUnmatched(list: readonly Entity[], selected: Assignment, filters: readonly Filter[]): Entity | undefined {
  return list.find((entity) => filters.some((name) => !isSameId(entity[name], selected[name])));
}

async function createFourAssignments(need: Need, assignments: Assignments, targetType: TargetType) {
  const selected = await assignments.createOrThrow({ targetType });
  const { experienceId } = selected;
  return {
    selected,
    otherType: await assignments.createOrThrow({ experienceId, targetType: targetType === 'USER' ? 'PHONE_NUMBER' : 'USER' }),
    otherExperience: await assignments.createOrThrow({ targetType, experienceId: await assignments.pickOtherExperience(experienceId) }),
    otherAccount: await assignments.createOrThrow({ experienceId, targetValue: await need('number.second-account') }),
  };
}

const SELECTIONS: readonly (readonly [
  id: RuleId,
  filters: readonly Filter[],
  selected: readonly (keyof Awaited<ReturnType<typeof createFourAssignments>>)[],
])[] = [
  ['assignments.list.by-account', ['accountId'], ['selected', 'otherType', 'otherExperience']],
  ['assignments.list.by-account-and-experience', ['accountId', 'experienceId'], ['selected', 'otherType']],
  ['assignments.list.by-account-and-type', ['accountId', 'targetType'], ['selected', 'otherExperience']],
  ['assignments.list.by-account-experience-and-type', ['accountId', 'experienceId', 'targetType'], ['selected']],
];

for (const targetType of TARGET_TYPES) {
  for (const [id, filters, selected] of SELECTIONS) {
    test(...rule(id, targetType, { lock }), async ({ api, need, assignments }) => {
      const created = await createFourAssignments(need, assignments, targetType);
      const query = createQuery(created.selected, filters);
      const list = await requestAllEntities(api, OPERATION, { token: await need('token'), query });
      for (const [name, assignment] of Object.entries(created)) {
        const isExpected = selected.some((each) => each === name);
        const isListed = filterListed(list, [assignment]).length === 1;
        must(isListed === isExpected, `${JSON.stringify(assignment)} is ${isExpected ? '' : 'not '}listed for ${JSON.stringify(query)}`);
      }
      const foreign = findUnmatched(list, created.selected, filters);
      must(foreign === undefined, `every listed assignment matches ${JSON.stringify(query)}. Not matching: ${JSON.stringify(foreign)}`);
    });
  }

  test(...rule('assignments.list.by-target', targetType, { lock }), async ({ api, need, assignments }) => {
    const created = await assignments.createOrThrow({ targetType });
    const { targetValue, experienceId } = created;
    const expected = [created];
    // Two AGENT Experiences cannot share a telephone number, so assign each number to one Experience.
    if (targetType !== 'PHONE_NUMBER')
      expected.push(
        await assignments.createOrThrow({ targetType, targetValue, experienceId: await assignments.pickOtherExperience(experienceId) }),
      );
    for (const other of ['PHONE_NUMBER', 'USER'] as const) await assignments.createOrThrow({ targetType: other });
    // This creation may fail, because the account may already be assigned.
    if (targetType !== 'ACCOUNT') await assignments.create(await assignments.createBody({ targetType: 'ACCOUNT' }));
    const list = await requestAllEntities(api, OPERATION, { token: await need('token'), query: { targetType, targetValue } });
    must(filterListed(list, expected).length === expected.length, `all assignments of ${targetValue} are listed`);
    const foreign = findUnmatched(list, created, ['targetType', 'targetValue']);
    must(foreign === undefined, `all listed assignments have the target ${targetValue}, including ${JSON.stringify(foreign)}`);
  });

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

for (const [targetType, variant, similar] of [
  [
    'PHONE_NUMBER',
    'the list for a number without its last digit',
    (number: string) => ({ targetType: 'PHONE_NUMBER', targetValue: number.slice(0, -1) }),
  ],
  ['USER', "the list for the user's id with targetType ACCOUNT", (userId: string) => ({ targetType: 'ACCOUNT', targetValue: userId })],
] as const) {
  test(...rule('assignments.list.by-target', variant), async ({ api, need, assignments }) => {
    const created = await assignments.createOrThrow({ targetType });
    const [token, { targetValue }] = [await need('token'), created];
    const list = await requestAllEntities(api, OPERATION, { token, query: { targetType, targetValue } });
    must(filterListed(list, [created]).length === 1, `${created.id} is listed`);
    const answer = await api.call(OPERATION, { token, query: similar(targetValue) });
    // The server may refuse a request with an unknown targetValue.
    if (answer.status >= 400 && answer.status < 500) return expectRefused(answer);
    const { entities } = expectSuccess<{ entities: Entity[] }>(OPERATION, answer, 200);
    must(filterListed(entities, [created]).length === 0, 'the assignment to another target is not listed', answer);
  });
}

test(...rule('assignments.list.only-visible'), async ({ api, need, assignments }) => {
  const created = await assignments.createOrThrow();
  const [token, outsider] = [await need('token'), await need('token.outsider')];
  for (const filters of [['targetType', 'targetValue'], ...SELECTIONS.map(([, each]) => each)] as readonly (readonly Filter[])[]) {
    const query = createQuery(created, filters);
    must(
      filterListed(await requestAllEntities(api, OPERATION, { token, query }), [created]).length === 1,
      'a caller with access sees the assignment in the list',
    );
    const answer = await api.call(OPERATION, { token: outsider, query });
    // The target may refuse the request instead of omitting the assignment from the list.
    if (answer.status === 403 || answer.status === 404) continue;
    const { entities } = expectSuccess<{ entities: Entity[] }>(OPERATION, answer, 200);
    must(filterListed(entities, [created]).length === 0, 'a caller without access does not see the assignment in the list', answer);
  }
});

test(...rule('assignments.list.page-size', 'pageSize 1 and 2'), async ({ api, need, assignments }) => {
  for (let count = 0; count < 3; count += 1) await assignments.createOrThrow();
  const [token, accountId, experienceId] = [await need('token'), await need('account'), await need('experience')];
  for (const pageSize of [1, 2]) {
    let cursor: string | undefined;
    for (let seen = 0; seen + pageSize <= 3; seen += pageSize) {
      const page = await requestPage(api, OPERATION, { token, query: { accountId, experienceId, pageSize, cursor } });
      must(
        page.entities.length === pageSize,
        `with pageSize ${pageSize}, page ${seen / pageSize + 1} of at least 3 assignments contains ${pageSize}`,
        page.answer,
      );
      cursor = page.cursor;
    }
  }
});

runInOneWorker(() => {
  test(...rule('assignments.list.default-page-size'), async ({ api, need }) => {
    const { accountId, experienceId } = await need('assignments.many');
    const page = await requestPage(api, OPERATION, { token: await need('token'), query: { accountId, experienceId } });
    must(
      page.entities.length === 100 && page.cursor !== undefined,
      'in a list of more than 100 assignments, the first page contains 100 and has a cursor',
      page.answer,
    );
  });

  test(...rule('assignments.list.page-size', 'pageSize 100 and 101'), async ({ api, need }) => {
    const { accountId, experienceId } = await need('assignments.many');
    const token = await need('token');
    const page = await requestPage(api, OPERATION, { token, query: { accountId, experienceId, pageSize: 100 } });
    must(page.entities.length === 100, 'pageSize=100 returns 100 assignments, because there are more than 100', page.answer);
    // The specification does not say whether a pageSize above 100 is refused or reduced.
    const answer = await api.call(OPERATION, { token, query: { accountId, experienceId, pageSize: 101 } });
    if (answer.status === 400) return;
    expectSuccess(OPERATION, answer, 200);
    must((readEntities(answer)?.length ?? 0) <= 100, 'a page contains no more than 100 assignments', answer);
  });
});

test(...rule('assignments.list.cursor'), async ({ api, need, assignments }) => {
  // The oldest and the newest assignment belong to the second Experience, so a second page that ignores the filters contains one of them.
  const ofSecondExperience = { experienceId: await need('experience.second') };
  await assignments.createOrThrow(ofSecondExperience);
  for (let count = 0; count < 3; count += 1) await assignments.createOrThrow();
  await assignments.createOrThrow(ofSecondExperience);
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
  const isFiltered = second.entities.every((each) => isSameId(each.accountId, accountId) && isSameId(each.experienceId, experienceId));
  must(isFiltered, 'the filters also apply to the next page', second.answer);
  await expectFirstPage();
});
