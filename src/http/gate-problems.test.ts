import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GateProblemId, gateProblem, gateProblems } from './gate-problems.ts';

for (const [id, { text, title }] of Object.entries(gateProblems)) {
  test(`${id} has a title and one sentence of text`, () => {
    assert.match(id, /^(http|control)(\.[a-z]+(-[a-z]+)*)+$/);
    assert.match(title, /^[A-Z][^.]+$/);
    assert.match(text, /^[A-Z].*[^.]\.$/);
    assert.equal(text.match(/\. [A-Z]/), null);
  });
}

test('a problem without a detail of its own says the text', () => {
  const id: GateProblemId = 'http.unknown-route';
  assert.equal(gateProblem(id).detail, gateProblems[id].text);
  assert.equal(gateProblem(id, 'More precisely.').detail, 'More precisely.');
});
