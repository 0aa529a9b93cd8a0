import { test } from '../support/assignments-test.ts';
import { must } from '../support/broken.ts';
import type { Assignment, Assignments } from '../support/make-assignment.ts';
import type { Need } from '../support/need.ts';
import { among, listed, page } from '../support/pages.ts';
import { rule } from '../support/rule.ts';
import { sameId } from '../support/same-id.ts';
import { unlessUnknown } from '../support/unless-unknown.ts';
import { refused, success } from '../support/verify.ts';

const OPERATION = 'getExperienceAssignments';
/** Only one number of the second account is known, so checks that assign it take turns. */
const lock = 'number.second-account';

type Four = Readonly<Record<'number' | 'user' | 'elsewhere' | 'away', Assignment>>;

/** Assignments that differ in what filters go by; each filter selects some of them. */
async function landscape(need: Need, assignments: Assignments): Promise<Four> {
  return {
    number: await assignments.make(),
    user: await assignments.make({ targetType: 'USER' }),
    elsewhere: await assignments.make({ experienceId: await need('experience.second') }),
    away: await assignments.make({ targetValue: await need('number.second-account') }),
  };
}

const SELECTIONS = [
  [
    'assignments.list.by-account',
    'accountId selects the assignments whose targets belong to the account.',
    ['accountId'],
    ['number', 'user', 'elsewhere'],
  ],
  [
    'assignments.list.by-account-and-experience',
    'accountId with experienceId selects what matches both.',
    ['accountId', 'experienceId'],
    ['number', 'user'],
  ],
  [
    'assignments.list.by-account-and-type',
    'accountId with targetType selects what matches both.',
    ['accountId', 'targetType'],
    ['number', 'elsewhere'],
  ],
  [
    'assignments.list.by-account-experience-and-type',
    'accountId, experienceId and targetType together select what matches all three.',
    ['accountId', 'experienceId', 'targetType'],
    ['number'],
  ],
] as const;

for (const [id, title, filters, selected] of SELECTIONS) {
  test(title, { ...rule(id), lock }, async ({ api, need, assignments }) => {
    const made = await landscape(need, assignments);
    const query = Object.fromEntries(filters.map((name) => [name, made.number[name]]));
    const list = await listed(api, OPERATION, { token: await need('token'), query });
    for (const [name, assignment] of Object.entries(made)) {
      const expected = (selected as readonly string[]).includes(name);
      const found = among(list, [assignment]).length === 1;
      must(found === expected, `${JSON.stringify(assignment)} is ${expected ? '' : 'not '}listed for ${JSON.stringify(query)}`);
    }
    const foreign = list.find((entity) => filters.some((name) => !sameId(entity[name], made.number[name])));
    must(foreign === undefined, `all that is listed fits ${JSON.stringify(query)}, ${JSON.stringify(foreign)} too`);
  });
}

for (const targetType of ['PHONE_NUMBER', 'USER'] as const) {
  test(
    `targetType with targetValue selects the assignments of exactly that target: ${targetType}.`,
    rule('assignments.list.by-target'),
    async ({ api, need, assignments }) => {
      const made = await assignments.make({ targetType });
      await assignments.make({ targetType });
      const list = await listed(api, OPERATION, { token: await need('token'), query: { targetType, targetValue: made.targetValue } });
      must(list.length === 1 && sameId(list[0]?.id, made.id), `exactly the one assignment of ${made.targetValue} is listed`);
    },
  );
}

test(
  'Each listed assignment carries id, experienceId, accountId, targetType and targetValue.',
  rule('assignments.list.shape'),
  async ({ api, need, assignments }) => {
    const made = await assignments.make();
    const { targetType, targetValue } = made;
    const { answer, entities } = await page(api, OPERATION, { token: await need('token'), query: { targetType, targetValue } });
    const [entity] = among(entities, [made]).length === 1 ? entities : [];
    must(entity, 'the assignment is listed', answer);
    for (const field of ['experienceId', 'accountId', 'targetType', 'targetValue'] as const)
      must(sameId(entity[field], made[field]), `its ${field} is that of the assignment`, answer);
  },
);

