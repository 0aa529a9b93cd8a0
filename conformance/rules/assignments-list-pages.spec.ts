import { foundIn, listPage } from '../actors/lists.ts';
import { sameId } from '../expect/compare.ts';
import { expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

const OPERATION = 'getExperienceAssignments';

test(
  'A listPage of assignments holds 100 items unless asked otherwise.',
  rule('assignments.list.default-page-size'),
  async ({ api, need }) => {
    const { accountId, experienceId } = await need('assignments.many');
    const { answer, entities, cursor } = await listPage(api, OPERATION, { token: await need('token'), query: { accountId, experienceId } });
    must(entities.length === 100 && cursor !== undefined, 'of more than 100 assignments the first listPage holds 100', answer);
  },
);

test(
  'pageSize from 1 to 100 sets how many assignments a listPage holds.',
  rule('assignments.list.page-size'),
  async ({ api, need, assignments }) => {
    for (let made = 0; made < 3; made++) await assignments.make();
    const [token, accountId, experienceId] = [await need('token'), await need('account'), await need('experience')];
    for (const pageSize of [1, 2]) {
      let cursor: string | undefined;
      for (let seen = 0; seen + pageSize <= 3; seen += pageSize) {
        const next = await listPage(api, OPERATION, { token, query: { accountId, experienceId, pageSize, cursor } });
        must(next.entities.length === pageSize, `after ${seen} of at least 3 a listPage holds ${pageSize}`, next.answer);
        cursor = next.cursor;
      }
    }
  },
);

test('A listPage of assignments never holds more than 100.', rule('assignments.list.page-size'), async ({ api, need }) => {
  const { accountId, experienceId } = await need('assignments.many');
  const token = await need('token');
  const most = await listPage(api, OPERATION, { token, query: { accountId, experienceId, pageSize: 100 } });
  must(most.entities.length === 100, 'pageSize=100 gives 100 of more', most.answer);
  // Whether a size out of range is refused or clamped is open.
  const answer = await api.call(OPERATION, { token, query: { accountId, experienceId, pageSize: 101 } });
  if (answer.status !== 400)
    must(expectSuccess<{ entities: unknown[] }>(OPERATION, answer, 200).entities.length <= 100, 'never more than 100 are answered', answer);
});

test(
  'A cursor from a response leads to the listPage after it; without one the first listPage is answered.',
  rule('assignments.list.cursor'),
  async ({ api, need, assignments }) => {
    // On both sides, whichever order the list has, there is what its filters keep out.
    const operator = async () => assignments.make({ experienceId: await need('experience.second') });
    await operator();
    for (let made = 0; made < 3; made++) await assignments.make();
    await operator();
    const [token, accountId, experienceId] = [await need('token'), await need('account'), await need('experience')];
    const query = { accountId, experienceId, pageSize: 2 };
    const first = await listPage(api, OPERATION, { token, query });
    must(first.cursor !== undefined, 'a listPage that is not the last has a cursor', first.answer);
    const mustBeFirst = async () => {
      const again = await listPage(api, OPERATION, { token, query });
      must(foundIn(again.entities, first.entities).length > 0, 'without a cursor the first listPage is answered', again.answer);
    };
    await mustBeFirst();
    const second = await listPage(api, OPERATION, { token, query: { ...query, cursor: first.cursor } });
    const repeated = foundIn(second.entities, first.entities).length;
    must(second.entities.length > 0 && repeated === 0, 'the cursor leads to other assignments than those of its page', second.answer);
    const fits = second.entities.every((entity) => sameId(entity.accountId, accountId) && sameId(entity.experienceId, experienceId));
    must(fits, 'the filters hold for the listPage after, too', second.answer);
    await mustBeFirst();
  },
);
