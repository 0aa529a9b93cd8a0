import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../src/expect/answer.ts';
import { RuleBroken } from '../../src/expect/rule-broken.ts';
import { expectStatus, expectSuccess, expectSuccessStatus, requireSuccess } from './response.ts';
import { recordReceived } from './sent.ts';

const ACCOUNT = '019b76da-a800-7842-89c6-aab35372cefd';

function createAnswer(members: Partial<Answer>): Answer {
  const exchange = { method: 'GET', url: `https://a.test/users?accountId=${ACCOUNT}`, requestHeaders: {}, headers: {}, text: '' };
  return { ...exchange, operationId: 'getUsers', requestBody: undefined, status: 400, json: undefined, ...members };
}

const invalid = createAnswer({ url: 'https://a.test/users?accountId=1' });

for (const [name, run] of Object.entries({
  expectSuccess: () => expectSuccess(invalid),
  expectSuccessStatus: () => expectSuccessStatus(invalid),
  requireSuccess: () => requireSuccess('a list', invalid),
  'expectStatus with a success': () => expectStatus(invalid, 200, 204),
}))
  test(`if the suite's own request is invalid, ${name} throws an error of the suite, not one of the target`, () =>
    assert.throws(run, (error: Error) => {
      assert.ok(!(error instanceof RuleBroken));
      assert.match(error.message, /^The suite sent GET https:\/\/a\.test\/users\?accountId=1 as a valid request, .*accountId/);
      return true;
    }));

test("an invalid body is the suite's error, too", () => {
  const body = { accountId: ACCOUNT, experienceId: ACCOUNT, targetType: 'NONE', targetValue: 'x' };
  const answer = createAnswer({ operationId: 'createExperienceAssignment', method: 'POST', url: 'https://a.test/experience-assignments' });
  assert.throws(() => expectSuccessStatus({ ...answer, requestBody: JSON.stringify(body) }), /targetType/);
});

test('the refusal of a valid request is a failure of the target, and that of a request that should be refused is expected', () => {
  assert.throws(() => expectSuccess(createAnswer({})), RuleBroken);
  expectStatus(invalid, 400);
});

test('a value that the specification leaves open is not an error of the suite', () => {
  const url = `https://a.test/users?accountId=${ACCOUNT}&sortBy=created&sortOrder=descending`;
  assert.throws(() => expectSuccess(createAnswer({ url })), RuleBroken);
  const list = `https://a.test/experience/assignments?accountId=${ACCOUNT}&pageSize=101`;
  assert.throws(() => expectSuccessStatus(createAnswer({ operationId: 'getExperienceAssignments', url: list })), RuleBroken);
});

test("an invalid value that the target itself has sent before is not the suite's error", () => {
  recordReceived('{"accountId":"no-uuid"}');
  const answer = createAnswer({ url: 'https://a.test/users?accountId=no-uuid' });
  assert.throws(() => expectSuccess(answer), RuleBroken);
  assert.throws(() => expectSuccess({ ...answer, url: `${answer.url}&pageSize=0` }), /^Error: The suite sent .*\/pageSize/);
});
