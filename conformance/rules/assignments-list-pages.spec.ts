import { entitiesOf, foundIn, listPage } from '../actors/lists.ts';
import { sameId } from '../expect/compare.ts';
import { expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

const OPERATION = 'getExperienceAssignments';

test(...rule('assignments.list.default-page-size'), async ({ api, need }) => {
  const { accountId, experienceId } = await need('assignments.many');
  const page = await listPage(api, OPERATION, { token: await need('token'), query: { accountId, experienceId } });
  must(page.entities.length === 100 && page.cursor !== undefined, 'the first page of more than 100 assignments holds 100', page.answer);
});

test(...rule('assignments.list.page-size', '1 and 2'), async ({ api, need, assignments }) => {
  for (let count = 0; count < 3; count += 1) await assignments.make();
  const [token, accountId, experienceId] = [await need('token'), await need('account'), await need('experience')];
  for (const pageSize of [1, 2]) {
    let cursor: string | undefined;
    for (let seen = 0; seen + pageSize <= 3; seen += pageSize) {
      const page = await listPage(api, OPERATION, { token, query: { accountId, experienceId, pageSize, cursor } });
      must(page.entities.length === pageSize, `after ${seen} of at least 3 assignments a page holds ${pageSize}`, page.answer);
      cursor = page.cursor;
    }
  }
});

test(...rule('assignments.list.page-size', '100 and 101'), async ({ api, need }) => {
  const { accountId, experienceId } = await need('assignments.many');
  const token = await need('token');
  const page = await listPage(api, OPERATION, { token, query: { accountId, experienceId, pageSize: 100 } });
  must(page.entities.length === 100, 'pageSize=100 returns 100 of more assignments', page.answer);
  // Whether a larger pageSize is refused or reduced is open.
  const answer = await api.call(OPERATION, { token, query: { accountId, experienceId, pageSize: 101 } });
  if (answer.status === 400) return;
  expectSuccess(OPERATION, answer, 200);
  must((entitiesOf(answer)?.length ?? 0) <= 100, 'never more than 100 are returned', answer);
});

test(...rule('assignments.list.cursor'), async ({ api, need, assignments }) => {
  // In any order of the list, there are assignments before and after the others that the filters must exclude.
  const ofSecondExperience = { experienceId: await need('experience.second') };
  await assignments.make(ofSecondExperience);
  for (let count = 0; count < 3; count += 1) await assignments.make();
  await assignments.make(ofSecondExperience);
  const [token, accountId, experienceId] = [await need('token'), await need('account'), await need('experience')];
  const query = { accountId, experienceId, pageSize: 2 };
  const first = await listPage(api, OPERATION, { token, query });
  must(first.cursor !== undefined, 'a page that is not the last has a cursor', first.answer);
  const expectFirstPage = async () => {
    const again = await listPage(api, OPERATION, { token, query });
    must(foundIn(again.entities, first.entities).length > 0, 'without a cursor the first page is returned', again.answer);
  };
  await expectFirstPage();
  const second = await listPage(api, OPERATION, { token, query: { ...query, cursor: first.cursor } });
  const isNext = second.entities.length > 0 && foundIn(second.entities, first.entities).length === 0;
  must(isNext, 'the cursor leads to other assignments than those of its page', second.answer);
  const isFiltered = second.entities.every((each) => sameId(each.accountId, accountId) && sameId(each.experienceId, experienceId));
  must(isFiltered, 'the filters also apply to the next page', second.answer);
  await expectFirstPage();
});
