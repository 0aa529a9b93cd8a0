import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMembers } from './members.ts';

const VALID_MEMBERS: [string[], string | undefined, object][] = [
  [['name=Desk', 'account=north'], undefined, { name: 'Desk', account: 'north' }],
  [['name=1=2', 'firstName=', 'lastName=007'], undefined, { name: '1=2', firstName: '', lastName: '007' }],
  [['levels.acme=read', 'levels.ri.val=null'], undefined, { levels: { acme: 'read', 'ri.val': null } }],
  [['types=["a"]', 'name="null"'], undefined, { types: ['a'], name: 'null' }],
  [['types+=b=c', 'types+=d', 'redirectUris+=e'], undefined, { types: ['a', 'b=c', 'd'], redirectUris: ['e'] }],
  [['types+=a', 'types+={"b":1}', 'types+={"b":1}'], undefined, { types: ['a', { b: 1 }] }],
  [[], '{"name":"Desk"}', { name: 'Desk' }],
];
for (const [pairs, json, members] of VALID_MEMBERS) {
  test(`parses the members ${pairs.join(' ') || json}`, () =>
    assert.deepEqual(parseMembers(pairs, json, { types: ['a'], name: 'Desk' }), members));
}

const INVALID_MEMBERS: [string[], string | undefined, RegExp][] = [
  [[], undefined, /at least one member as key=value/],
  [['name'], undefined, /form key=value.*not name/],
  [['=x'], undefined, /form key=value/],
  [['name=a', 'name=b'], undefined, /name is given twice/],
  [['levels.a=read', 'levels.a=none'], undefined, /levels\.a is given twice/],
  [['levels={}', 'levels.a=none'], undefined, /levels\.a is given twice/],
  [['name+=x'], undefined, /name is not a list/],
  [['name={x'], undefined, /name is not valid JSON/],
  [['name=a'], '{}', /not both/],
  [[], '[]', /must be an object/],
  [[], 'name', /--json-body is not valid JSON/],
];
for (const [pairs, json, reason] of INVALID_MEMBERS) {
  test(`refuses the members ${pairs.join(' ')} ${json ?? ''}`, () =>
    assert.throws(() => parseMembers(pairs, json, { name: 'Desk' }), reason));
}
