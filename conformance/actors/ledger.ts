import type { Cleanup } from '../target/cleanup.ts';
import type { Need } from '../target/need.ts';
import type { Client } from './api-client.ts';

/** Assignments and connections that a check created, which are deleted through the API after it. */
export interface Ledger {
  assignment(id: string): void;
  connection(id: string): void;
}

export function createLedger(api: Client, need: Need, cleanup: Cleanup): Ledger {
  const add = (operation: 'deleteExperienceAssignment' | 'deleteExperienceConnection', path: Readonly<Record<string, string>>) => {
    cleanup.add(api.urlOf(operation, { path }), async () => {
      const { status } = await api.call(operation, { token: await need('token'), path });
      // 404: the check deleted it itself.
      if (status !== 404 && (status < 200 || status > 299)) throw new Error(`deleting it was answered with ${status}`);
    });
  };
  return {
    assignment: (assignmentId) => add('deleteExperienceAssignment', { assignmentId }),
    connection: (experienceConnectionId) => add('deleteExperienceConnection', { experienceConnectionId }),
  };
}
