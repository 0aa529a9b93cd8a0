import { go } from './become.ts';
import type { ConnectionKey } from './connections.ts';
import type { Connections } from './make-connection.ts';

/** An account that is assigned to an Experience of its own, by every reading: it has an ACTIVE connection and an ACCOUNT assignment. */
export interface AssignedAccount extends ConnectionKey {
  /** Takes away both. */
  unassign(): Promise<void>;
}

/** @throws Error where the target does not do it: that says nothing about the rule at hand. */
export async function assignedAccount(connections: Connections, accountId: string): Promise<AssignedAccount> {
  const key = await connections.make({ accountId, state: 'ACTIVE' });
  const unassign = await connections.assign(key, 'ACCOUNT', accountId);
  return {
    ...key,
    async unassign() {
      await unassign();
      await go(connections, key);
    },
  };
}
