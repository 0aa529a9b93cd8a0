import type { RawBuilder, Transaction } from 'kysely';
import type { Actor } from '../domain/access.ts';
import type { ServiceContext } from '../service/context.ts';
import type { COLLECTION_TABLES } from '../store/counts.ts';
import type { Level, Tables } from '../store/schema.ts';
import type { Steps } from './problem.ts';
import type { Collection, EntityOf } from './world.ts';

export type Row<C extends Collection> = Tables[(typeof COLLECTION_TABLES)[C]];

/** Describes how to validate, store and read a collection's entities. `R` is the union of the members that refer to other entities. */
export interface EntityType<C extends Collection = Collection, R extends string = string> {
  /**
   * Maps each member that refers to another entity by alias or id to the other entity's collection. The column `<member>_id` contains the
   * other entity's id.
   */
  readonly references: Readonly<Partial<Record<R, Collection>>>;
  /** Returns the collection to which an assignment's `target` refers. */
  getTargetCollection?(entity: EntityOf<C>): Collection;
  /**
   * Maps keys to joins with tables to which no member refers. Each join has the form `table as key on …`. In the row that `toMembers`
   * receives, `key` is the joined row's alias.
   */
  readonly joins?: Readonly<Record<string, RawBuilder<unknown>>>;
  /** Members that cannot change after creation. */
  readonly fixed?: readonly string[];
  /**
   * Members that the service sets when it creates an entity. A world can contain these members, but a request that creates an entity
   * cannot.
   */
  readonly generated?: readonly string[];
  /** Optional members that every stored entity has. A PATCH cannot remove these members. */
  readonly alwaysSet?: readonly string[];
  /** The entity's rows in another table, such as grants. */
  readonly parts?: PartRows<C, R>;
  readonly unique?: readonly UniqueColumns[];
  /**
   * Set if access tokens or permissions depend on entities of this collection. After a change to such an entity, every replica reloads its
   * copy of the world state.
   */
  readonly affectsCallers?: true;
  /** Reports problems that the schema cannot express. Does not check references to other entities. */
  validate?(entity: EntityOf<C>, check: EntityCheck): void;
  toRow(resolved: ResolvedEntity<C, R>, check: EntityCheck): Omit<Row<C>, 'id' | 'alias' | 'number'>;
  /** Returns the entity's members except the id and the references, in dump order. */
  toMembers(row: StoredRow<C>): object;
  /**
   * Functions with which the control API writes the entity. They are defined if a write does more than insert, update or delete the row.
   */
  readonly writes?: RowWrites<C>;
  /** The use cases of the API that write the entity. A use case generates the id, opens its own transaction and publishes the events. */
  readonly useCases?: UseCases<C>;
}

/**
 * An entity's row and parts. For each member that refers to another entity, the row contains the other entity's alias under the member's
 * name.
 */
export type StoredRow<C extends Collection> = Row<C> & {
  readonly id: string;
  readonly alias: string;
  readonly parts: readonly StoredPart[];
};
export type StoredPart = Tables[PartTable] & { readonly named: string };

type PartTable = 'experience_grants' | 'account_grants' | 'native_user_ids';
/** A provider's or principal's access level in a world. */
export type LevelName = 'none' | 'read' | 'manage';

/** An entity's rows in another table. The other table's column `<singular>_id` contains the entity's id. */
export interface PartRows<C extends Collection, R extends string> {
  readonly table: PartTable;
  readonly orderBy: readonly string[];
  /**
   * Set if the rows store a map of levels. The member named `member` contains the map. The map's keys are entities in `collection`, and
   * their ids are in the column `<singular>_id`.
   */
  readonly levels?: { readonly member: string; readonly collection: 'providers' | 'accounts' };
  toRows(resolved: ResolvedEntity<C, R>): readonly Tables[PartTable][];
}

/**
 * Columns in an entity's row, or in the rows of its parts. The combined values of these columns must be unique. Rows with null in one of
 * the columns are not compared.
 */
