import { sql } from 'kysely';
import { didYouMean } from '../contract/did-you-mean.ts';
import { type ControlFailureKind, controlFailure, FailureError, type GateFailure, isFailure } from '../contract/failure.ts';
import { isUuid } from '../contract/uuid.ts';
import { TABLES } from '../store/counts.ts';
import type { Executor } from '../store/engine.ts';
import { Builder, type Named, referencesOf } from './build.ts';
import { findEntity } from './dump.ts';
import type { Stored } from './entity.ts';
import { type Collection, DEFAULT_EPOCH, type EntityOf, isIdentified, SINGULAR } from './world.ts';

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

/** The entity with this alias or id, or a refusal that says which others there are. @param pointer where the name stands in the request body */
export async function lookUp<C extends Collection>(
  db: Executor,
  collection: C,
  name: string,
  kind: ControlFailureKind = 'not-found',
  pointer?: string,
): Promise<Stored<C> | GateFailure> {
  const found = await findEntity(db, collection, name);
  if (found) return found;
  const aliases = (await candidatesFor(db, collection, name)).map(({ alias }) => alias);
  const hint = didYouMean(name, aliases) || ` List them with xpk state get ${collection} or GET /_control/state/${collection}.`;
  const message = `There is no ${SINGULAR[collection]} "${name}".${hint}`;
  return controlFailure(
    kind,
    pointer === undefined ? message : `${pointer}: ${message}`,
    pointer === undefined ? [] : [{ pointer, message }],
  );
}

/** @throws FailureError if there is no such entity */
export async function existing<C extends Collection>(db: Executor, collection: C, name: string): Promise<Stored<C>> {
  const found = await lookUp(db, collection, name);
  if (isFailure(found)) throw new FailureError(found);
  return found;
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
