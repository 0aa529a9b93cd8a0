import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Decisions, defaultDecisions } from '../contract/generated/decisions.ts';
import { createCursors } from './cursors.ts';
import {
  buildPage,
  createUsersListName,
  findPageStart,
  getPageFill,
  getReportedPageSize,
  hasNextPage,
  parsePageSize,
  refuseUsersCursor,
} from './pages.ts';

const decide = (changes: Partial<Decisions>): Decisions => ({ ...defaultDecisions, ...changes });

test('a page size is at least 1, at most the maximum, and 100 by default', () => {
  assert.deepEqual(
    [undefined, '0', '1', '150', '200', '201'].map((text) => parsePageSize(text, 200)),
    [100, 1, 1, 150, 200, 200],
  );
});

test('a page that is followed by others is full, half full, or empty if it is the first', () => {
  const fillsOf = (fill: string) =>
    [undefined, 'cursor'].map((cursor) => getPageFill(decide({ 'lists.page-fill': fill }), { pageSize: 5, cursor }));
  assert.deepEqual(
    [fillsOf('full'), fillsOf('short'), fillsOf('empty')],
    [
      [5, 5],
      [3, 3],
      [0, 3],
    ],
  );
});

test('the reported page size is the requested one, or the number of entities', () => {
  const report = (decision: 'asked-for' | 'held') => getReportedPageSize(decide({ 'lists.page-size': decision }), 100, 2);
  assert.deepEqual([report('asked-for'), report('held')], [100, 2]);
});

test('a page is followed by another if more rows were found, or if it is full and the last page is empty', () => {
  const rows = [
    ['none', 2, 3, true],
    ['none', 2, 2, false],
    ['empty-page', 2, 2, true],
    ['empty-page', 2, 1, false],
    ['empty-page', 0, 0, false],
    ['empty-page', 0, 1, true],
  ] as const;
  for (const [decision, fill, found, expected] of rows)
    assert.equal(hasNextPage(decide({ 'lists.last-page': decision }), fill, found), expected, `${decision} ${fill} ${found}`);
});

test('a page starts after the position of its cursor, and an invalid cursor is refused or ignored', () => {
  assert.deepEqual(findPageStart(defaultDecisions, undefined), { after: undefined, isEmpty: false });
  assert.deepEqual(findPageStart(defaultDecisions, { position: ['a', 'b'] }), { after: 'a', isEmpty: false });
  const find = (invalid: 'first-page' | 'empty') => findPageStart(decide({ 'lists.cursor.invalid': invalid }), { problem: 'malformed' });
  assert.deepEqual(find('first-page'), { after: undefined, isEmpty: false });
  assert.deepEqual(find('empty'), { after: undefined, isEmpty: true });
  const refused = {
    status: undefined,
    reason: 'lists.cursor.invalid',
    errors: [{ pointer: '?cursor', message: 'must be the cursor of the previous page of the same list' }],
  };
  assert.deepEqual(findPageStart(defaultDecisions, { problem: 'malformed' }), {
    ...refused,
    detail: 'The cursor was not issued by this service since the world was last loaded or reset.',
    evidence: { cause: 'cursor', problem: 'malformed' },
  });
  assert.deepEqual(findPageStart(defaultDecisions, { problem: 'other-list', issuedFor: 'assignments||north' }), {
    ...refused,
    detail: 'The cursor belongs to a list with other filters.',
    evidence: { cause: 'cursor', problem: 'other list', issuedFor: 'assignments north' },
  });
});

test('a cursor of the users list is bound to the account, the sort field and the sort order', () => {
  const key = { accountId: 'north', sortBy: 'createdAt', sortOrder: 'asc' };
  const rows = [
    ['other-account', { accountId: 'south' }, 'The cursor was issued for another account.', 'users south createdAt asc'],
    ['other-sort-by', { sortBy: 'lastName' }, 'The cursor was issued for another sort field.', 'users north lastName asc'],
    ['other-sort-order', { sortOrder: 'desc' }, 'The cursor was issued for another sort order.', 'users north createdAt desc'],
  ] as const;
  const errors = [{ pointer: '?cursor', message: 'must be the cursor of the previous page, for the same accountId, sortBy and sortOrder' }];
  for (const [problem, change, detail, issuedFor] of rows) {
    assert.deepEqual(refuseUsersCursor({ problem: 'other-list', issuedFor: createUsersListName({ ...key, ...change }) }, key), {
      status: 400,
      reason: `users.list.cursor-${problem}`,
      detail,
      errors,
      evidence: { cause: 'cursor', problem: 'other list', issuedFor },
    });
  }
  const detail = 'The cursor was not issued for the users list since the world was last loaded or reset.';
  const malformed = { status: 400, reason: 'users.list.cursor-malformed', detail, errors };
  assert.deepEqual(refuseUsersCursor({ problem: 'malformed' }, key), { ...malformed, evidence: { cause: 'cursor', problem: 'malformed' } });
  assert.deepEqual(refuseUsersCursor({ problem: 'other-list', issuedFor: 'assignments|north' }, key), {
    ...malformed,
    evidence: { cause: 'cursor', problem: 'other list', issuedFor: 'assignments north' },
  });
});

test('a page contains its entities, the cursor after the last one, the page size, and the count if it is given', () => {
  const cursors = createCursors(() => 'key');
  const source = { cursors, decisions: defaultDecisions, list: 'list', pageSize: 2, fill: 2 };
  const [a, b, c] = [['{"id":"a"}'], ['{"id":"b"}', 'Bob', 'b'], ['{"id":"c"}']] as const;
  const read = (rows: Parameters<typeof buildPage>[0], more: object = {}) => {
    const page = JSON.parse(buildPage(rows, { ...source, ...more }).json);
    return { ...page, cursor: page.cursor && cursors.read(page.cursor, 'list') };
  };
  const ids = (...entities: string[]) => ({ entities: entities.map((id) => ({ id })), pageSize: 2 });
  assert.deepEqual(read([]), { ...ids(), cursor: null });
  assert.deepEqual(read([a, b]), { ...ids('a', 'b'), cursor: null });
  assert.deepEqual(read([a, b, c]), { ...ids('a', 'b'), cursor: { position: ['Bob', 'b'] } });
  assert.deepEqual(read([b, a, c]), { ...ids('b', 'a'), cursor: { position: ['a'] } });
  assert.deepEqual(read([a], { fill: 0 }), { ...ids(), cursor: { position: [] } });
  assert.deepEqual(read([a], { count: 0 }), { ...ids('a'), cursor: null, count: 0 });
  assert.equal(read([a], { decisions: decide({ 'lists.page-size': 'held' }) }).pageSize, 1);
});
