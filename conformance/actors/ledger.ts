import type { Cleanup, CreatedEntity } from '../target/cleanup.ts';
import type { Need } from '../target/need.ts';
import type { Client } from './api-client.ts';

/** Records the assignments and connections that a check creates, so that they are deleted through the API after the check. */
export interface Ledger {
  addAssignment(id: string): void;
  addConnection(id: string): void;
  /** Records that the target deleted an entity, so that the cleanup skips it. */
  markDeleted(id: string): void;
}

export function createLedger(api: Client, need: Need, cleanup: Cleanup): Ledger {
  const entries = new Map<string, CreatedEntity>();
  const add = (
    id: string,
    operation: 'deleteExperienceAssignment' | 'deleteExperienceConnection',
    path: Readonly<Record<string, string>>,
  ) => {
    const remove = async () => {
      const { status } = await api.call(operation, { token: await need('token'), path });
      if (status !== 404 && (status < 200 || status > 299))
        throw new Error(`the deletion was answered with ${status} instead of a 2xx or 404`);
    };
    entries.set(id, cleanup.add(api.buildUrl(operation, { path }), remove));
  };
  return {
    addAssignment: (assignmentId) => add(assignmentId, 'deleteExperienceAssignment', { assignmentId }),
    addConnection: (experienceConnectionId) => add(experienceConnectionId, 'deleteExperienceConnection', { experienceConnectionId }),
    markDeleted: (id) => entries.get(id)?.forget(),
  };
}
