import type { EventType } from '../../src/contract/generated/events.ts';
import type { Change } from '../expect/told.ts';
import type { UsersElsewhere } from '../target/capabilities-of-events.ts';
import type { Parts } from './change-parts.ts';

export type UserChange = Change & { readonly user: { readonly id: string; readonly accountId: string } };

/** A user is created and deleted, in an account that is connected and assigned to an Experience. @param account unless it is the second one */
export async function* userChanges(
  parts: Pick<Parts, 'has' | 'events' | 'connections' | 'elsewhere'>,
  account: { readonly accountId?: string } = {},
): AsyncGenerator<UserChange> {
  const { events, connections } = parts;
  const users = await usersOf(parts);
  const connection = await connections.make({ ...account, state: 'ACTIVE' });
  const { accountId, experienceId } = connection;
  await connections.assign(connection, 'ACCOUNT', accountId);
  const inbox = await events.subscribed();
  const id = await users.create(accountId);
  const change = (type: EventType) => ({ inbox, type, user: { id, accountId }, experienceId, ids: [id, experienceId] });
  yield change('provisioning.user.created');
  await users.remove(id);
  yield change('provisioning.user.deleted');
}

/** Who makes users: the platform, or else a portal. */
export async function usersOf({ has, elsewhere }: Pick<Parts, 'has' | 'elsewhere'>): Promise<UsersElsewhere> {
  return elsewhere(has('portal.users') && !has('platform.users') ? 'portal.users' : 'platform.users');
}

/** Whether the target gives somebody who makes users. */
export function haveUsers({ has }: Pick<Parts, 'has'>): boolean {
  return has('platform.users') || has('portal.users');
}
