import { sql } from 'kysely';
import { didYouMean } from '../contract/did-you-mean.ts';
import { isUuid } from '../contract/uuid.ts';
import { TABLES } from '../store/counts.ts';
import type { Executor } from '../store/engine.ts';
import { referencesOf, stepsOf } from './build.ts';
import { findEntity } from './dump.ts';
import type { Reference, Row, Stored } from './entity.ts';
import { toPointer, type WorldProblem } from './problem.ts';
import { throwInvalid } from './refusal.ts';
import { type Collection, type EntityOf, isIdentified, SINGULAR } from './world.ts';

/** As many as the search for a similar name looks at. */
const CANDIDATES = 2000;

/** ` Did you mean …?` for an unknown name. People do not mistype UUIDs, and programs ask for many that were deleted. */
export async function hintFor(db: Executor, collection: Collection, name: string): Promise<string> {
  if (isUuid(name)) return '';
  const column = sql.ref<string>(isIdentified(collection) ? 'alias' : 'number');
  const { rows } = await sql<{ name: string }>`
    select ${column} as name from ${sql.table(TABLES[collection])} order by ${column} limit ${CANDIDATES}`.execute(db);
  return didYouMean(
    name,
    rows.map((row) => row.name),
  );
}

/** The stored entities that an entity refers to. */
export class References {
  readonly #found = new Map<string, Stored>();

  /** Looks up everything that the entity refers to. @throws FailureError with every unknown name. */
  static async of<C extends Collection>(db: Executor, collection: C, entity: EntityOf<C>): Promise<References> {
    const references = new References();
    const problems: WorldProblem[] = [];
    for (const reference of referencesOf(collection, entity)) {
      const { collection: referred, name } = reference;
      const stored = await findEntity(db, referred, name);
      if (stored) for (const text of [name, stored.alias, stored.id]) references.#found.set(`${referred} ${text}`, stored as Stored);
      else {
        const reason = `There is no ${SINGULAR[referred]} "${name}".${await hintFor(db, referred, name)}`;
        problems.push({ pointer: toPointer(stepsOf(reference)), reason });
      }
    }
    if (problems.length > 0) throwInvalid(problems);
    return references;
  }

  find({ collection, name }: Pick<Reference, 'collection' | 'name'>): Stored | undefined {
    return this.#found.get(`${collection} ${name}`);
  }

  row<C extends Collection>(collection: C, id: string): Row<C> | undefined {
    return this.find({ collection, name: id })?.row as Row<C> | undefined;
  }
}
