import { sql } from 'kysely';
import { createAssignment, deleteAssignment } from '../../service/assignments.ts';
import { toAssignmentRow } from '../../store/assignments.ts';
import type { EntityType } from '../entity.ts';

const TARGET_COLLECTIONS = { ACCOUNT: 'accounts', USER: 'users', PHONE_NUMBER: 'telephoneNumbers' } as const;

/** All members of an assignment are immutable (States and transitions), so `update` changes nothing. */
export const assignments: EntityType<'assignments', 'experience' | 'target'> = {
  references: { experience: 'experiences' },
  getTargetCollection: ({ targetType }) => TARGET_COLLECTIONS[targetType],
  joins: {
    account: sql`accounts as account on account.id = m.account_id`,
    user: sql`users as "user" on "user".id = m.target_value and m.target_type = 'USER'`,
  },
  fixed: ['experience', 'targetType', 'target', 'updatedAt'],
  generated: ['id', 'updatedAt'],
  unique: [
    {
      columns: ['experience_id', 'target_type', 'target_value'],
      getPath: () => [],
      createMessage: (_, other) => `This assigns the same target to the same experience as "${other}". Keep one assignment.`,
    },
    {
      columns: ['agent_number'],
      getPath: () => ['target'],
      createMessage: ({ agent_number }, other) =>
        `${agent_number} is assigned to another experience of type AGENT by "${other}". A number can have only one such assignment.`,
    },
  ],
  toRow({ id, alias, entity: { targetType, ...entity }, ids }, check) {
    const { experience: experienceId, target: targetValue } = ids;
    const owned = targetType === 'ACCOUNT' ? undefined : check.getRow(TARGET_COLLECTIONS[targetType], targetValue);
    const accountId = owned === undefined ? targetValue : owned.account_id;
    const isAgent = check.getRow('experiences', experienceId)?.type === 'AGENT';
    const updatedAt = check.checkInstant(entity.updatedAt, 'updatedAt');
    return toAssignmentRow({ id, experienceId, accountId, targetType, targetValue, updatedAt }, alias, isAgent);
  },
  toMembers({ target_type, target_value, updated_at, ...row }) {
    const { account, user } = row as unknown as { account: string; user: string | null };
    const target = target_type === 'ACCOUNT' ? account : (user ?? target_value);
    return { targetType: target_type, target, updatedAt: updated_at };
  },
  useCases: {
    async create(context, actor, { alias, entity: { targetType }, ids }) {
      const result = await createAssignment(context, actor, {
        experienceId: ids.experience!,
        targetType,
        targetValue: ids.target!,
        alias: alias || undefined,
      });
      return 'assignment' in result ? result.assignment : result;
    },
    update: async () => ({}),
    remove: deleteAssignment,
  },
};
