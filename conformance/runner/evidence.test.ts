import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../src/expect/answer.ts';
import { createAnswer } from '../target/testing/answer.ts';
import { collectEvidence } from './evidence.ts';

function createStep(path: string, members: Partial<Answer> = {}) {
  const url = `https://api.example.com${path}`;
  const answer = createAnswer({ url, requestHeaders: { authorization: 'bearer opaque-token' }, ...members });
  return { operationId: 'getUsers', answer };
}

test('the evidence contains the exchange that breaks the rule and all earlier exchanges', () => {
  const trail = [createStep('/a'), createStep('/b', { status: 400, json: { traceId: 't-1' } }), createStep('/c')];
  const evidence = collectEvidence(trail, trail[1]?.answer, []);
  assert.equal(evidence?.exchange?.url, 'https://api.example.com/b');
  assert.equal(evidence?.traceId, 't-1');
  assert.deepEqual(
    evidence?.before?.map(({ url }) => url),
    ['https://api.example.com/a'],
  );
});

test('the evidence hides the tokens that requests contained, even in responses', () => {
  const evidence = collectEvidence(
    [
      createStep('/a?key=api-key-1', {
        text: 'you sent opaque-token',
        requestHeaders: { 'x-key': 'api-key-1', authorization: 'bearer opaque-token' },
      }),
    ],
    undefined,
    ['api-key-1'],
  );
  assert.doesNotMatch(JSON.stringify(evidence), /opaque-token|api-key-1/);
  assert.match(evidence?.curl ?? '', /-H "authorization: bearer \$TOKEN"/);
});

test('quotes in values from the target are escaped in the curl command', () => {
  const evidence = collectEvidence([createStep(`/a?cursor=';touch x;'`)], undefined, []);
  assert.ok(evidence?.curl?.endsWith(`'https://api.example.com/a?cursor='\\'';touch x;'\\'''`));
});
