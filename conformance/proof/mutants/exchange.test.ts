import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, problem, requestOf, withEntities, withHeaders, withMembers, withParameters } from './exchange.ts';

test('a request is read in the words of the contract, in both forms', () => {
  const prefixed = requestOf('GET', '/experience/assignments/a%2Fb?x=1', {}, '');
  assert.deepEqual([prefixed.operation, prefixed.form, prefixed.path], ['getExperienceAssignment', 'prefixed', { assignmentId: 'a/b' }]);
  assert.deepEqual(prefixed.query, { x: '1' });
  const flat = requestOf('PUT', '/experience-connections/c', {}, '{}');
  assert.deepEqual([flat.operation, flat.form], ['updateExperienceConnection', 'flat']);
});

test('what is no operation is none', () => {
  for (const [method, url] of [
    ['GET', '/experience/users'],
    ['PATCH', '/users'],
  ] as const)
    assert.equal(requestOf(method, url, {}, '').operation, undefined);
});

test('a request can ask for something else: what is undefined is taken out', () => {
  const request = requestOf('GET', '/users?accountId=a&pageSize=1', {}, '');
  assert.equal(withParameters(request, { query: { accountId: undefined, cursor: 'c d' } }).url, '/users?pageSize=1&cursor=c+d');
  assert.equal(withParameters(requestOf('GET', '/users/u', {}, ''), { path: { userId: 'ü/' } }).url, '/users/%C3%BC%2F');
});

test('members, entities and headers are changed, and the rest stays', () => {
  const page = { status: 200, headers: { a: '1' }, text: '{"entities":[{"id":1},{"id":2}],"cursor":null}' };
  assert.deepEqual(bodyOf(withMembers(page, { cursor: undefined })), { entities: [{ id: 1 }, { id: 2 }] });
  assert.deepEqual(bodyOf(withEntities(page, ([first]) => (first ? [first] : []))).entities, [{ id: 1 }]);
  assert.deepEqual(withHeaders(page, { a: undefined, b: '2' }).headers, { b: '2' });
  assert.equal(bodyOf(problem(409)).status, 409);
});
