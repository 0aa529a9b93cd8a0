import type { RawBuilder } from 'kysely';
import type { Actor } from '../domain/access.ts';
import type { ServiceContext, WriteScope } from '../service/context.ts';
import type { COLLECTION_TABLES } from '../store/counts.ts';
import type { Level, Tables } from '../store/schema.ts';
import type { Steps } from './problem.ts';
import type { Collection, EntityOf } from './world.ts';

export type Row<C extends Collection> = Tables[(typeof COLLECTION_TABLES)[C]];

/** How to validate, store and read a collection's entities. `R` contains the names of the members that refer to other entities. */
export interface EntityType<C extends Collection = Collection, R extends string = string> {
  /** Maps each reference member to the collection of the referenced entities. The column `<member>_id` contains the referenced id. */
  readonly references: Readonly<Partial<Record<R, Collection>>>;
  getTargetCollection?(entity: EntityOf<C>): Collection;
  /** Maps the name of a joined table in SQL to the join. In `toMembers`, `row[name]` is the alias of the joined entity. */
  readonly joins?: Readonly<Record<string, RawBuilder<unknown>>>;
  readonly fixed?: readonly string[];
  /** Members that the service sets at creation. A world may contain them, but a request may not. */
  readonly generated?: readonly string[];
  /** Members that a request may omit at creation, but that a PATCH cannot remove. */
  readonly alwaysSet?: readonly string[];
  readonly parts?: PartRows<C, R>;
  readonly unique?: readonly UniqueColumns[];
  /** Set if tokens or permissions depend on the entities. Each change then makes every replica reload its world state. */
  readonly affectsCallers?: true;
  /** Reports problems that the schema cannot express, except wrong references. */
  validate?(entity: EntityOf<C>, check: EntityCheck): void;
  toRow(resolved: ResolvedEntity<C, R>, check: EntityCheck): Omit<Row<C>, 'id' | 'alias' | 'number'>;
  /** Returns the members except the id and the references, in dump order. */
  toMembers(row: StoredRow<C>): object;
  /** Set if a control API write does more than insert, update or delete the row. */
  readonly writes?: RowWrites<C>;
  /** Each use case opens its own transaction. */
  readonly useCases?: UseCases<C>;
}

/** An entity's row and parts, with the alias of each referenced entity. */
export type StoredRow<C extends Collection> = Row<C> & {
  readonly id: string;
  readonly alias: string;
  readonly parts: readonly StoredPart[];
};
export type StoredPart = Tables[PartTable] & { readonly named: string };

type PartTable = 'experience_grants' | 'account_grants' | 'native_user_ids';
export type LevelName = 'none' | 'read' | 'manage';

/** An entity's rows in another table, with the entity's id in `<singular>_id`. */
interface PartRows<C extends Collection, R extends string> {
  readonly table: PartTable;
  readonly orderBy: readonly string[];
  /** The member that maps the aliases or ids of entities in `collection` to access levels. */
  readonly levels?: { readonly member: string; readonly collection: 'providers' | 'accounts' };
  toRows(resolved: ResolvedEntity<C, R>): readonly Tables[PartTable][];
}

/** Null is never a duplicate. */
export interface UniqueColumns {
  readonly columns: readonly string[];
  /** Set if the columns are in the table `parts.table`. */
  readonly ofParts?: true;
  /** @param index the index in the entity's parts; 0 if `ofParts` is not set */
  getPath(index: number): Steps;
  /** @param other the alias of the other entity with the same values; undefined if one entity contains the values twice */
  createMessage(row: Readonly<Record<string, unknown>>, other: string | undefined): string;
}

export interface ResolvedEntity<C extends Collection = Collection, R extends string = string> {
  readonly alias: string;
  readonly id: string;
  readonly entity: EntityOf<C>;
  readonly ids: Readonly<Record<R, string>>;
  /** Maps provider ids or account ids to levels. */
  readonly levels: Map<string, LevelName>;
}

export interface Reference {
  readonly collection: Collection;
  readonly name: string;
  readonly member: string;
  /** The access level, if the member maps providers or accounts to access levels. */
  readonly level?: LevelName;
}

export interface EntityCheck {
  /** @param steps the path from the entity to the value */
  reportProblem(steps: Steps, reason: string, at?: 'key'): void;
  /** Returns `value` or, by default, the world's epoch. Reports a problem if the instant does not exist, such as a leap second. */
  checkInstant(value: string | undefined, member: string): string;
  /** Returns a referenced entity's row, or undefined if that entity has a reported problem. */
  getRow<C extends Collection>(collection: C, id: string): Row<C> | undefined;
}

export interface StoredEntity<C extends Collection = Collection> {
  readonly alias: string;
  readonly id: string;
  readonly entity: EntityOf<C>;
  readonly row: StoredRow<C>;
}

/** The entity to write. `id` is '' if a use case generates it. `alias` is '' if it equals the generated id. */
export interface EntityToStore<C extends Collection = Collection> extends ResolvedEntity<C> {
  readonly row: Row<C>;
  readonly parts: readonly object[];
  /** The members that the request contains. */
  readonly named: ReadonlySet<string>;
}

interface RowWrites<C extends Collection> {
  create?(scope: WriteScope, next: EntityToStore<C>): Promise<void>;
  update?(scope: WriteScope, next: EntityToStore<C>, current: StoredEntity<C>): Promise<void>;
  remove?(scope: WriteScope, current: StoredEntity<C>): Promise<void>;
}

/** If the service refuses a write, the result is a failure. */
interface UseCases<C extends Collection> {
  create(context: ServiceContext, actor: Actor, next: EntityToStore<C>): Promise<object>;
  update(context: ServiceContext, actor: Actor, next: EntityToStore<C>): Promise<object>;
  remove(context: ServiceContext, actor: Actor, id: string): Promise<object>;
}

const LEVELS = { read: 1, manage: 2 } as const;

export function toAccessGrants(levels: ReadonlyMap<string, LevelName>): [id: string, level: Level][] {
  return [...levels].flatMap(([id, level]): [string, Level][] => (level === 'none' ? [] : [[id, LEVELS[level]]]));
}

export function toLevelNames(parts: readonly StoredPart[]): [alias: string, level: LevelName][] {
  return parts.map((part) => [part.named, (part as Tables['account_grants']).level === LEVELS.read ? 'read' : 'manage']);
}
