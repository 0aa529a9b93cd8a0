import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Reply, requestOf, success } from '../sabotage/exchange.ts';
import { representative, shapeOf } from './exchanges.ts';

const note = (url: string, reply: Reply) => ({ check: 'x', request: requestOf('GET', url, {}, ''), reply });

test('of exchanges that differ in values only, one is kept', () => {
  const notes = [note('/users/1', success(200, { id: 'a' })), note('/users/2', success(200, { id: 'b' }))];
  assert.equal(representative(notes).length, 1);
});

test('another operation, form, status or shape is another kind', () => {
  const notes = [
    note('/users/1', success(200, { id: 'a' })),
    note('/users/1', success(200, { id: null })),
    note('/users/1', success(404, { id: 'a' })),
    note('/users', success(200, { id: 'a' })),
    note('/experience/assignments', success(200, { id: 'a' })),
    note('/experience-assignments', success(200, { id: 'a' })),
  ];
  assert.equal(representative(notes).length, notes.length);
});

test('what is no operation is left out', () => {
  assert.deepEqual(representative([note('/nowhere', success(200, {}))]), []);
});

test('the shape of a list is that of its different items', () => {
  assert.equal(shapeOf({ b: [1, 2, { c: null }], a: true }), '{a:boolean,b:[number|{c:null}]}');
});
