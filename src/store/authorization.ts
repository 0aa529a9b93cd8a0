import type { Executor } from './engine.ts';
import { prepareQuery } from './prepared.ts';

/** The id of a missing principal or grant is ''. */
export const callerByToken = prepareQuery((db, p: { clientId: string; principalId: string; grantId: string }) =>
  db
    .selectFrom('clients as c')
    .leftJoin('principals as n', (join) => join.on('n.id', '=', p.principalId))
    .leftJoin('oauth_revocations as r', (join) => join.on('r.grant_id', '=', p.grantId))
    .select(['c.provider_id', 'n.id as principal_id', 'r.grant_id as revoked_grant_id'])
    .where('c.id', '=', p.clientId),
);

/** An artifact that was consumed before stays consumed. */
export const saveArtifact = prepareQuery(
  (db, p: { kind: string; id: string; grantId: string | null; payload: string; expiresAt: number }) =>
    db
      .insertInto('oauth_artifacts')
      .values({ kind: p.kind, id: p.id, grant_id: p.grantId, payload: p.payload, expires_at: p.expiresAt, consumed_at: null })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'id']).doUpdateSet({ grant_id: p.grantId, payload: p.payload, expires_at: p.expiresAt }),
      ),
);

export const artifactById = prepareQuery((db, p: { kind: string; id: string }) =>
  db.selectFrom('oauth_artifacts').select(['payload', 'grant_id', 'expires_at']).where('kind', '=', p.kind).where('id', '=', p.id),
);

/** Of several concurrent calls, only the first changes a row. */
export const consumeArtifact = prepareQuery((db, p: { kind: string; id: string; now: number }) =>
  db
    .updateTable('oauth_artifacts')
    .set({ consumed_at: p.now })
    .where('kind', '=', p.kind)
    .where('id', '=', p.id)
    .where('consumed_at', 'is', null),
);

export const deleteArtifact = prepareQuery((db, p: { kind: string; id: string }) =>
  db.deleteFrom('oauth_artifacts').where('kind', '=', p.kind).where('id', '=', p.id),
);

const deleteExpiredArtifacts = prepareQuery((db, p: { before: number }) =>
  db.deleteFrom('oauth_artifacts').where('expires_at', '<', p.before),
);
const deleteOldRevocations = prepareQuery((db, p: { before: number }) =>
  db.deleteFrom('oauth_revocations').where('revoked_at', '<', p.before),
);

/** The parameters are kit times, in milliseconds. */
export async function deleteOldArtifacts(
  tx: Executor,
  { expiredBefore, revokedBefore }: { expiredBefore: number; revokedBefore: number },
): Promise<void> {
  await deleteExpiredArtifacts.executeWrite(tx, { before: expiredBefore });
  await deleteOldRevocations.executeWrite(tx, { before: revokedBefore });
}

const insertRevocation = prepareQuery((db, p: { grantId: string; now: number }) =>
  db
    .insertInto('oauth_revocations')
    .values({ grant_id: p.grantId, revoked_at: p.now })
    .onConflict((conflict) => conflict.doNothing()),
);
const deleteArtifactsOfGrant = prepareQuery((db, p: { grantId: string }) =>
  db.deleteFrom('oauth_artifacts').where('grant_id', '=', p.grantId),
);

export async function revokeGrant(tx: Executor, p: { grantId: string; now: number }): Promise<void> {
  await insertRevocation.executeWrite(tx, p);
  await deleteArtifactsOfGrant.executeWrite(tx, p);
}

const deleteExpiredAssertions = prepareQuery((db, p: { now: number }) =>
  db.deleteFrom('oauth_assertions').where('expires_at', '<=', p.now),
);
const insertAssertion = prepareQuery((db, p: { id: string; expiresAt: number }) =>
  db
    .insertInto('oauth_assertions')
    .values({ id: p.id, expires_at: p.expiresAt })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Both times are wall time. @returns false if the assertion was used before */
export async function markAssertionUsed(tx: Executor, p: { id: string; expiresAt: number; now: number }): Promise<boolean> {
  await deleteExpiredAssertions.executeWrite(tx, { now: p.now });
  return (await insertAssertion.executeWrite(tx, { id: p.id, expiresAt: p.expiresAt })) === 1;
}

/** `settings` is a JSON object. */
export const clientById = prepareQuery((db, p: { id: string }) =>
  db
    .selectFrom('clients as c')
    .innerJoin('providers as p', 'p.id', 'c.provider_id')
    .select(['c.id', 'c.alias', 'c.name', 'c.settings', 'p.name as provider'])
    .where('c.id', '=', p.id),
);

export const principalById = prepareQuery((db, p: { id: string }) =>
  db.selectFrom('principals').select(['id', 'name', 'consent']).where('id', '=', p.id),
);

export const principalByNumber = prepareQuery((db, p: { number: string }) =>
  db.selectFrom('principals').select(['id', 'name', 'consent']).where('telephone_number', '=', p.number),
);

export const principalsOfNumber = prepareQuery((db, p: { number: string }) =>
  db
    .selectFrom('telephone_numbers as t')
    .innerJoin('account_grants as g', 'g.account_id', 't.account_id')
    .innerJoin('principals as n', 'n.id', 'g.principal_id')
    .select(['n.id', 'n.name', 'n.consent'])
    .where('t.number', '=', p.number)
    .orderBy('g.level', 'desc')
    .orderBy('n.alias'),
);

export const allPrincipals = prepareQuery((db, _: object) =>
  db.selectFrom('principals').select(['id', 'name', 'telephone_number', 'consent']).orderBy('alias'),
);

export const allAccountGrants = prepareQuery((db, _: object) =>
  db
    .selectFrom('account_grants as g')
    .innerJoin('accounts as a', 'a.id', 'g.account_id')
    .select(['g.principal_id', 'a.name', 'g.level'])
    .orderBy('g.level', 'desc')
    .orderBy('a.alias'),
);
