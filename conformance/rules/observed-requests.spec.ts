import type { Answer } from '../../src/expect/answer.ts';
import { isSuccess } from '../../src/expect/response.ts';
import { isSameId } from '../../src/expect/same-id.ts';
import { LISTS_OF_NEW_ENTITIES } from '../actors/arrange.ts';
import { readCursor, readEntities, requestAllEntities, requestPage } from '../actors/lists.ts';
import { getDecisionQuestion, observe, observeStatus } from '../expect/observed.ts';
import { requireSuccess } from '../expect/response.ts';
import { test } from '../runner/test.ts';
import { endAsNotTestable } from '../target/check-report.ts';

test(getDecisionQuestion('lists.order'), async ({ api, need, assignments, connections }) => {
  for (const [operation, arrange] of LISTS_OF_NEW_ENTITIES) {
    const { query, created } = await arrange({ need, assignments, connections });
    const list = await requestAllEntities(api, operation, { token: await need('token'), query });
    const [first = -1, second = -1, third = -1] = created.map((isEntity) => list.findIndex(isEntity));
    if (first >= 0 && first < second && second < third) observe('lists.order', 'newest-last');
    if (third >= 0 && third < second && second < first) observe('lists.order', 'newest-first');
  }
});

test(getDecisionQuestion('lists.cursor.invalid'), async ({ api, need, assignments, connections }) => {
  const lists: { list: (cursor?: string) => Promise<Answer>; firstPage: Answer; cursor: string }[] = [];
  for (const [operation, arrange] of LISTS_OF_NEW_ENTITIES) {
    const [token, { query }] = [await need('token'), await arrange({ need, assignments, connections })];
    const list = (cursor?: string) => api.call(operation, { token, query: { ...query, pageSize: 1, cursor } });
    const firstPage = requireSuccess('the first page', await list());
    const cursor = readCursor(firstPage) ?? endAsNotTestable('the response with the first of several pages contains no cursor');
    lists.push({ list, firstPage, cursor });
  }
  for (const [index, { list, firstPage, cursor: own }] of lists.entries()) {
    const readContent = (answer: Answer) => JSON.stringify(readEntities(answer));
    for (const cursor of [`~${own}`, lists[1 - index]!.cursor]) {
      const answer = await list(cursor);
      if (readContent(answer) === '[]' && readCursor(answer) === undefined) observe('lists.cursor.invalid', 'empty');
      else if (readContent(answer) === readContent(firstPage)) observe('lists.cursor.invalid', 'first-page');
      else observeStatus('lists.cursor.invalid', answer);
    }
  }
});

test(getDecisionQuestion('lists.page-size'), async ({ api, need, assignments, connections }) => {
  for (const [operation, arrange] of LISTS_OF_NEW_ENTITIES) {
    const { query } = await arrange({ need, assignments, connections });
    const answer = await api.call(operation, { token: await need('token'), query: { ...query, pageSize: 77 } });
    const held = readEntities(requireSuccess('a page', answer))?.length;
    const { pageSize } = answer.json as { pageSize?: unknown };
    if (held === 77) endAsNotTestable('the list is not shorter than the requested page');
    observe('lists.page-size', pageSize === 77 ? 'asked-for' : pageSize === held ? 'held' : undefined);
  }
});

test(getDecisionQuestion('lists.last-page'), async ({ api, need, assignments, connections }) => {
  for (const [operation, arrange] of LISTS_OF_NEW_ENTITIES) {
    const { query } = await arrange({ need, assignments, connections });
    const token = await need('token');
    const { length } = await requestAllEntities(api, operation, { token, query });
    const { entities, cursor } = await requestPage(api, operation, { token, query: { ...query, pageSize: Math.min(length, 100) } });
    if (entities.length !== length) endAsNotTestable('the list does not fit on one page');
    observe('lists.last-page', cursor === undefined ? 'none' : 'empty-page');
  }
});

test(getDecisionQuestion('assignments.list.page-size-out-of-range'), async ({ api, need, assignments }) => {
  for (let count = 0; count < 2; count += 1) await assignments.createOrThrow();
  const [token, query] = [await need('token'), { accountId: await need('account'), experienceId: await need('experience') }];
  const list = (pageSize: number) => api.call('getExperienceAssignments', { token, query: { ...query, pageSize } });
  if (readEntities(await list(2))?.length !== 2) endAsNotTestable('pageSize=2 does not return a page of 2');
  const [below, above] = [await list(0), await list(101)];
  if (readEntities(below)?.length === 1 && readEntities(above)) observe('assignments.list.page-size-out-of-range', 'clamped');
  else for (const answer of [below, above]) observeStatus('assignments.list.page-size-out-of-range', answer);
});

