import assert from 'node:assert/strict';
import type { TokenAnswer } from './flow.ts';

/** The error of a token request, its description in the characters that one may have, and nothing to be stored. */
export function refused({ status, headers, body }: TokenAnswer, expected: readonly [status: number, error: string, why: RegExp]): void {
  const [expectedStatus, error, why] = expected;
  assert.deepEqual([status, body.error], [expectedStatus, error], JSON.stringify(body));
  assert.match(String(body.error_description), why);
  assert.match(String(body.error_description), /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  assert.deepEqual(Object.keys(body), ['error', 'error_description']);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
}