test(
  'Under the prefixed form each listed assignment carries updatedAt, too.',
  rule('assignments.list.updated-at-prefixed'),
  async ({ api, need, assignments }) => {
    const { targetType, targetValue } = await assignments.make();
    const { answer, entities } = await page(api, OPERATION, {
      token: await need('token'),
      query: { targetType, targetValue },
      form: 'prefixed',
    });
    must(entities.length === 1 && typeof entities[0]?.updatedAt === 'string', 'the assignment is listed with updatedAt', answer);
  },
);

test('A page of assignments holds 100 items unless asked otherwise.', rule('assignments.list.default-page-size'), async ({ api, need }) => {
  const { accountId, experienceId } = await need('assignments.many');
  const { answer, entities, cursor } = await page(api, OPERATION, { token: await need('token'), query: { accountId, experienceId } });
  must(entities.length === 100 && cursor !== undefined, 'of more than 100 assignments the first page holds 100', answer);
});

test(
  'pageSize from 1 to 100 sets how many assignments a page holds.',
  rule('assignments.list.page-size'),
  async ({ api, need, assignments }) => {
    for (let made = 0; made < 3; made++) await assignments.make();
    const query = { accountId: await need('account'), experienceId: await need('experience') };
    for (const pageSize of [1, 2]) {
      const { answer, entities } = await page(api, OPERATION, { token: await need('token'), query: { ...query, pageSize } });
      must(entities.length === pageSize, `a page holds ${pageSize} of at least 3`, answer);
    }
  },
);

test('A page of assignments never holds more than 100.', rule('assignments.list.page-size'), async ({ api, need }) => {
  const { accountId, experienceId } = await need('assignments.many');
  const token = await need('token');
  const most = await page(api, OPERATION, { token, query: { accountId, experienceId, pageSize: 100 } });
  must(most.entities.length === 100, 'pageSize=100 gives 100 of more', most.answer);
  // Whether a size out of range is refused or clamped is open.
  const answer = await api.call(OPERATION, { token, query: { accountId, experienceId, pageSize: 101 } });
  if (answer.status !== 400)
    must(success<{ entities: unknown[] }>(OPERATION, answer, 200).entities.length <= 100, 'never more than 100 are answered', answer);
});

test(
  'A cursor from a response leads to the page after it; without one the first page is answered.',
  rule('assignments.list.cursor'),
  async ({ api, need, assignments }) => {
    for (let made = 0; made < 3; made++) await assignments.make();
    const token = await need('token');
    const query = { accountId: await need('account'), experienceId: await need('experience'), pageSize: 2 };
    const first = await page(api, OPERATION, { token, query });
    must(first.cursor !== undefined, 'a page that is not the last has a cursor', first.answer);
    const second = await page(api, OPERATION, { token, query: { ...query, cursor: first.cursor } });
    const repeated = among(second.entities, first.entities).length;
    must(second.entities.length > 0 && repeated === 0, 'the cursor leads to other assignments than those of its page', second.answer);
    const again = await page(api, OPERATION, { token, query });
    must(among(again.entities, first.entities).length > 0, 'without a cursor the first page is answered', again.answer);
  },
);

test(
  'The list holds no assignment that reading would answer with 404, for want of access.',
  rule('assignments.list.only-visible'),
  async ({ api, need, assignments }) => {
    const made = await assignments.make();
    const { accountId, experienceId, targetType, targetValue } = made;
    const [token, outsider] = [await need('token'), await need('token.outsider')];
    for (const query of [{ targetType, targetValue }, { accountId }, { accountId, experienceId }]) {
      must(among(await listed(api, OPERATION, { token, query }), [made]).length === 1, 'a caller with access sees the assignment');
      const answer = await api.call(OPERATION, { token: outsider, query });
      // A refusal keeps it hidden as well as a page without it does.
      if (answer.status === 403 || answer.status === 404) continue;
      const { entities } = success<{ entities: [] }>(OPERATION, answer, 200);
      must(among(entities, [made]).length === 0, 'a caller without access does not see it', answer);
    }
  },
);

test(
  'Listing assignments needs the scope experience-assignments:manage; a token without it is never answered with success.',
  rule('assignments.list.scope'),
  async ({ api, need }) => {
    const query = { accountId: await need('account.any') };
    success(OPERATION, await unlessUnknown(need, await api.call(OPERATION, { token: await need('token'), query }), 'account'), 200);
    const { 'experience-assignments:manage': token } = await need('token.without-scope');
    refused(await api.call(OPERATION, { token, query }));
  },
);
