import { sql } from 'kysely';
import { didYouMean } from '../contract/did-you-mean.ts';
import { isUuid } from '../contract/uuid.ts';
import { TABLES } from '../store/counts.ts';
import type { Executor } from '../store/engine.ts';
import { Builder, type Named, referencesOf } from './build.ts';
import { findEntity } from './dump.ts';
import { type Collection, DEFAULT_EPOCH, type EntityOf, isIdentified } from './world.ts';

/** As many as the search for a similar name looks at. */
const CANDIDATES = 2000;

/** What a name may have been meant to be. People do not mistype UUIDs, and programs ask for many that were deleted. */
async function candidatesFor(db: Executor, collection: Collection, name: string): Promise<Named[]> {
  if (isUuid(name)) return [];
  const [id, alias] = isIdentified(collection) ? [sql.ref('id'), sql.ref('alias')] : [sql.ref('number'), sql.ref('number')];
  const { rows } = await sql<{ alias: string; id: string }>`
    select ${alias} as alias, ${id} as id from ${sql.table(TABLES[collection])} order by ${alias} limit ${CANDIDATES}`.execute(db);
  return rows.map((row) => ({ ...row, row: undefined }));
}

/** ` Did you mean …?` for an unknown name, or nothing. */
export async function hintFor(db: Executor, collection: Collection, name: string): Promise<string> {
  const candidates = await candidatesFor(db, collection, name);
  return didYouMean(
    name,
    candidates.map(({ alias }) => alias),
  );
}

/** A builder that knows the stored entities that this one refers to. */
export async function builderFor<C extends Collection>(db: Executor, collection: C, entity: EntityOf<C>): Promise<Builder> {
  // Only worlds have an epoch: the service sets the instants of what is written.
  const builder = new Builder(DEFAULT_EPOCH);
  for (const { collection: referred, name } of referencesOf(collection, entity)) {
    const stored = await findEntity(db, referred, name);
    const known = stored ? [stored] : await candidatesFor(db, referred, name);
    for (const named of known) builder.add(referred, named);
  }
  return builder;
}
