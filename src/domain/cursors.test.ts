import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCursors } from './cursors.ts';

const cursors = createCursors(() => 'key');
const LIST = 'users|account-1|createdAt|asc';

test('reading a cursor returns the position for which it was issued, if the list is the same', () => {
  for (const position of [['a'], ['Zoë "x"', 'b'], ['']]) assert.deepEqual(cursors.read(cursors.issue(LIST, position), LIST), { position });
});

test('a cursor that an earlier version of the kit issued remains valid', () => {
  const cursor = 'ZXpwMFFOMzNuTXQxZWhjUVsidXNlcnN8YWNjb3VudC0xfGNyZWF0ZWRBdHxhc2MiLCJhIl0';
  assert.deepEqual(cursors.read(cursor, LIST), { position: ['a'] });
});

test('if a cursor was issued for another list, reading the cursor returns the name of that list', () => {
  assert.deepEqual(cursors.read(cursors.issue(LIST, ['a']), 'assignments'), { problem: 'other-list', issuedFor: LIST });
});

test('a cursor is malformed if it was issued with another key, or if a character was changed, removed or added', () => {
  const cursor = cursors.issue(LIST, ['a']);
  const changed = Array.from(cursor, (character, n) => cursor.slice(0, n) + (character === 'A' ? 'B' : 'A') + cursor.slice(n + 1));
  const others = [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, `${cursor} `, '', 'null', '{}', '\0', 'é'];
  for (const text of [...changed, ...others, createCursors(() => 'other').issue(LIST, ['a'])])
    assert.deepEqual(cursors.read(text, LIST), { problem: 'malformed' }, text);
});

test('a prefix with reserved characters is part of the cursor', () => {
  const prefixed = createCursors(() => 'key', '+/=%2B&');
  const cursor = prefixed.issue(LIST, ['a']);
  assert.equal(cursor, `+/=%2B&${cursors.issue(LIST, ['a'])}`);
  assert.deepEqual(prefixed.read(cursor, LIST), { position: ['a'] });
  for (const text of [cursor.slice(7), cursor.replace('+', ' '), cursor.replace('%2B', '+'), cursor.split('&')[0]!])
    assert.deepEqual(prefixed.read(text, LIST), { problem: 'malformed' }, text);
});
