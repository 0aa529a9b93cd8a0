import { PROBLEM_RULES } from '../../src/expect/problem.ts';
import { isJson } from '../../src/expect/response.ts';
import { must } from '../../src/expect/rule-broken.ts';
import { GROUP_REPRESENTATIVES, OPERATION_GROUPS } from '../actors/sample-calls.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { endAsNotTestable } from '../target/check-report.ts';

// Other checks only report that a refusal breaks PROBLEM_RULES. These checks can also report that a rule passed.

for (const operation of GROUP_REPRESENTATIVES) {
  for (const { id, expect } of PROBLEM_RULES) {
    test(...rule(id, `${operation}, without a token`), async ({ calls }) => {
      const call = await calls.createCall(operation);
      const refusal = await calls.send(operation, call);
      if (refusal.status < 400) endAsNotTestable('the target does not refuse a call without a token');
      expect(refusal);
      // If the same call succeeds with a token, the target refused it because it had no token.
      await calls.expectSuccess(operation, call);
      await calls.requireTokenCheck(operation, call);
    });
  }
}

for (const [group, operations] of Object.entries(OPERATION_GROUPS)) {
  test(...rule('http.bodies-are-json', `${group}, successes`), async ({ calls, need }) => {
    const token = await need('token');
    for (const operation of calls.filterPossible(operations)) {
      const call = await calls.createCall(operation);
      const answer = await calls.expectSuccess(operation, { ...call, token });
      must(answer.text === '' || isJson(answer), 'the body is JSON', answer);
      await calls.requireTokenCheck(operation, call);
    }
  });
}
