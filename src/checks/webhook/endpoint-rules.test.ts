import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeEndpoint } from './endpoint-rules.ts';
import type { ScenarioResult } from './result.ts';
import type { FixedScenario } from './scenario.ts';

function getMessage(status: number, secret?: string) {
  const result = { failure: 'not-acknowledged', status, message: `The endpoint answered ${status}.`, timeline: [] };
  const scenarios = [{ id: 'first', title: 'An event arrives.' }] as unknown as FixedScenario[];
  const results = new Map([['first', result as unknown as ScenarioResult]]);
  return judgeEndpoint({ scenarios, results, acknowledged: 0, answerWithinMs: 15_000, secret, hasState: false }).find(
    ({ verdict }) => verdict === 'failed',
  )?.message;
}

test('only the finding about a redirect says that a redirect is not an acknowledgement', () => {
  assert.match(getMessage(307) ?? '', /redirect/);
  for (const status of [401, 404]) assert.doesNotMatch(getMessage(status) ?? 'redirect', /redirect/);
});

test('only the finding about 401 or 403 says whether the deliveries are signed, and by which secret', () => {
  for (const status of [401, 403]) {
    assert.match(getMessage(status) ?? '', /does not sign its deliveries\. .*--set events\.delivery\.signature=standard-webhooks/);
    assert.match(getMessage(status, 'whsec_abc') ?? '', /signs its deliveries with the secret whsec_abc\. .*--secret/);
  }
  for (const status of [404, 500]) assert.doesNotMatch(getMessage(status, 'whsec_abc') ?? 'signature', /signature|secret/);
});
