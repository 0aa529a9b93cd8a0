import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnswer } from '../target/testing/answer.ts';
import { findRefusalsBreakingRules, findRevealingDifferences } from './problem.ts';

function createLookup(id: string, body: object, headers: Record<string, string> = {}) {
  const answer = createAnswer({ status: 404, headers, json: { title: 'Not Found', status: 404, ...body } });
  return { answer, id };
}

const NOT_FOUND_RESPONSES = [
  createLookup('a-1', { traceId: 't1', instance: '/users/a-1', detail: 'No user a-1.', now: 1 }, { link: '</help/t1/a-1>' }),
  createLookup('b-2', { traceId: 't2', instance: '/users/b-2', detail: 'No user b-2.', now: 2 }, { link: '</help/t2/b-2>' }),
];

test('findRevealingDifferences ignores the id and the traceId, and all values that differ between responses with the same cause', () => {
  const hidden = createLookup(
    'C~3',
    { traceId: 't3', instance: '/users/C~3', detail: 'No user c~3.', now: 3 },
    { 'content-length': '9', link: '</help/t3/C~3>' },
  );
  assert.deepEqual(findRevealingDifferences(NOT_FOUND_RESPONSES, [hidden]), []);
});

test('findRevealingDifferences finds a different word in detail, a different instance, an additional member, an additional header and a different link', () => {
  const headers = { 'x-reason': 'hidden', link: '</help/hidden/t3/c-3>' };
  const hidden = createLookup(
    'c-3',
    { traceId: 't3', instance: '/accounts/1/users/c-3', detail: 'User c-3 may not be viewed.', now: 3, errors: [] },
    headers,
  );
  const differences = ['/detail', '/errors', '/instance', 'the header link', 'the header x-reason'];
  assert.deepEqual(findRevealingDifferences(NOT_FOUND_RESPONSES, [hidden]).toSorted(), differences);
});

test('findRefusalsBreakingRules reports each rule once per operation, and ignores undocumented statuses and the authorization server', () => {
  const page = { ...createLookup('a-1', {}).answer, text: '<html>', json: undefined };
  const createExchange = (operationId: string, status: number) => ({ operationId, answer: { ...page, status } });
  const all = [
    createExchange('getUser', 404),
    createExchange('getUser', 403),
    createExchange('getUser', 502),
    createExchange('token', 400),
  ];
  const found = findRefusalsBreakingRules(all).map(({ rule, operation }) => `${operation} ${rule}`);
  assert.ok(found.includes('getUser http.bodies-are-json') && found.includes('getUser http.problem.content-type'));
  assert.equal(new Set(found).size, found.length);
  assert.deepEqual(findRefusalsBreakingRules(all.slice(2)), []);
});

test('if the body is not an object, findRefusalsBreakingRules reports only the rules about required members', () => {
  const answer = { ...createLookup('a-1', {}, { 'content-type': 'application/problem+json' }).answer, text: '[]', json: [] };
  const members = findRefusalsBreakingRules([{ operationId: 'getUser', answer }]).map(({ rule }) => rule.replace('http.problem.', ''));
  assert.deepEqual(members, ['status', 'trace-id', 'title']);
});
