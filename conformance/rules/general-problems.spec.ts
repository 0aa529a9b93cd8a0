import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { Call } from '../actors/api-client.ts';
import { GROUP_NAMES, GROUPS, type Group } from '../actors/sample-calls.ts';
import { PROBLEM_RULES } from '../expect/problem.ts';
import { isJson } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Need } from '../target/need.ts';

/** For each group a change to a valid call that gets 403: to an identity that may only read, or that lacks the scope. */
const FORBIDDEN: Readonly<
  Record<Group, readonly [operation: OperationId, capability: Capability, change: (need: Need) => Promise<Partial<Call>>]>
> = {
  assignability: [
    'getExperienceAssignability',
    'experience.read-only',
    async (need) => ({ path: { experienceId: await need('experience.read-only') } }),
  ],
  assignments: ['deleteExperienceAssignment', 'token.reader', async (need) => ({ token: await need('token.reader') })],
  connections: ['deleteExperienceConnection', 'token.reader', async (need) => ({ token: await need('token.reader') })],
  users: ['getUsers', 'token.without-scope', async (need) => ({ token: (await need('token.without-scope'))['users:manage'] })],
};

for (const group of GROUP_NAMES) {
  for (const { id, expect } of PROBLEM_RULES) {
    test(...rule(id, `${group}, refusals`), async ({ calls, need, has }) => {
      const [operation, capability, change] = FORBIDDEN[group];
      if (has(capability) && calls.possible<OperationId>(GROUPS[group]).includes(operation)) {
        const call = { ...(await calls.of(operation)), token: await need('token') };
        const answer = await calls.send(operation, { ...call, ...(await change(need)) });
        // A success breaks another rule.
        if (answer.status >= 400) expect(answer);
      }
      await calls.expectOfRefusals(group, expect);
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
