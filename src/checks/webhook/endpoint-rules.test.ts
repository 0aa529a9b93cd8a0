import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeEndpoint } from './endpoint-rules.ts';
import type { ScenarioResult } from './result.ts';
import type { FixedScenario } from './scenario.ts';

test('only the finding about a redirect says that a redirect is not an acknowledgement', () => {
  const getMessage = (status: number) => {
    const result = { failure: 'not-acknowledged', status, message: `The endpoint answered ${status}.`, timeline: [] };
    const scenarios = [{ id: 'first', title: 'An event arrives.' }] as unknown as FixedScenario[];
    const results = new Map([['first', result as unknown as ScenarioResult]]);
    return judgeEndpoint({ scenarios, results, acknowledged: 0, answerWithinMs: 15_000, hasState: false }).find(
      ({ verdict }) => verdict === 'failed',
    )?.message;
  };
  assert.match(getMessage(307) ?? '', /redirect/);
  for (const status of [401, 404]) assert.doesNotMatch(getMessage(status) ?? 'redirect', /redirect/);
});