export interface UniqueColumns {
  readonly columns: readonly string[];
  readonly ofParts?: true;
  /** Returns the path from the entity to the duplicate value. @param index the row's index among the parts */
  getPath(index: number): Steps;
  /** @param other the alias of the entity that already has the values, or undefined if two parts of the same entity have the same values */
  createMessage(row: Readonly<Record<string, unknown>>, other: string | undefined): string;
}

/** An entity and the ids of the entities that it refers to. */
export interface ResolvedEntity<C extends Collection = Collection, R extends string = string> {
  readonly alias: string;
  /** The entity's id. A telephone number's id is the number itself. */
  readonly id: string;
  readonly entity: EntityOf<C>;
  /** Maps each member that refers to another entity to the other entity's id. */
  readonly ids: Readonly<Record<R, string>>;
  /** Maps provider ids to an experience's levels, or account ids to a principal's levels. */
  readonly levels: Map<string, LevelName>;
}

/** A reference from an entity to another entity. */
export interface Reference {
  readonly collection: Collection;
  /** The other entity's alias, id or telephone number. */
  readonly name: string;
  readonly member: string;
  /** The level, if the member is a map of levels and `name` is a key in the map. Undefined if `name` is the member's value. */
  readonly level?: LevelName;
}

/** Functions with which `validate` and `toRow` look up values and report problems. */
export interface EntityCheck {
  /** Reports a problem. @param steps the path from the entity to the value */
  reportProblem(steps: Steps, reason: string, at?: 'key'): void;
  /**
   * Returns `value`, or the world's epoch if `value` is undefined. Reports a problem if the instant does not exist, for example a leap
   * second.
   */
  checkInstant(value: string | undefined, member: string): string;
  /** Returns a referenced entity's row. Returns undefined if that entity has a problem, which has already been reported. */
  getRow<C extends Collection>(collection: C, id: string): Row<C> | undefined;
}

export interface WriteScope {
  readonly tx: Transaction<Tables>;
  readonly context: ServiceContext;
  /** Who makes the change. */
  readonly actor: Actor;
}

/** An entity in the store. */
export interface StoredEntity<C extends Collection = Collection> {
  readonly alias: string;
  /** The entity's id. A telephone number's id is the number itself. */
  readonly id: string;
  /** The entity's members in the form of a world file. */
  readonly entity: EntityOf<C>;
  readonly row: StoredRow<C>;
}

/** The entity that a write stores. `id` is '' if a use case generates the id. `alias` is '' if the generated id is also the alias. */
export interface EntityToStore<C extends Collection = Collection> extends ResolvedEntity<C> {
  readonly row: Row<C>;
  readonly parts: readonly object[];
  /** The names of the members that the request contains. */
  readonly named: ReadonlySet<string>;
}

export interface RowWrites<C extends Collection> {
  create?(scope: WriteScope, next: EntityToStore<C>): Promise<void>;
  update?(scope: WriteScope, next: EntityToStore<C>, current: StoredEntity<C>): Promise<void>;
  remove?(scope: WriteScope, current: StoredEntity<C>): Promise<void>;
}

/** Use cases that write an entity. Every function returns the use case's result, which may be a refusal. */
export interface UseCases<C extends Collection> {
  /** @returns the new entity */
  create(context: ServiceContext, actor: Actor, next: EntityToStore<C>): Promise<object>;
  update(context: ServiceContext, actor: Actor, next: EntityToStore<C>): Promise<object>;
  remove(context: ServiceContext, actor: Actor, id: string): Promise<object>;
}

const LEVELS = { read: 1, manage: 2 } as const;

/** Converts a map of levels to grants. The level none is stored as the absence of a grant. */
export function toGrants(levels: ReadonlyMap<string, LevelName>): [id: string, level: Level][] {
  return [...levels].flatMap(([id, level]): [string, Level][] => (level === 'none' ? [] : [[id, LEVELS[level]]]));
}

/** Converts stored grants to levels by alias. */
export function toLevelNames(parts: readonly StoredPart[]): [alias: string, level: LevelName][] {
  return parts.map((part) => [part.named, (part as Tables['account_grants']).level === LEVELS.read ? 'read' : 'manage']);
}
