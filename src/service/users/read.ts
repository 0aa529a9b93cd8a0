import { because, type Evidence } from '../../contract/evidence.ts';
import { type Json, refuse } from '../../contract/outcome.ts';
import { type Actor, accountLevel, NONE } from '../../domain/access.ts';
import { stylesOf } from '../../domain/native-ids.ts';
import { userByUnsupportedId } from '../../store/unseen.ts';
import { userById, userByNativeId } from '../../store/users.ts';
import type { ServiceContext } from '../context.ts';
import { tooLow, unknown } from '../judged.ts';
import { principalOf } from '../target.ts';
import type { User } from './entity.ts';

/**
 * GET /users/{userId}, by unified or native id. Always current: it reads the users themselves, not the read model of the list.
 * A user that does not exist, one that may not be viewed and an id of an unsupported style are one and the same answer.
 */
export async function readUser(context: ServiceContext, actor: Actor, userId: string) {
  const principalId = principalOf(actor);
  const styles = stylesOf(userId, context.decisions['users.native-id.ambiguous']);
  let hidden: { readonly accountId: string; readonly level: number | null } | undefined;
  for (const style of styles) {
    const row =
      style === 'unified'
        ? await userById.first(context.store.db, { id: userId.toLowerCase(), principalId })
        : await userByNativeId.first(context.store.db, { nativeId: userId, style, principalId });
    if (!row) continue;
    // Out of sight is as if it were not there: a user of the other style that is in sight is found.
    if (accountLevel(actor, row.level) === NONE) {
      hidden ??= { accountId: (JSON.parse(row.json) as User).accountId, level: row.level };
      continue;
    }
    const body: Json<User> = { json: row.json };
    return { body };
  }
  return because(
    refuse(404, 'users.get.not-found', 'There is no such user.'),
    await whyNot(context, actor, userId, styles.length > 0, hidden),
  );
}

/** Which of the three causes it was that the answer does not tell. */
async function whyNot(
  { store }: ServiceContext,
  actor: Actor,
  userId: string,
  supported: boolean,
  hidden: { readonly accountId: string; readonly level: number | null } | undefined,
): Promise<Evidence> {
  if (hidden) return tooLow(actor, 'read', { account: { id: hidden.accountId, level: hidden.level } }, { what: 'user', id: userId });
  const elsewhere = supported ? await userByUnsupportedId(store.db, userId) : undefined;
  return supported && !elsewhere ? unknown('user', userId) : { cause: 'id style unsupported', value: userId };
}
