import { GROUP_NAMES, GROUPS, REPRESENTATIVES } from '../actors/sample-calls.ts';
import { PROBLEM_RULES } from '../expect/problem.ts';
import { isJson } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { notTestable } from '../target/not-testable.ts';

// These checks cause one kind of refusal, so that each rule has a check that can pass. The refusals of all other checks are judged by the same
// rules when the check ends, see brokenRefusals.

for (const operation of REPRESENTATIVES) {
  for (const { id, expect } of PROBLEM_RULES) {
    test(...rule(id, `${operation}, without a token`), async ({ calls, need }) => {
      const call = await calls.of(operation);
      const refusal = await calls.send(operation, call);
      if (refusal.status < 400) notTestable('the target does not refuse a call without a token');
      expect(refusal);
      // The valid call proves that the other was refused because it had no token.
      await calls.expectSuccess(operation, { ...call, token: await need('token') });
      await calls.requireTokenCheck(operation, call);
    });
  }
}

for (const group of GROUP_NAMES) {
  test(...rule('http.bodies-are-json', `${group}, successes`), async ({ calls, need }) => {
    const token = await need('token');
    for (const operation of calls.possible(GROUPS[group])) {
      const call = await calls.of(operation);
      const answer = await calls.expectSuccess(operation, { ...call, token });
      must(answer.text === '' || isJson(answer), 'the body is JSON', answer);
      await calls.requireTokenCheck(operation, call);
    }
  });
}
