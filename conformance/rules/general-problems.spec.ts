import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { Call } from '../actors/api-client.ts';
import { type Change, given, isPossible, sendChanged } from '../actors/refusals.ts';
import { GROUP_NAMES, GROUPS, type Group } from '../actors/sample-calls.ts';
import { PROBLEM_RULES } from '../expect/problem.ts';
import { isJson, isSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { notTestable } from '../target/not-testable.ts';
import { UNKNOWN_UUID } from '../target/sample-values.ts';

/** The valid call for the second time, which is refused because its entity already exists or is already deleted. */
const AGAIN: Change = {};
const NOBODY: Change = { as: 'nobody' };
const WITHOUT_ACCOUNT: Change = { values: { accountId: undefined } };

/** For each group of operations, changes to valid calls that the target must refuse. */
const REFUSED: Readonly<Record<Group, readonly (readonly [OperationId, ...Change[]])[]>> = {
  assignability: [
    [
      'getExperienceAssignability',
      NOBODY,
      { values: { targetType: undefined, targetValue: undefined } },
      { id: UNKNOWN_UUID },
      { id: given('experience.read-only') },
    ],
  ],
  assignments: [
    ['getExperienceAssignments', WITHOUT_ACCOUNT, NOBODY],
    ['createExperienceAssignment', { rawBody: '{}' }, AGAIN],
    ['deleteExperienceAssignment', { as: 'reader' }, AGAIN],
  ],
  connections: [
    ['getExperienceConnections', WITHOUT_ACCOUNT, NOBODY],
    ['createExperienceConnection', { rawBody: '{"unfinished":' }, AGAIN],
    ['deleteExperienceConnection', { as: 'reader' }, AGAIN],
  ],
  users: [
    ['getUsers', WITHOUT_ACCOUNT, NOBODY, { as: 'without-scope' }],
    ['getUser', { id: UNKNOWN_UUID }],
  ],
};

for (const group of GROUP_NAMES) {
  for (const { id, expect } of PROBLEM_RULES) {
    test(...rule(id, `${group}, refusals`), async ({ calls, need, has }) => {
      const token = await need('token');
      const possible = calls.possible(REFUSED[group].map(([operation]) => operation));
      const valid: [OperationId, Call][] = [];
      let refusals = 0;
      for (const [operation, ...changes] of REFUSED[group]) {
        if (!possible.includes(operation)) continue;
        const sample = await calls.sample(operation);
        const send = (change: Change) => sendChanged({ need, calls }, operation, sample, change);
        const answers = [];
        for (const change of changes) if (change !== AGAIN && isPossible(change, has)) answers.push(await send(change));
        // The valid call proves that the others were refused for their change. It is sent after them, because it changes the state.
        const isSpent = answers.some(isSuccess);
        const call = await calls.call(operation, isSpent ? await calls.sample(operation) : sample);
        await calls.expectSuccess(operation, { ...call, token });
        if (changes.includes(AGAIN)) answers.push(await send(AGAIN));
        valid.push([operation, call]);
        // A call that succeeds breaks another rule, so only refusals are validated.
        const refused = answers.filter(({ status }) => status >= 400);
        for (const answer of refused) expect(answer);
        refusals += refused.length;
      }
      for (const [operation, call] of valid) await calls.requireTokenCheck(operation, call);
      if (refusals === 0) notTestable('the target refused none of the invalid requests');
    });
  }

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
