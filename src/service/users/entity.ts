import type { components } from '../../contract/generated/service.ts';

/** A user as the API shows it (Resources › UnifiedUser). Names are absent, not null, where the user has none. */
export type User = components['schemas']['UnifiedUser'];

/** What the store keeps of a user: sort columns with '' for what is absent, and the text that the API sends. */
export function userRow(user: User & { updatedAt: string | null }) {
  const { id, accountId, firstName, lastName, createdAt, updatedAt } = user;
  return {
    id,
    accountId,
    firstName: firstName ?? '',
    lastName: lastName ?? '',
    createdAt,
    updatedAt: updatedAt ?? '',
    json: JSON.stringify({ id, accountId, firstName, lastName, createdAt, updatedAt }),
  };
}
