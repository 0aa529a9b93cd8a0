import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { Group } from '../runner/general-test.ts';
import type { Answer } from '../target/exchange.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import type { Call } from './client.ts';
import type { GoodCalls } from './good-calls.ts';

interface Wrong {
  readonly operation: OperationId;
  /** What is changed in a call that succeeds. */
  readonly change: () => Partial<Call>;
}

const WITHOUT_TOKEN = { token: undefined };
/** Nothing: what succeeded has been created, or is gone, already. */
const AGAIN = {};

const WRONG: Readonly<Record<Group, readonly Wrong[]>> = {
  assignability: [
    { operation: 'getExperienceAssignability', change: () => ({ query: {} }) },
    { operation: 'getExperienceAssignability', change: () => WITHOUT_TOKEN },
    { operation: 'getExperienceAssignability', change: () => ({ path: { experienceId: randomUUID() } }) },
  ],
  assignments: [
    { operation: 'getExperienceAssignments', change: () => ({ query: {} }) },
    { operation: 'getExperienceAssignments', change: () => WITHOUT_TOKEN },
    { operation: 'createExperienceAssignment', change: () => ({ body: {} }) },
    { operation: 'createExperienceAssignment', change: () => AGAIN },
    { operation: 'deleteExperienceAssignment', change: () => AGAIN },
  ],
  connections: [
    { operation: 'getExperienceConnections', change: () => ({ query: {} }) },
    { operation: 'getExperienceConnections', change: () => WITHOUT_TOKEN },
    { operation: 'createExperienceConnection', change: () => ({ rawBody: '{"unfinished":' }) },
    { operation: 'createExperienceConnection', change: () => AGAIN },
    { operation: 'deleteExperienceConnection', change: () => AGAIN },
  ],
  users: [
    { operation: 'getUsers', change: () => ({ query: {} }) },
    { operation: 'getUsers', change: () => WITHOUT_TOKEN },
    { operation: 'getUser', change: () => ({ path: { userId: randomUUID() } }) },
  ],
};

/**
 * Judges refusals of a group of operations, each right after the same call was answered with success: a server that refuses everything shows nothing.
 * Whether each is refused is the matter of other rules; what is not is left out.
 */
export async function judgeRefusals(group: Group, calls: GoodCalls, need: Need, judge: (answer: Answer) => void): Promise<void> {
  const token = await need('token');
  let judged = 0;
  const twins = new Map<OperationId, Call>();
  const possible = calls.possible(WRONG[group].map(({ operation }) => operation));
  for (const { operation, change } of WRONG[group]) {
    if (!possible.includes(operation)) continue;
    const good = twins.get(operation) ?? { ...(await calls.of(operation)), token };
    if (!twins.has(operation)) await calls.succeed(operation, good);
    twins.set(operation, good);
    const answer = await calls.send(operation, { ...good, ...change() });
    if (answer.status < 400) continue;
    judge(answer);
    judged += 1;
  }
  for (const [operation, good] of twins) await calls.mustHeedTokens(operation, good);
  if (judged === 0) notTestable('a request that is refused');
}
