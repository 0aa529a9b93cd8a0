import type { Executor } from './engine.ts';
import { prepared } from './prepared.ts';

const byAssignment = prepared((db, p: { accountId: string }) =>
  db
    .selectFrom('assignments as a')
    .innerJoin('experiences as e', 'e.id', 'a.experience_id')
    .select(['e.id', 'e.name', 'e.provider_id as providerId'])
    .where('a.target_type', '=', 'ACCOUNT')
    .where('a.target_value', '=', p.accountId)
    .orderBy('e.id'),
);

const byConnection = prepared((db, p: { accountId: string }) =>
  db
    .selectFrom('connections as c')
    .innerJoin('experiences as e', 'e.id', 'c.experience_id')
    .select(['e.id', 'e.name', 'e.provider_id as providerId'])
    .where('c.account_id', '=', p.accountId)
    .orderBy('e.id'),
);

/** The Experiences that an account is assigned to, in the sense that provisioning events have (decision `provisioning.assigned-means`). */
export function assignedExperiences(db: Executor, accountId: string, means: 'account-assignment' | 'connection') {
  return means === 'connection' ? byConnection(db, { accountId }) : byAssignment(db, { accountId });
}
