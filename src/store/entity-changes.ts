import type { Executor } from './engine.ts';
import type { Tables } from './schema.ts';

export type EntityChange = Tables['changes'];

/** @param filter.entity an entity's id or alias */
export async function listChanges(
  db: Executor,
  { entity, before }: { readonly entity?: string | undefined; readonly before?: string | undefined },
  limit: number,
): Promise<EntityChange[]> {
  // PostgreSQL rejects NUL characters.
  if (entity?.includes('\0')) return [];
  let query = db.selectFrom('changes').selectAll();
  if (entity !== undefined) query = query.where((eb) => eb.or([eb('entity_id', '=', entity), eb('alias', '=', entity)]));
  if (before !== undefined) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}
