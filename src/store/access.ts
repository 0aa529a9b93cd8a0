import { prepared } from './prepared.ts';
import type { ExperienceType } from './schema.ts';

/** An Experience and what a provider may do with it; `level` is null where it has no grant. */
export interface ExperienceAccess {
  readonly id: string;
  readonly name: string;
  readonly type: ExperienceType;
  readonly provider_id: string;
  readonly level: number | null;
}

/** By id, with the grant of the provider asked for ('' for none). */
export const experienceAccess = prepared((db, p: { id: string; providerId: string }) =>
  db
    .selectFrom('experiences as e')
    .leftJoin('experience_grants as g', (join) => join.onRef('g.experience_id', '=', 'e.id').on('g.provider_id', '=', p.providerId))
    .select(['e.id', 'e.name', 'e.type', 'e.provider_id', 'g.level'])
    .where('e.id', '=', p.id),
);

/** An account and what a principal ('' for none) may do with it. */
export const accountAccess = prepared((db, p: { id: string; principalId: string }) =>
  db
    .selectFrom('accounts as a')
    .leftJoin('account_grants as g', (join) => join.onRef('g.account_id', '=', 'a.id').on('g.principal_id', '=', p.principalId))
    .select(['a.id as account_id', 'a.name', 'g.level'])
    .where('a.id', '=', p.id),
);

/** The account that owns a telephone number, and what a principal may do with it. */
export const numberAccess = prepared((db, p: { number: string; principalId: string }) =>
  db
    .selectFrom('telephone_numbers as t')
    .leftJoin('account_grants as g', (join) => join.onRef('g.account_id', '=', 't.account_id').on('g.principal_id', '=', p.principalId))
    .select(['t.account_id', 'g.level'])
    .where('t.number', '=', p.number),
);

/** The account of a user, and what a principal may do with it. */
export const userAccess = prepared((db, p: { id: string; principalId: string }) =>
  db
    .selectFrom('users as u')
    .leftJoin('account_grants as g', (join) => join.onRef('g.account_id', '=', 'u.account_id').on('g.principal_id', '=', p.principalId))
    .select(['u.account_id', 'g.level'])
    .where('u.id', '=', p.id),
);

/** The provider behind a client, and whether the principal of a token ('' for none) is known. */
export const callerOf = prepared((db, p: { clientId: string; principalId: string }) =>
  db
    .selectFrom('clients as c')
    .leftJoin('principals as n', (join) => join.on('n.id', '=', p.principalId))
    .select(['c.provider_id', 'n.id as principal_id'])
    .where('c.id', '=', p.clientId),
);
