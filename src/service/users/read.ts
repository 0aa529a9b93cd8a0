import { type Json, refuse } from '../../contract/outcome.ts';
import { type Actor, accountLevel, NONE } from '../../domain/access.ts';
import { stylesOf } from '../../domain/native-ids.ts';
import { userById, userByNativeId } from '../../store/users.ts';
import type { ServiceContext } from '../context.ts';
import { principalOf } from '../target.ts';
import type { User } from './entity.ts';

/**
 * GET /users/{userId}, by unified or native id. Always current: it reads the users themselves, not the read model of the list.
 * A user that does not exist, one that may not be viewed and an id of an unsupported style are one and the same answer.
 */
export async function readUser(context: ServiceContext, actor: Actor, userId: string) {
  const principalId = principalOf(actor);
  for (const style of stylesOf(userId, context.decisions['users.native-id.ambiguous'])) {
    const row =
      style === 'unified'
        ? await userById.first(context.store.db, { id: userId.toLowerCase(), principalId })
        : await userByNativeId.first(context.store.db, { nativeId: userId, style, principalId });
    if (!row) continue;
    // Out of sight is as if it were not there: a user of the other style that is in sight is found.
    if (accountLevel(actor, row.level) === NONE) continue;
    const body: Json<User> = { json: row.json };
    return { body };
  }
  return refuse(404, 'users.get.not-found', 'There is no such user.');
}
