import { type Executor, getEngine } from './engine.ts';
import { prepareQuery } from './prepared.ts';

export const experienceAccess = prepareQuery(
  (db, p: { id: string; providerId: string }) =>
    db
      .selectFrom('experiences as e')
      .leftJoin('experience_grants as g', (join) => join.onRef('g.experience_id', '=', 'e.id').on('g.provider_id', '=', p.providerId))
      .select(['e.id as experienceId', 'e.name as experienceName', 'e.type', 'e.provider_id as providerId', 'g.level as providerLevel'])
      .where('e.id', '=', p.id),
  { remembers: true },
);

/** On PostgreSQL, new assignments to the Experience wait until the transaction ends, because their foreign key locks the same row. */
export async function lockExperience(tx: Executor, id: string): Promise<void> {
  if (getEngine(tx) === 'postgres') await tx.selectFrom('experiences').select('id').where('id', '=', id).forUpdate().execute();
}

const experiencesAssignedToAccount = prepareQuery((db, p: { accountId: string }) =>
  db
    .selectFrom('assignments as a')
    .innerJoin('experiences as e', 'e.id', 'a.experience_id')
    .select(['e.id as experienceId', 'e.name as experienceName', 'e.provider_id as providerId'])
    .where('a.target_type', '=', 'ACCOUNT')
    .where('a.target_value', '=', p.accountId)
    .orderBy('e.id'),
);

const experiencesConnectedToAccount = prepareQuery((db, p: { accountId: string }) =>
  db
    .selectFrom('connections as c')
    .innerJoin('experiences as e', 'e.id', 'c.experience_id')
    .select(['e.id as experienceId', 'e.name as experienceName', 'e.provider_id as providerId'])
    .where('c.account_id', '=', p.accountId)
    .orderBy('e.id'),
);

/** Lists the Experiences that receive provisioning events (decision `provisioning.assigned-means`). */
export function listAssignedExperiences(db: Executor, accountId: string, assignedBy: 'account-assignment' | 'connection') {
  return assignedBy === 'connection' ? experiencesConnectedToAccount(db, { accountId }) : experiencesAssignedToAccount(db, { accountId });
}
