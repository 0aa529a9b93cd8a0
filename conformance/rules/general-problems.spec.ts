import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { Call } from '../actors/api-client.ts';
import { GROUP_NAMES, GROUPS, type Group, type SampleCalls } from '../actors/sample-calls.ts';
import { PROBLEM_RULES } from '../expect/problem.ts';
import { isJson } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Answer } from '../target/exchange.ts';
import type { Need } from '../target/need.ts';

/** How each group is forbidden something: to who may read, or lacks the scope. */
const FORBIDDEN = {
  assignability: {
    operation: 'getExperienceAssignability',
    needs: 'experience.read-only',
    change: async (need) => ({ path: { experienceId: await need('experience.read-only') } }),
  },
  assignments: {
    operation: 'deleteExperienceAssignment',
    needs: 'token.reader',
    change: async (need) => ({ token: await need('token.reader') }),
  },
  connections: {
    operation: 'deleteExperienceConnection',
    needs: 'token.reader',
    change: async (need) => ({ token: await need('token.reader') }),
  },
  users: {
    operation: 'getUsers',
    needs: 'token.without-scope',
    change: async (need) => ({ token: (await need('token.without-scope'))['users:manage'] }),
  },
} as const satisfies Record<Group, { operation: string; needs: Capability; change: (need: Need) => Promise<Partial<Call>> }>;

/** Where the target gives what is needed for it. Whether it is refused is the matter of other rules. */
async function forbiddenOf(group: Group, calls: SampleCalls, need: Need, has: (capability: Capability) => boolean): Promise<Answer[]> {
  const { operation, needs, change } = FORBIDDEN[group];
  if (!has(needs) || !calls.possible<OperationId>(GROUPS[group]).includes(operation)) return [];
  const good = { ...(await calls.of(operation)), token: await need('token') };
  const answer = await calls.send(operation, { ...good, ...(await change(need)) });
  return answer.status >= 400 ? [answer] : [];
}

for (const group of GROUP_NAMES) {
  for (const { id, sentence, expect: judge } of PROBLEM_RULES) {
    test(`${sentence}: ${group}.`, rule(id), async ({ calls, need, has }) => {
      for (const answer of await forbiddenOf(group, calls, need, has)) judge(answer);
      await calls.expectOfRefusals(group, judge);
    });
  }

  test(`Every body of the API is JSON, that of a success: ${group}.`, rule('http.bodies-are-json'), async ({ calls, need }) => {
    const token = await need('token');
    for (const operation of calls.possible(GROUPS[group])) {
      const good = await calls.of(operation);
      const answer = await calls.expectSuccess(operation, { ...good, token });
      must(answer.text === '' || isJson(answer), 'the body is JSON', answer);
      await calls.requireTokenCheck(operation, good);
    }
  });
}
