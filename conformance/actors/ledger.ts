import type { OperationId } from '../../src/contract/generated/operations.ts';
import { isSuccess } from '../../src/expect/response.ts';
import type { Need } from '../target/capabilities.ts';
import type { Cleanup, CreatedEntity } from '../target/cleanup.ts';
import type { Client } from './api-client.ts';

/** Records the assignments and connections that a check creates, so that they are deleted through the API after the check. */
export type Ledger = ReturnType<typeof createLedger>;

export function createLedger(api: Client, need: Need, cleanup: Cleanup) {
  const entries = new Map<string, CreatedEntity>();
  const add = (id: string, operation: OperationId, path: Readonly<Record<string, string>>) => {
    const remove = async () => {
      const answer = await api.call(operation, { token: await need('token'), path });
      if (answer.status !== 404 && !isSuccess(answer))
        throw new Error(`the deletion was answered with ${answer.status} instead of a 2xx or 404`);
    };
    entries.set(id, cleanup.add(api.buildUrl(operation, { path }), remove));
  };
  return {
    addAssignment: (id: string) => add(id, 'deleteExperienceAssignment', { assignmentId: id }),
    addConnection: (id: string) => add(id, 'deleteExperienceConnection', { experienceConnectionId: id }),
    /** Records that the target deleted an entity, so that the cleanup skips it. */
    markDeleted: (id: string) => entries.get(id)?.forget(),
  };
}
