import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Names } from './side.ts';

function createNames(): Names {
  const names = new Names();
  names.define('«account 1»', 'Aa-target', 'bb-twin');
  return names;
}

test('each side gets its own ids, at any depth', () => {
  const names = createNames();
  const value = { ids: ['«account 1»', 'x «account 1»', 1, null] };
  assert.deepEqual(names.resolve(0, value), { ids: ['Aa-target', 'x Aa-target', 1, null] });
  assert.deepEqual(names.resolve(1, value), { ids: ['bb-twin', 'x bb-twin', 1, null] });
});

test('a caret after a name means the id in capital letters', () => assert.equal(createNames().resolve(0, '«account 1»^'), 'AA-TARGET'));
test('an erasing mark after a name means the number without its last digit', () =>
  assert.equal(createNames().resolve(0, '«account 1»⌫'), 'Aa-targe'));

test('a hyphen after a name is a hyphen, because an invalid number may end with one', () =>
  assert.equal(createNames().resolve(1, '«account 1»-'), `${createNames().resolve(1, '«account 1»')}-`));

test('ids of one side become names, in any letter case', () => {
  const names = createNames();
  assert.deepEqual(names.replaceIds(0, { id: 'AA-TARGET', other: 'bb-twin' }), { id: '«account 1»', other: 'bb-twin' });
  assert.deepEqual([names.findName(1, 'BB-twin'), names.findName(1, 7)], ['«account 1»', undefined]);
});

test('a name without an id cannot be resolved', () => {
  const names = createNames();
  assert.deepEqual(
    [names.canResolve({ a: ['«account 1»'] }), names.canResolve('«user 1»'), names.canResolve(undefined)],
    [true, false, true],
  );
  assert.throws(() => names.resolve(0, '«user 1»'), /«user 1» has no id/);
});

test('forgotten names have neither ids nor names', () => {
  const names = createNames();
  names.forget(['«account 1»', '«unknown»']);
  assert.equal(names.canResolve('«account 1»'), false);
  assert.equal(names.findName(0, 'Aa-target'), undefined);
});
