import { sameId } from '../expect/compare.ts';
import { isSuccess } from '../expect/response.ts';
import type { NewAssignment, TargetType } from '../target/capabilities.ts';
import type { Answer } from '../target/exchange.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import type { Call, Client } from './api-client.ts';
import type { Ledger } from './ledger.ts';
import { entitiesOf } from './lists.ts';

export const TARGET_TYPES: readonly TargetType[] = ['PHONE_NUMBER', 'USER', 'ACCOUNT'];

/** An assignment in a response. */
export interface Assignment extends NewAssignment {
  readonly id: string;
  readonly accountId: string;
  readonly updatedAt?: string;
}

/**
 * Creates, reads and deletes assignments. After the check, the created assignments are deleted. Requests use `token` unless the call
 * contains another token.
 */
export type Assignments = ReturnType<typeof createAssignments>;

export function createAssignments(api: Client, need: Need, ledger: Ledger) {
  /**
   * Makes the body of a valid creation. Default: the main Experience and an unassigned telephone number. For an account, the default
   * Experience is the first one that is not assigned to the account, because the main Experience may be.
   */
  async function newBody(given: Partial<NewAssignment> = {}): Promise<NewAssignment> {
    const { targetType = 'PHONE_NUMBER' } = given;
    const main = given.experienceId ?? (await need('experience', 'write', FREE_TARGETS[targetType]));
    const targetValue = given.targetValue ?? (await freeTarget(need, targetType));
    const experienceId = targetType === 'ACCOUNT' ? await unassigned(targetValue, given.experienceId) : main;
    return { experienceId, targetType, targetValue };
  }

  /**
   * Returns the given Experience, or by default the first Experience of the profile that is not assigned to the account. Ends the check as
   * not testable if there is none.
   */
  async function unassigned(accountId: string, given?: string): Promise<string> {
    const query = { targetType: 'ACCOUNT', targetValue: accountId };
    const assigned = entitiesOf(await api.call('getExperienceAssignments', { token: await need('token'), query })) ?? [];
    const isFree = (id: string) => !assigned.some((each) => sameId(each.experienceId, id) && sameId(each.targetValue, accountId));
    if (given !== undefined) return isFree(given) ? given : notTestable(`the account is already assigned to the Experience ${given}`);
    for (const capability of ['experience', 'experience.second', 'experience.agent'] as const) {
      const id = await need(capability);
      if (isFree(id)) return id;
    }
    return notTestable('the main account is already assigned to three Experiences of the profile');
  }

  /** Returns an Experience other than `id`: the second one, or if `id` is the second one, the AGENT Experience. */
  async function otherExperience(id: string): Promise<string> {
    const second = await need('experience.second');
    return sameId(second, id) ? need('experience.agent') : second;
  }

  /** Sends a request that creates an assignment. The body may be invalid. */
  async function create(body: unknown, call: Omit<Call, 'body'> = {}): Promise<Answer> {
    await need('write');
    const content = call.rawBody === undefined ? { body } : {};
    const answer = await api.call('createExperienceAssignment', { token: await need('token'), ...call, ...content });
    // Even an assignment that the target should have refused to create is deleted after the check.
    const id = createdAssignment(answer)?.id;
    if (id !== undefined) ledger.assignment(id);
    return answer;
  }

  /**
   * Creates an assignment that the check needs.
   * @throws Error if the target refuses; not RuleBroken, because the rule under test is not broken
   */
  async function make(given?: Partial<NewAssignment>): Promise<Assignment> {
    const answer = await create(await newBody(given));
    const created = createdAssignment(answer);
    if (created === undefined)
      throw new Error(`the check needs an assignment, but the target answered with ${answer.status}: ${answer.text.slice(0, 200)}`);
    return created;
  }

  const read = async (assignmentId: string, call?: Call) =>
    api.call('getExperienceAssignment', { token: await need('token'), path: { assignmentId }, ...call });
  async function remove(assignmentId: string, call?: Call): Promise<Answer> {
    const answer = await api.call('deleteExperienceAssignment', { token: await need('token'), path: { assignmentId }, ...call });
    if (isSuccess(answer) && call === undefined) ledger.deleted(assignmentId);
    return answer;
  }

  return { newBody, otherExperience, create, make, read, remove };
}

/**
 * For each target type, the capability that gives an unassigned target of the main account. Only the account itself may already be assigned
 * (see newBody).
 */
export const FREE_TARGETS = { PHONE_NUMBER: 'numbers', USER: 'users', ACCOUNT: 'account' } as const;

/** For each target type, the capability that gives a target value of the right format. The target need not exist. */
export const ANY_TARGETS = { PHONE_NUMBER: 'number.any', USER: 'user.any', ACCOUNT: 'account.any' } as const;

/** Returns a target value from the capability in FREE_TARGETS. */
export async function freeTarget(need: Need, targetType: TargetType): Promise<string> {
  return targetType === 'ACCOUNT' ? need('account') : (await need(FREE_TARGETS[targetType]))();
}

function createdAssignment(answer: Answer): Assignment | undefined {
  const created = answer.json as Partial<Assignment> | null | undefined;
  return isSuccess(answer) && typeof created?.id === 'string' ? (created as Assignment) : undefined;
}
