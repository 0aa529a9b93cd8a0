import { must } from '../expect/broken.ts';
import { among, page } from '../expect/pages.ts';
import { sameId } from '../expect/same-id.ts';
import { success } from '../expect/verify.ts';
import { test } from '../runner/assignments-test.ts';
import { rule } from '../runner/rule.ts';

const OPERATION = 'getExperienceAssignments';

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
    const [token, accountId, experienceId] = [await need('token'), await need('account'), await need('experience')];
    for (const pageSize of [1, 2]) {
      let cursor: string | undefined;
      for (let seen = 0; seen + pageSize <= 3; seen += pageSize) {
        const next = await page(api, OPERATION, { token, query: { accountId, experienceId, pageSize, cursor } });
        must(next.entities.length === pageSize, `after ${seen} of at least 3 a page holds ${pageSize}`, next.answer);
        cursor = next.cursor;
      }
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
    // On both sides, whichever order the list has, there is what its filters keep out.
    const elsewhere = async () => assignments.make({ experienceId: await need('experience.second') });
    await elsewhere();
    for (let made = 0; made < 3; made++) await assignments.make();
    await elsewhere();
    const [token, accountId, experienceId] = [await need('token'), await need('account'), await need('experience')];
    const query = { accountId, experienceId, pageSize: 2 };
    const first = await page(api, OPERATION, { token, query });
    must(first.cursor !== undefined, 'a page that is not the last has a cursor', first.answer);
    const mustBeFirst = async () => {
      const again = await page(api, OPERATION, { token, query });
      must(among(again.entities, first.entities).length > 0, 'without a cursor the first page is answered', again.answer);
    };
    await mustBeFirst();
    const second = await page(api, OPERATION, { token, query: { ...query, cursor: first.cursor } });
    const repeated = among(second.entities, first.entities).length;
    must(second.entities.length > 0 && repeated === 0, 'the cursor leads to other assignments than those of its page', second.answer);
    const fits = second.entities.every((entity) => sameId(entity.accountId, accountId) && sameId(entity.experienceId, experienceId));
    must(fits, 'the filters hold for the page after, too', second.answer);
    await mustBeFirst();
  },
);
