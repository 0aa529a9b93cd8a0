import type { components } from '../../contract/generated/service.ts';
import type { ConnectionState } from '../../store/schema.ts';

/** A connection as the API shows it (Resources › ExperienceConnection). The kit always sends every member. */
export type Connection = Required<components['schemas']['ExperienceConnection']>;

interface ConnectionRow {
  readonly id: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly experience_id: string;
  readonly state: ConnectionState;
  readonly updated_at: string;
}

export function connectionFrom(row: ConnectionRow): Connection {
  return {
    id: row.id,
    accountId: row.account_id,
    accountName: row.account_name,
    experienceId: row.experience_id,
    state: row.state,
    updatedAt: row.updated_at,
  };
}
