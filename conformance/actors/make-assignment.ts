import type { NewAssignment, TargetType } from '../target/capabilities-of-events.ts';
import type { Answer } from '../target/exchange.ts';
import type { Ledger } from '../target/ledger.ts';
import type { Need } from '../target/need.ts';
import type { Call, Client } from './client.ts';

export const TARGET_TYPES: readonly TargetType[] = ['PHONE_NUMBER', 'USER', 'ACCOUNT'];

/** As the target answered it. */
export interface Assignment extends NewAssignment {
  readonly id: string;
  readonly accountId: string;
  readonly updatedAt?: string;
}

/** Assignments of the suite's own. All are removed after the check. */
export interface Assignments {
  /** What a creation sends when it is to succeed: unless said otherwise the main Experience, and a telephone number that nothing is assigned to. */
  wanted(wanted?: Partial<NewAssignment>): Promise<NewAssignment>;
  /** Sends a creation, right or wrong. */
  create(body: unknown, call?: Omit<Call, 'body'>): Promise<Answer>;
  /** An assignment for a check to work on. @throws Error where the target does not make it: that says nothing about the rule at hand. */
  make(wanted?: Partial<NewAssignment>): Promise<Assignment>;
}

export function createAssignments(api: Client, need: Need, ledger: Ledger): Assignments {
  const assignments: Assignments = {
    async wanted({ experienceId, targetType = 'PHONE_NUMBER', targetValue } = {}) {
      return {
        experienceId: experienceId ?? (await need('experience', 'write', FREE[targetType])),
        targetType,
        targetValue: targetValue ?? (await freeTarget(need, targetType)),
      };
    },

    async create(body, call = {}) {
      await need('write');
      const answer = await api.call('createExperienceAssignment', {
        token: await need('token'),
        ...call,
        ...(call.rawBody === undefined && { body }),
      });
      // Also where it should have been refused: nothing is left behind.
      const id = madeBy(answer)?.id;
      if (id !== undefined) ledger.assignment(id);
      return answer;
    },

    async make(wanted) {
      const answer = await assignments.create(await assignments.wanted(wanted));
      const made = madeBy(answer);
      if (made === undefined)
        throw new Error(`the target refused an assignment, which this check needs (${answer.status}): ${answer.text.slice(0, 200)}`);
      return made;
    },
  };
  return assignments;
}

const FREE = { PHONE_NUMBER: 'numbers', USER: 'users', ACCOUNT: 'account' } as const;

/** A target of the main account that nothing is assigned to; of the type ACCOUNT there is only the account itself. */
export async function freeTarget(need: Need, targetType: TargetType): Promise<string> {
  return targetType === 'ACCOUNT' ? need('account') : (await need(FREE[targetType]))();
}

function madeBy({ status, json }: Answer): Assignment | undefined {
  const made = json as Partial<Assignment> | null | undefined;
  return status >= 200 && status < 300 && typeof made?.id === 'string' ? (made as Assignment) : undefined;
}
