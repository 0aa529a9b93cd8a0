import { sql } from 'kysely';
import { didYouMean } from '../contract/did-you-mean.ts';
import { type ControlFailureKind, createControlFailure, FailureError, type GateFailure, isFailure } from '../contract/failure.ts';
import { isUuid } from '../contract/uuid.ts';
import { COLLECTION_TABLES } from '../store/counts.ts';
import type { Executor } from '../store/engine.ts';
import { listReferences, type NamedEntity, RowBuilder } from './build.ts';
import { findEntity } from './dump.ts';
import type { StoredEntity } from './entity.ts';
import { findIdsByName } from './names.ts';
import { type Collection, DEFAULT_EPOCH, type EntityOf, isIdentified, SINGULAR_NOUNS } from './world.ts';

const MAX_CANDIDATES = 2000;

/** Lists the entities whose names may be similar to an unknown name. Lists none for a UUID, because UUIDs are copied, not typed. */
async function listCandidates(db: Executor, collection: Collection, name: string): Promise<NamedEntity[]> {
  if (isUuid(name)) return [];
  const [id, alias] = isIdentified(collection) ? [sql.ref('id'), sql.ref('alias')] : [sql.ref('number'), sql.ref('number')];
  const { rows } = await sql<{ alias: string; id: string }>`
    select ${alias} as alias, ${id} as id from ${sql.table(COLLECTION_TABLES[collection])} order by ${alias} limit ${MAX_CANDIDATES}`.execute(
    db,
  );
  return rows.map((row) => ({ ...row, row: undefined }));
}

export async function lookUp<C extends Collection>(
  db: Executor,
  collection: C,
  name: string,
  kind: ControlFailureKind = 'not-found',
  pointer?: string,
): Promise<StoredEntity<C> | GateFailure> {
  const found = await findEntity(db, collection, name);
  if (found) return found;
  const aliases = (await listCandidates(db, collection, name)).map(({ alias }) => alias);
  const hint = didYouMean(name, aliases) || ` List them with xpk state get ${collection} or GET /_control/state/${collection}.`;
  const message = `There is no ${SINGULAR_NOUNS[collection]} "${name}".${hint}`;
  return createControlFailure(
    kind,
    pointer === undefined ? message : `${pointer}: ${message}`,
    pointer === undefined ? [] : [{ pointer, message }],
  );
}

/** @throws FailureError if there is no such entity */
export async function findOrThrow<C extends Collection>(db: Executor, collection: C, name: string): Promise<StoredEntity<C>> {
  const found = await lookUp(db, collection, name);
  if (isFailure(found)) throw new FailureError(found);
  return found;
}

/** Finds the entity with this alias or id. If there is none, finds the entities that people call so. */
export async function findReferred<C extends Collection>(db: Executor, collection: C, name: string): Promise<StoredEntity<C>[]> {
  const found = await findEntity(db, collection, name);
  if (found) return [found];
  const named = await Promise.all((await findIdsByName(db, collection, name)).map((id) => findEntity(db, collection, id)));
  return named.filter((each) => each !== undefined);
}

export async function createRowBuilder<C extends Collection>(db: Executor, collection: C, entity: EntityOf<C>): Promise<RowBuilder> {
  // This epoch is never stored, because the service sets the timestamps.
  const builder = new RowBuilder(DEFAULT_EPOCH);
  for (const { collection: referred, name, member, level } of listReferences(collection, entity)) {
    const [first, ...others] = await findReferred(db, referred, name);
    if (first) builder.add(referred, first, name);
    else for (const named of await listCandidates(db, referred, name)) builder.add(referred, named);
    if (first && others.length > 0) {
      const aliases = [first, ...others].map(({ alias }) => alias).join(', ');
      const reason = `Several ${referred} are named "${name}". Use an alias: ${aliases}.`;
      builder.reportProblem(level === undefined ? [member] : [member, name], reason, level && 'key');
    }
  }
  return builder;
}
