import type { Cleanup, Created } from '../target/cleanup.ts';
import type { Need } from '../target/need.ts';
import type { Client } from './api-client.ts';

/** Registers the assignments and connections that a check created. They are deleted through the API after the check. */
export interface Ledger {
  assignment(id: string): void;
  connection(id: string): void;
  /** Tells the ledger that the target has accepted the deletion of an entity, so that the entity is not deleted again. */
  deleted(id: string): void;
}

export function createLedger(api: Client, need: Need, cleanup: Cleanup): Ledger {
  const entries = new Map<string, Created>();
  const add = (
    id: string,
    operation: 'deleteExperienceAssignment' | 'deleteExperienceConnection',
    path: Readonly<Record<string, string>>,
  ) => {
    const remove = async () => {
      const { status } = await api.call(operation, { token: await need('token'), path });
      // A 404 means that the entity has already been deleted.
      if (status !== 404 && (status < 200 || status > 299))
        throw new Error(`the deletion was answered with ${status} instead of a 2xx or 404`);
    };
    entries.set(id, cleanup.add(api.urlOf(operation, { path }), remove));
  };
  return {
    assignment: (assignmentId) => add(assignmentId, 'deleteExperienceAssignment', { assignmentId }),
    connection: (experienceConnectionId) => add(experienceConnectionId, 'deleteExperienceConnection', { experienceConnectionId }),
    deleted: (id) => entries.get(id)?.forget(),
  };
}