test(getDecisionQuestion('assignments.list.account-with-target'), async ({ api, need, assignments }) => {
  const { accountId: ownAccount, targetType, targetValue } = await assignments.createOrThrow();
  const token = await need('token');
  const list = (accountId?: string) => api.call('getExperienceAssignments', { token, query: { accountId, targetType, targetValue } });
  requireSuccess("the target's list", await list());
  const [own, other] = [await list(ownAccount), await list(await need('account.second'))];
  if (readEntities(own)?.length === 1 && readEntities(other)?.length === 0) observe('assignments.list.account-with-target', 'and');
  else for (const answer of [own, other]) observeStatus('assignments.list.account-with-target', answer);
});

test(getDecisionQuestion('users.list.count-hidden-account'), async ({ api, need }) => {
  const call = { token: await need('token'), query: { accountId: await need('account.hidden') } };
  const { count } = requireSuccess('a list of users', await api.call('getUsers', call)).json as { count?: unknown };
  observe('users.list.count-hidden-account', count === 0 ? 'zero' : count === undefined ? 'absent' : undefined);
});

test(getDecisionQuestion('users.list.sort-fields'), async ({ api, need }) => {
  const [token, accountId] = [await need('token'), await need('account')];
  const canSortBy = async (sortBy: string) => {
    const list = async (sortOrder: string) => readEntities(await api.call('getUsers', { token, query: { accountId, sortBy, sortOrder } }));
    return (await list('asc')) !== undefined && (await list('desc')) !== undefined;
  };
  const isOrdered = await canSortBy('createdAt');
  const others = [await canSortBy('updatedAt'), await canSortBy('firstName'), await canSortBy('lastName')];
  if (isOrdered && others.every((sorted) => sorted)) observe('users.list.sort-fields', 'all');
  if (isOrdered && others.every((sorted) => !sorted)) observe('users.list.sort-fields', 'createdAt');
});

test(getDecisionQuestion('http.body.content-type'), async ({ assignments }) => {
  const body = await assignments.createBody();
  const malformed = await assignments.create(undefined, { rawBody: '{"unfinished":' });
  const asText = await assignments.create(undefined, { rawBody: JSON.stringify(body), headers: { 'content-type': 'text/plain' } });
  requireSuccess('the same request with the content type application/json to succeed', await assignments.create(body));
  if (asText.status === malformed.status) observe('http.body.content-type', 'as-malformed');
  else observeStatus('http.body.content-type', asText);
});

test(getDecisionQuestion('http.body.read-only-fields'), async ({ assignments }) => {
  const body = await assignments.createBody();
  const answer = await assignments.create({ ...body, shoeSize: 42 });
  if (isSuccess(answer)) return observe('http.body.read-only-fields', Object(answer.json).shoeSize === 42 ? undefined : 'ignored');
  requireSuccess('the create request to succeed without this member', await assignments.create(body));
  observeStatus('http.body.read-only-fields', answer);
});

test(getDecisionQuestion('http.query.duplicate-parameter'), async ({ api, need, assignments }) => {
  for (let count = 0; count < 3; count += 1) await assignments.createOrThrow();
  const [token, query] = [await need('token'), { accountId: await need('account'), experienceId: await need('experience') }];
  const list = async (...pageSize: readonly number[]) => {
    const answer = await api.call('getExperienceAssignments', { token, query: { ...query, pageSize } });
    return readEntities(answer)?.length ?? answer.status;
  };
  if ((await list(1)) !== 1 || (await list(2)) !== 2) endAsNotTestable('pageSize=1 and pageSize=2 do not return pages of 1 and 2');
  const outcome = `${await list(1, 2)} ${await list(2, 1)}`;
  const values = { '1 2': 'first', '2 1': 'last', '400 400': 400 } as const;
  observe('http.query.duplicate-parameter', values[outcome as keyof typeof values]);
});

test(getDecisionQuestion('http.uuid-letter-case'), async ({ api, need, assignments }) => {
  const { id, accountId, targetType } = await assignments.createOrThrow();
  const [token, upperCase, lowerCase] = [await need('token'), accountId.toUpperCase(), accountId.toLowerCase()];
  if (upperCase === lowerCase) endAsNotTestable("the account's id contains no letters");
  const lower = await api.call('getExperienceAssignments', { token, query: { accountId: lowerCase } });
  requireSuccess("the account's list", lower);
  const answer = await api.call('getExperienceAssignments', { token, query: { accountId: upperCase, targetType } });
  if (answer.status === 400) observe('http.uuid-letter-case', 'refused');
  const isListed = readEntities(answer)?.some((entity) => isSameId(entity.id, id));
  observe('http.uuid-letter-case', isListed ? 'accepted' : undefined);
});

test(getDecisionQuestion('users.native-id.ambiguous'), async ({ api, need }) => {
  const { nativeId, legacyNumeric, base62 } = await need('user.ambiguous');
  const answer = await api.call('getUser', { token: await need('token'), path: { userId: nativeId } });
  const { id } = requireSuccess('a user with this native id', answer).json as { id?: unknown };
  if (isSameId(id, legacyNumeric)) observe('users.native-id.ambiguous', 'legacy-numeric');
  if (isSameId(id, base62)) observe('users.native-id.ambiguous', 'base62');
});
