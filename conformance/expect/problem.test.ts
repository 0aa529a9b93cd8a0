import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../target/exchange.ts';
import { brokenRefusals, revealingDifferences } from './problem.ts';

function lookUp(id: string, body: object, headers: Record<string, string> = {}) {
  const text = JSON.stringify({ title: 'Not Found', status: 404, ...body });
  const answer: Answer = {
    method: 'GET',
    url: '',
    requestHeaders: {},
    requestBody: undefined,
    status: 404,
    headers,
    text,
    json: JSON.parse(text),
  };
  return { answer, id };
}

const missing = [
  lookUp('a-1', { traceId: 't1', detail: 'No user a-1.', now: 1 }, { link: '</help/t1/a-1>' }),
  lookUp('b-2', { traceId: 't2', detail: 'No user b-2.', now: 2 }, { link: '</help/t2/b-2>' }),
] as const;

test('revealingDifferences ignores the requested id, traceId, instance, and values that differ between responses with the same cause', () => {
  const hidden = lookUp(
    'C~3',
    { traceId: 't3', instance: '/users/C~3', detail: 'No user c~3.', now: 3 },
    { 'content-length': '9', link: '</help/t3/C~3>' },
  );
  assert.deepEqual(revealingDifferences(missing, hidden), []);
});

test('revealingDifferences finds a different word in detail, an additional member, an additional header and a different link', () => {
  const headers = { 'x-reason': 'hidden', link: '</help/hidden/t3/c-3>' };
  const hidden = lookUp('c-3', { traceId: 't3', detail: 'User c-3 may not be viewed.', now: 3, errors: [] }, headers);
  const differences = ['/detail', '/errors', 'the header link', 'the header x-reason'];
  assert.deepEqual(revealingDifferences(missing, hidden).toSorted(), differences);
});

test('brokenRefusals reports each rule once per operation, and ignores undocumented statuses and the authorization server', () => {
  const page = { ...lookUp('a-1', {}).answer, text: '<html>', json: undefined };
  const exchange = (operationId: string, status: number) => ({ operationId, answer: { ...page, status } });
  const all = [exchange('getUser', 404), exchange('getUser', 403), exchange('getUser', 502), exchange('token', 400)];
  const found = brokenRefusals(all).map(({ rule, operation }) => `${operation} ${rule}`);
  assert.ok(found.includes('getUser http.bodies-are-json') && found.includes('getUser http.problem.content-type'));
  assert.equal(new Set(found).size, found.length);
  assert.deepEqual(brokenRefusals(all.slice(2)), []);
});

test('brokenRefusals reports a missing object for the required members only', () => {
  const answer = { ...lookUp('a-1', {}, { 'content-type': 'application/problem+json' }).answer, text: '[]', json: [] };
  const members = brokenRefusals([{ operationId: 'getUser', answer }]).map(({ rule }) => rule.replace('http.problem.', ''));
  assert.deepEqual(members, ['status', 'trace-id', 'title']);
});
