import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { instanceOf } from './instance.ts';

for (const [target, instance] of [
  ['/users/1?accountId=2', '/users/1'],
  ['/users/%7e', '/users/%7e'],
  ['/users/%ZZ', '/users/%25ZZ'],
  ['/caf\xc3\xa9', '/caf%C3%A9'],
  ['/a b"<>[]^`{|}\\', '/a%20b%22%3C%3E%5B%5D%5E%60%7B%7C%7D%5C'],
  ['//evil.example/a', '/.//evil.example/a'],
  ['http://localhost:1/a?b', '/a'],
  ['http://localhost', '/'],
  ['/a#b', '/a'],
  ['*', '*'],
] as const) {
  test(`the instance of ${JSON.stringify(target)} is ${instance}`, () => {
    assert.equal(instanceOf(target), instance);
  });
}

test('every path gives a URI reference to this server', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) => {
      const instance = instanceOf(`/${path}`);
      assert.match(instance, /^(?!\/\/)(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})+$/);
      assert.equal(new URL(instance, 'http://here.example').host, 'here.example');
    }),
  );
});
