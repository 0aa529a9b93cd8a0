import { bodyOf, type Json, type Reply, type Request } from '../exchange.ts';
import type { Kit, Start } from '../mutant.ts';
import { changeSuccess, claimsOf, entitiesOf, PRINCIPAL_CLAIM, tokenOf } from './world.ts';

/** Why a list of users is empty. */
type Reason = 'hidden' | 'missing' | 'without users';

const isEmptyList = (reply: Reply): boolean => bodyOf(reply).count === 0;

/** The principal's levels of access, by the aliases of accounts. */
export async function grantsOf(request: Request, { control }: Kit): Promise<Readonly<Record<string, string>>> {
  const principal = await control.find('principals', String(claimsOf(tokenOf(request))[PRINCIPAL_CLAIM]));
  return (principal?.accounts ?? {}) as Record<string, string>;
}

/** Whether an empty list is empty for this reason. */
async function isEmptyAs(reason: Reason, reply: Reply, request: Request, kit: Kit): Promise<boolean> {
  const account = await kit.control.find('accounts', request.query.accountId ?? '');
  if (account === undefined) return reason === 'missing' && isEmptyList(reply);
  const isHidden = [undefined, 'none'].includes((await grantsOf(request, kit))[String(account.alias)]);
  if (isHidden) return reason === 'hidden' && isEmptyList(reply);
  if (reason !== 'without users' || bodyOf(reply).cursor !== null) return false;
  // The list may still show users that were deleted.
  for (const { id } of entitiesOf(reply)) if (await kit.exists('users', id)) return false;
  return true;
}

/** Changes the replies of lists that are empty for this reason. */
export const onEmpty = (reason: Reason, change: (reply: Reply, request: Request) => Reply): Start =>
  changeSuccess('getUsers', async (reply, request, _, kit) =>
    (await isEmptyAs(reason, reply, request, kit)) ? change(reply, request) : undefined,
  );

/** Some members of a user. */
export const pick = (user: Json, members: readonly string[]): Json => Object.fromEntries(members.map((member) => [member, user[member]]));
