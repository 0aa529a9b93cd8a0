import { type Assignment, type Assignments, TARGET_TYPES } from '../actors/assignments.ts';
import { type Entity, foundIn, listAll, listPage } from '../actors/lists.ts';
import { sameId } from '../expect/compare.ts';
import { excuseUnknown, expectRefused, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { TargetType } from '../target/capabilities-of-events.ts';
import type { Need } from '../target/need.ts';

const OPERATION = 'getExperienceAssignments';
/** There is one main account, and only one number of the second account is known, so checks that assign them take turns. */
const lock = ['account', 'number.second-account'];

type Four = Readonly<Record<'chosen' | 'otherType' | 'elsewhere' | 'away', Assignment>>;

/** Assignments that differ in what filters go by; each filter selects some of them, the chosen one always. */
async function landscape(need: Need, assignments: Assignments, targetType: TargetType): Promise<Four> {
  return {
    chosen: await assignments.make({ targetType }),
    otherType: await assignments.make({ targetType: targetType === 'USER' ? 'PHONE_NUMBER' : 'USER' }),
    elsewhere: await assignments.make({ targetType, experienceId: await need('experience.second') }),
    away: await assignments.make({ targetValue: await need('number.second-account') }),
  };
}

type Filter = 'accountId' | 'experienceId' | 'targetType' | 'targetValue';

/** One of those listAll that a filter should have kept out. */
function foreignTo(list: readonly Entity[], chosen: Assignment, filters: readonly Filter[]): Entity | undefined {
  return list.find((entity) => filters.some((name) => !sameId(entity[name], chosen[name])));
}

const SELECTIONS = [
  [
    'assignments.list.by-account',
    'accountId selects the assignments whose targets belong to the account',
    ['accountId'],
    ['chosen', 'otherType', 'elsewhere'],
  ],
  [
    'assignments.list.by-account-and-experience',
    'accountId with experienceId selects what matches both',
    ['accountId', 'experienceId'],
    ['chosen', 'otherType'],
  ],
  [
    'assignments.list.by-account-and-type',
    'accountId with targetType selects what matches both',
    ['accountId', 'targetType'],
    ['chosen', 'elsewhere'],
  ],
  [
    'assignments.list.by-account-experience-and-type',
    'accountId, experienceId and targetType together select what matches all three',
    ['accountId', 'experienceId', 'targetType'],
    ['chosen'],
  ],
] as const;

for (const targetType of TARGET_TYPES) {
  for (const [id, title, filters, selected] of SELECTIONS) {
    test(`${title}: ${targetType}.`, { ...rule(id), lock }, async ({ api, need, assignments }) => {
      const made = await landscape(need, assignments, targetType);
      const query = Object.fromEntries(filters.map((name) => [name, made.chosen[name]]));
      const list = await listAll(api, OPERATION, { token: await need('token'), query });
      for (const [name, assignment] of Object.entries(made)) {
        const expected = (selected as readonly string[]).includes(name);
        const found = foundIn(list, [assignment]).length === 1;
        must(found === expected, `${JSON.stringify(assignment)} is ${expected ? '' : 'not '}listAll for ${JSON.stringify(query)}`);
      }
      const foreign = foreignTo(list, made.chosen, filters);
      must(foreign === undefined, `all that is listAll fits ${JSON.stringify(query)}, ${JSON.stringify(foreign)} too`);
    });
  }

  test(`targetType with targetValue selects the assignments of exactly that target: ${targetType}.`, {
    ...rule('assignments.list.by-target'),
    lock,
  }, async ({ api, need, assignments }) => {
    const made = await assignments.make({ targetType });
    const { targetValue } = made;
    const expected = [made];
    // Two Experiences cannot share a number if both are of type AGENT, and the specification does not show the type of an Experience.
    if (targetType !== 'PHONE_NUMBER')
      expected.push(await assignments.make({ targetType, targetValue, experienceId: await need('experience.second') }));
    // Of the same account, and not of this target; the account may be assigned already.
    for (const other of TARGET_TYPES) if (other !== 'ACCOUNT') await assignments.make({ targetType: other });
    if (targetType !== 'ACCOUNT') await assignments.create(await assignments.newBody({ targetType: 'ACCOUNT' }));
    const list = await listAll(api, OPERATION, { token: await need('token'), query: { targetType, targetValue } });
    must(foundIn(list, expected).length === expected.length, `all assignments of ${targetValue} are listAll`);
    const foreign = foreignTo(list, made, ['targetType', 'targetValue']);
    must(foreign === undefined, `all that is listAll is of ${targetValue}, ${JSON.stringify(foreign)} too`);
  });

  test(`Each listAll assignment carries id, experienceId, accountId, targetType and targetValue: ${targetType}.`, {
    ...rule('assignments.list.shape'),
    lock,
  }, async ({ api, need, assignments }) => {
    const made = await assignments.make({ targetType });
    const { answer, entities } = await listPage(api, OPERATION, {
      token: await need('token'),
      query: { targetType, targetValue: made.targetValue },
    });
    const entity = entities.find(({ id }) => sameId(id, made.id));
    must(entity, 'the assignment is listed', answer);
    for (const field of ['experienceId', 'accountId', 'targetType', 'targetValue'] as const)
      must(sameId(entity[field], made[field]), `its ${field} is that of the assignment`, answer);
  });
}

/** Of another target, however much it is like that of an assignment. */
const LOOKALIKES = [
  ['PHONE_NUMBER', 'a number that begins another', (number: string) => ({ targetType: 'PHONE_NUMBER', targetValue: number.slice(0, -1) })],
  ['USER', 'the id of a user as that of an account', (userId: string) => ({ targetType: 'ACCOUNT', targetValue: userId })],
] as const;

for (const [targetType, which, lookalike] of LOOKALIKES) {
  test(
    `targetType with targetValue selects the assignments of exactly that target: not ${which}.`,
    rule('assignments.list.by-target'),
    async ({ api, need, assignments }) => {
      const made = await assignments.make({ targetType });
      const [token, { targetValue }] = [await need('token'), made];
      must(
        foundIn(await listAll(api, OPERATION, { token, query: { targetType, targetValue } }), [made]).length === 1,
        `${made.id} is listAll`,
      );
      const answer = await api.call(OPERATION, { token, query: lookalike(targetValue) });
      // Nobody knows this target: a server may say so.
      if (answer.status >= 400 && answer.status < 500) return expectRefused(answer);
      const { entities } = expectSuccess<{ entities: Entity[] }>(OPERATION, answer, 200);
      must(foundIn(entities, [made]).length === 0, 'the assignment of another target is not listed', answer);
    },
  );
}

test(
  'Under the prefixed form each listAll assignment carries updatedAt, too.',
  rule('assignments.list.updated-at-prefixed'),
  async ({ api, need, assignments }) => {
    const { targetType, targetValue } = await assignments.make();
    const { answer, entities } = await listPage(api, OPERATION, {
      token: await need('token'),
      query: { targetType, targetValue },
      form: 'prefixed',
    });
    must(entities.length === 1 && typeof entities[0]?.updatedAt === 'string', 'the assignment is listAll with updatedAt', answer);
  },
);

const FILTERS: readonly (readonly Filter[])[] = [
  ['targetType', 'targetValue'],
  ['accountId'],
  ['accountId', 'experienceId'],
  ['accountId', 'targetType'],
  ['accountId', 'experienceId', 'targetType'],
];

test(
  'The list holds no assignment that reading would answer with 404, for want of access.',
  rule('assignments.list.only-visible'),
  async ({ api, need, assignments }) => {
    const made = await assignments.make();
    const [token, outsider] = [await need('token'), await need('token.outsider')];
    for (const filters of FILTERS) {
      const query = Object.fromEntries(filters.map((name) => [name, made[name]]));
      must(foundIn(await listAll(api, OPERATION, { token, query }), [made]).length === 1, 'a caller with access sees the assignment');
      const answer = await api.call(OPERATION, { token: outsider, query });
      // A refusal keeps it hidden as well as a listPage without it does.
      if (answer.status === 403 || answer.status === 404) continue;
      const { entities } = expectSuccess<{ entities: [] }>(OPERATION, answer, 200);
      must(foundIn(entities, [made]).length === 0, 'a caller without access does not see it', answer);
    }
  },
);

test(
  'Listing assignments needs the scope experience-assignments:manage; a token without it is never answered with expectSuccess.',
  rule('assignments.list.scope'),
  async ({ api, need }) => {
    const query = { accountId: await need('account.any') };
    expectSuccess(OPERATION, await excuseUnknown(need, await api.call(OPERATION, { token: await need('token'), query }), 'account'), 200);
    const { 'experience-assignments:manage': token } = await need('token.without-scope');
    expectRefused(await api.call(OPERATION, { token, query }));
  },
);
