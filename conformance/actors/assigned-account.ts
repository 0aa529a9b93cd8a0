import type { ConnectionKey } from '../expect/connections.ts';
import { hears } from '../expect/hears.ts';
import { ofConnection } from '../expect/wanted.ts';
import { go } from './become.ts';
import type { Inbox } from './inbox.ts';
import type { Connections } from './make-connection.ts';

/** An account that is assigned to an Experience of its own, by every reading: it has an ACTIVE connection and an ACCOUNT assignment. */
export interface AssignedAccount extends ConnectionKey {
  /** Takes away both, and waits until that is told and likely to be known everywhere. */
  unassign(): Promise<void>;
}

/**
 * Who tells of users may learn of an assignment a little later, but not later than whoever is told of it: so each step is heard.
 * @throws Error where the target does not do it: that says nothing about the rule at hand.
 */
export async function assignedAccount(connections: Connections, inbox: Inbox, accountId: string): Promise<AssignedAccount> {
  const key = await connections.make({ accountId, state: 'ACTIVE' });
  const unassign = await connections.assign(key, 'ACCOUNT', accountId);
  const data = { experienceId: key.experienceId, targetType: 'ACCOUNT' };
  await hears(inbox, { type: 'experience.assignment.created', data });
  return {
    ...key,
    async unassign() {
      await unassign();
      await go(connections, key);
      await hears(inbox, { type: 'experience.assignment.deleted', data });
      await hears(inbox, ofConnection('deleted', key.id));
      await inbox.settled();
    },
  };
}
