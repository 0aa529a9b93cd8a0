import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../src/expect/answer.ts';
import { expectTokenResponse } from '../../src/expect/token-response.ts';
import { createAnswer } from '../target/testing/answer.ts';
import { expectRefused, expectStatus, expectSuccess } from './response.ts';
import { expectNoToken, expectToken } from './token.ts';

const EXPECTATIONS: readonly (readonly [name: string, expect: (answer: Answer) => unknown, status: number, message: RegExp])[] = [
  ['expectSuccess', (answer) => expectSuccess(answer), 404, /^Expected the status 2xx\./],
  ['expectSuccess with a status', (answer) => expectSuccess(answer, 200), 201, /^Expected the status 200\./],
  ['expectStatus', (answer) => expectStatus(answer, 403, 404), 200, /^Expected the status 403 or 404\./],
  ['expectRefused', expectRefused, 200, /^Expected that the request is refused \(4xx\)\./],
  ['expectToken', expectToken, 400, /^Expected the status 2xx\./],
  ['expectTokenResponse', (answer) => expectTokenResponse(answer, () => true), 400, /^Expected the status 2xx\./],
  ['expectNoToken', expectNoToken, 200, /^Expected that the token request is refused \(4xx\)\./],
];
for (const [name, expect, status, message] of EXPECTATIONS) {
  test(`${name} reports a wrong status first, with the received status, even if the body is wrong, too`, () => {
    const answer = createAnswer({ status, headers: { 'content-type': 'application/json' }, json: { id: 1, access_token: 't' } });
    assert.throws(
      () => expect(answer),
      (error: Error) => message.test(error.message) && error.message.includes(`was answered with ${status}:`),
    );
  });
}
