import type { OperationId } from '../../src/contract/generated/operations.ts';
import { must } from '../support/broken.ts';
import type { Capability } from '../support/capabilities.ts';
import type { Call } from '../support/client.ts';
import type { Answer } from '../support/exchange.ts';
import { GROUP_NAMES, GROUPS, type Group, test } from '../support/general-test.ts';
import type { GoodCalls } from '../support/good-calls.ts';
import type { Need } from '../support/need.ts';
import { PROBLEM_RULES } from '../support/problem-rules.ts';
import { judgeRefusals } from '../support/refusals.ts';
import { rule } from '../support/rule.ts';
import { isJson } from '../support/verify.ts';

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
async function forbiddenOf(group: Group, calls: GoodCalls, need: Need, has: (capability: Capability) => boolean): Promise<Answer[]> {
  const { operation, needs, change } = FORBIDDEN[group];
  if (!has(needs) || !calls.possible<OperationId>(GROUPS[group]).includes(operation)) return [];
  const good = { ...(await calls.of(operation)), token: await need('token') };
  const answer = await calls.send(operation, { ...good, ...(await change(need)) });
  return answer.status >= 400 ? [answer] : [];
}

for (const group of GROUP_NAMES) {
  for (const { id, sentence, judge } of PROBLEM_RULES) {
    test(`${sentence}: ${group}.`, rule(id), async ({ calls, need, has }) => {
      for (const answer of await forbiddenOf(group, calls, need, has)) judge(answer);
      await judgeRefusals(group, calls, need, judge);
    });
  }

  test(`Every body of the API is JSON, that of a success: ${group}.`, rule('http.bodies-are-json'), async ({ calls, need }) => {
    const token = await need('token');
    for (const operation of calls.possible(GROUPS[group])) {
      const good = await calls.of(operation);
      const answer = await calls.succeed(operation, { ...good, token });
      must(answer.text === '' || isJson(answer), 'the body is JSON', answer);
      await calls.mustHeedTokens(operation, good);
    }
  });
}
