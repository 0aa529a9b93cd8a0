import type { Transaction } from 'kysely';
import type { ServiceContext } from '../../service/context.ts';
import type { Tables } from '../../store/schema.ts';
import type { WorldRows, WorldTable } from '../../world/compile/rows.ts';
import type { Collection } from '../../world/world.ts';
import type { Intended } from './plan.ts';
import type { Known } from './references.ts';

/** The transaction that a write of the operator is. */
export interface Scope {
  readonly tx: Transaction<Tables>;
  readonly context: ServiceContext;
}

/** An entity that is to be, with its rows. */
export type Compiled<C extends Collection> = Intended<C> & { readonly alias: string; readonly rows: WorldRows };

/** How the entities of a collection are written, once all is judged that can be without writing. */
export interface RowWrites<C extends Collection> {
  create(scope: Scope, next: Compiled<C>): Promise<void>;
  /** Identity and fixed members are the same in both. */
  update(scope: Scope, next: Compiled<C>, current: Known<C>): Promise<void>;
  /** Refuses where something that would not go with it still refers to it. */
  remove(scope: Scope, current: Known<C>): Promise<void>;
}

/** Puts in the rows that belong to the entity itself, not those of what it refers to. */
export async function insertRows<T extends WorldTable>({ tx }: Scope, rows: WorldRows, table: T): Promise<void> {
  if (rows[table].length > 0)
    await tx
      .insertInto(table)
      .values(rows[table] as never)
      .execute();
}
