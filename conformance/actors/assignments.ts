import type { Answer } from '../../src/expect/answer.ts';
import { isSuccess } from '../../src/expect/response.ts';
import { isSameId } from '../../src/expect/same-id.ts';
import type { TargetType } from '../../src/refusals/hostile-values.ts';
import type { Need, NewAssignment } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import type { CallOptions, Client } from './api-client.ts';
import type { Ledger } from './ledger.ts';
import { readEntities } from './lists.ts';

export interface Assignment extends NewAssignment {
  readonly id: string;
  readonly accountId: string;
  readonly updatedAt?: string;
}

/** The created assignments are deleted after the check. */
export type Assignments = ReturnType<typeof createAssignments>;

export function createAssignments(api: Client, need: Need, ledger: Ledger) {
  /** The numbers and users that the check assigns or is about to assign, and the ids of existing assignments. */
  const [used, assigned] = [new Set<unknown>(), new Map<string, unknown>()];

  async function createBody(values: Partial<NewAssignment> = {}): Promise<NewAssignment> {
    const { targetType = 'PHONE_NUMBER' } = values;
    const main = values.experienceId ?? (await need('experience', 'write', UNASSIGNED_TARGET_CAPABILITIES[targetType]));
    const targetValue = values.targetValue ?? (await pickUnassignedTarget(targetType));
    const experienceId = targetType === 'ACCOUNT' ? await pickUnassignedExperience(targetValue, values.experienceId) : main;
    return { experienceId, targetType, targetValue };
  }

  async function pickUnassignedTarget(targetType: TargetType): Promise<string> {
    const targetValue = await getUnassignedTarget(need, targetType);
    // A profile with few telephone numbers or users returns the same one several times.
    if (targetType !== 'ACCOUNT' && used.has(targetValue))
      endAsNotTestable(
        targetType === 'USER'
          ? 'the profile has too few free users: add some to freeUsers, or add the users hook'
          : 'the profile has too few free telephone numbers: add some to freeNumbers, or add the numbers hook',
      );
    used.add(targetValue);
    return targetValue;
  }

  async function pickUnassignedExperience(accountId: string, givenId?: string): Promise<string> {
    const query = { targetType: 'ACCOUNT', targetValue: accountId };
    const assigned = readEntities(await api.call('getExperienceAssignments', { token: await need('token'), query })) ?? [];
    const isFree = (id: string) => !assigned.some((each) => isSameId(each.experienceId, id) && isSameId(each.targetValue, accountId));
    if (givenId !== undefined)
      return isFree(givenId) ? givenId : endAsNotTestable(`the account is already assigned to the Experience ${givenId}`);
    for (const capability of ['experience', 'experience.second', 'experience.agent'] as const) {
      const id = await need(capability);
      if (isFree(id)) return id;
    }
    return endAsNotTestable('the main account is already assigned to three Experiences of the profile');
  }

  async function pickOtherExperience(id: string): Promise<string> {
    const second = await need('experience.second');
    return isSameId(second, id) ? need('experience.agent') : second;
  }

  async function create(body: unknown, call: Omit<CallOptions, 'body'> = {}): Promise<Answer> {
    await need('write');
    const content = call.rawBody === undefined ? { body } : {};
    const answer = await api.call('createExperienceAssignment', { token: await need('token'), ...call, ...content });
    // Delete the assignment after the check, even if the target should have refused to create it.
    const id = parseCreatedAssignment(answer)?.id;
    if (id !== undefined) {
      ledger.addAssignment(id);
      assigned.set(id, (body as Partial<NewAssignment> | undefined)?.targetValue);
    }
    return answer;
  }

  /** @throws Error if the target refuses; a refusal does not break the rule under test */
  async function createOrThrow(values?: Partial<NewAssignment>): Promise<Assignment> {
    const answer = await create(await createBody(values));
    const created = parseCreatedAssignment(answer);
    if (created === undefined)
      throw new Error(`the check needs an assignment, but the target answered with ${answer.status}: ${answer.text.slice(0, 200)}`);
    return created;
  }

  const read = async (assignmentId: string, call?: CallOptions) =>
    api.call('getExperienceAssignment', { token: await need('token'), path: { assignmentId }, ...call });
  async function remove(assignmentId: string, call?: CallOptions): Promise<Answer> {
    const answer = await api.call('deleteExperienceAssignment', { token: await need('token'), path: { assignmentId }, ...call });
    if (isSuccess(answer)) used.delete(assigned.get(assignmentId));
    if (isSuccess(answer) && call === undefined) ledger.markDeleted(assignmentId);
    return answer;
  }

  return { createBody, pickOtherExperience, create, createOrThrow, read, remove };
}

const UNASSIGNED_TARGET_CAPABILITIES = { PHONE_NUMBER: 'numbers', USER: 'users', ACCOUNT: 'account' } as const;

/** The target ids and numbers of these capabilities may be unknown to the provider. */
export const TARGET_VALUE_CAPABILITIES = { PHONE_NUMBER: 'number.any', USER: 'user.any', ACCOUNT: 'account.any' } as const;

export async function getUnassignedTarget(need: Need, targetType: TargetType): Promise<string> {
  return targetType === 'ACCOUNT' ? need('account') : (await need(UNASSIGNED_TARGET_CAPABILITIES[targetType]))();
}

function parseCreatedAssignment(answer: Answer): Assignment | undefined {
  const created = answer.json as Partial<Assignment> | null | undefined;
  return isSuccess(answer) && typeof created?.id === 'string' ? (created as Assignment) : undefined;
}
