import { sql, type Transaction } from 'kysely';
import { engineOf } from '../../store/engine.ts';
import type { Tables } from '../../store/schema.ts';
import { lockAccount } from '../../store/store.ts';
import type { Collection } from '../../world/world.ts';
import type { Members } from './form.ts';
import { find } from './references.ts';

/**
 * Holds what a write is about to judge, to the end of the transaction: the account that owns the entity, else the entity itself. To be called before
 * anything is judged. SQLite has one writer anyway.
 *
 * @param name what the entity is called, where it may exist.
 * @param members the entity that was sent, of any form.
 */
export async function lockFor(tx: Transaction<Tables>, collection: Collection, name: string | undefined, members: Members): Promise<void> {
  if (engineOf(tx) !== 'postgres') return;
  const current = name === undefined ? undefined : await find(tx, collection, name);
  if (collection === 'users' || collection === 'telephoneNumbers') {
    const account = (current?.entity as Members | undefined)?.account ?? members.account;
    const owner = typeof account === 'string' ? await find(tx, 'accounts', account) : undefined;
    if (owner) await lockAccount(tx, owner.id);
  } else if (collection === 'accounts' && current) await lockAccount(tx, current.id);
  else if (current) await sql`select 1 from ${sql.table(collection)} where id = ${current.id} for update`.execute(tx);
}
