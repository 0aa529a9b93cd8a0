import { isSuccess } from '../expect/response.ts';
import type { NewAssignment, TargetType } from '../target/capabilities-of-events.ts';
import type { Answer } from '../target/exchange.ts';
import type { Ledger } from '../target/ledger.ts';
import type { Need } from '../target/need.ts';
import type { Call, Client } from './api-client.ts';

export const TARGET_TYPES: readonly TargetType[] = ['PHONE_NUMBER', 'USER', 'ACCOUNT'];

/** An assignment as the target returned it. */
export interface Assignment extends NewAssignment {
  readonly id: string;
  readonly accountId: string;
  readonly updatedAt?: string;
}

/** Creates, reads and deletes assignments. All that were created are removed after the check. */
export interface Assignments {
  /** The body of a creation that succeeds: by default the main Experience and a telephone number that is not assigned. */
  newBody(overrides?: Partial<NewAssignment>): Promise<NewAssignment>;
  /** Requests a creation with any body. Sends the full token by default. */
  create(body: unknown, call?: Omit<Call, 'body'>): Promise<Answer>;
  /** Creates an assignment that the check needs. @throws Error if the target refuses: that says nothing about the rule at hand */
  make(overrides?: Partial<NewAssignment>): Promise<Assignment>;
  /** Requests to read an assignment. Sends the full token by default. */
  read(assignmentId: string, call?: Call): Promise<Answer>;
  /** Requests to delete an assignment. Sends the full token by default. */
  remove(assignmentId: string, call?: Call): Promise<Answer>;
}

export function createAssignments(api: Client, need: Need, ledger: Ledger): Assignments {
  const assignments: Assignments = {
    async newBody({ experienceId, targetType = 'PHONE_NUMBER', targetValue } = {}) {
      return {
        experienceId: experienceId ?? (await need('experience', 'write', FREE_TARGETS[targetType])),
        targetType,
        targetValue: targetValue ?? (await freeTarget(need, targetType)),
      };
    },

    async create(body, call = {}) {
      await need('write');
      const content = call.rawBody === undefined ? { body } : {};
      const answer = await api.call('createExperienceAssignment', { token: await need('token'), ...call, ...content });
      // Also if the creation should have been refused: nothing is left behind.
      const id = createdAssignment(answer)?.id;
      if (id !== undefined) ledger.assignment(id);
      return answer;
    },

    async make(overrides) {
      const answer = await assignments.create(await assignments.newBody(overrides));
      const created = createdAssignment(answer);
      if (created === undefined)
        throw new Error(`the target refused an assignment, which this check needs (${answer.status}): ${answer.text.slice(0, 200)}`);
      return created;
    },

    read: async (assignmentId, call) =>
      api.call('getExperienceAssignment', { token: await need('token'), path: { assignmentId }, ...call }),
    remove: async (assignmentId, call) =>
      api.call('deleteExperienceAssignment', { token: await need('token'), path: { assignmentId }, ...call }),
  };
  return assignments;
}

const FREE_TARGETS = { PHONE_NUMBER: 'numbers', USER: 'users', ACCOUNT: 'account' } as const;

/** An unassigned target of the main account. For ACCOUNT it is the account itself, which may already be assigned. */
export async function freeTarget(need: Need, targetType: TargetType): Promise<string> {
  return targetType === 'ACCOUNT' ? need('account') : (await need(FREE_TARGETS[targetType]))();
}

function createdAssignment(answer: Answer): Assignment | undefined {
  const created = answer.json as Partial<Assignment> | null | undefined;
  return isSuccess(answer) && typeof created?.id === 'string' ? (created as Assignment) : undefined;
}
