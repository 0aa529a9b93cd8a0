import type { RawBuilder, Transaction } from 'kysely';
import type { Actor } from '../domain/access.ts';
import type { ServiceContext } from '../service/context.ts';
import type { TABLES } from '../store/counts.ts';
import type { Level, Tables } from '../store/schema.ts';
import type { Steps } from './problem.ts';
import type { Collection, EntityOf } from './world.ts';

export type Row<C extends Collection> = Tables[(typeof TABLES)[C]];

/** How the entities of one collection are validated, stored and read. `R` is the members that refer to another entity. */
export interface EntityType<C extends Collection = Collection, R extends string = string> {
  /** The members that refer to another entity by alias or id. The column `<member>_id` contains the id of that entity. */
  readonly references: Readonly<Partial<Record<R, Collection>>>;
  /** The collection that the member `target` of an assignment refers to. */
  targetCollection?(entity: EntityOf<C>): Collection;
  /** Further tables to join, besides those of the references, each as `table as key on …`. `toMembers` gets the alias under the key. */
  readonly joins?: Readonly<Record<string, RawBuilder<unknown>>>;
  /** Members that cannot change after creation. */
  readonly fixed?: readonly string[];
  /** Members that the service sets on creation. A world can contain them, but a request that creates one entity cannot. */
  readonly generated?: readonly string[];
  /** Optional members that every stored entity has, so that a PATCH cannot remove them. */
  readonly alwaysSet?: readonly string[];
  /** The rows of another table that belong to the entity, such as grants. */
  readonly parts?: Parts<C, R>;
  readonly unique?: readonly Unique[];
  /** Set if access tokens or permissions depend on these entities, so that every replica reloads its state of the world after a change. */
  readonly affectsCallers?: true;
  /** Reports problems that the schema cannot express and that depend on no other entity. */
  validate?(entity: EntityOf<C>, check: Check): void;
  toRow(resolved: Resolved<C, R>, check: Check): Omit<Row<C>, 'id' | 'alias' | 'number'>;
  /** The members of the entity except the id and the references, in the order of a dump. */
  toMembers(row: StoredRow<C>): object;
  /** How the control API writes the entity, if it has to do more than insert, update or delete the row. */
  readonly writes?: RowWrites<C>;
  /** The use cases of the API that write the entity. They generate its id, open their own transactions and publish its events. */
  readonly useCases?: UseCases<C>;
}

/** The row of an entity as it is read: with the alias of each entity that a member refers to, named after the member, and with its parts. */
export type StoredRow<C extends Collection> = Row<C> & {
  readonly id: string;
  readonly alias: string;
  readonly parts: readonly StoredPart[];
};
export type StoredPart = Tables[PartTable] & { readonly named: string };

type PartTable = 'experience_grants' | 'account_grants' | 'native_user_ids';
/** The level that a world gives to a provider or principal. */
export type LevelName = 'none' | 'read' | 'manage';

/** The rows of another table that belong to an entity. Their column `<singular>_id` contains the id of the entity. */
export interface Parts<C extends Collection, R extends string> {
  readonly table: PartTable;
  readonly orderBy: readonly string[];
  /** Set if the rows store a map of levels: the member with the map, and the collection of its keys, whose ids are in `<singular>_id`. */
  readonly levels?: { readonly member: string; readonly collection: 'providers' | 'accounts' };
  toRows(resolved: Resolved<C, R>): readonly Tables[PartTable][];
}

/** Columns of the entity's row, or of its parts, whose values no two entities may share. Rows with a null in them are not compared. */
export interface Unique {
  readonly columns: readonly string[];
  readonly ofParts?: true;
  /** The path from the entity to the value that is reported. @param index of the row among the parts. */
  at(index: number): Steps;
  /** @param other the alias of the entity that already has the values; undefined if the entity itself has them twice. */
  message(row: Readonly<Record<string, unknown>>, other: string | undefined): string;
}

/** An entity whose references were looked up. */
export interface Resolved<C extends Collection = Collection, R extends string = string> {
  readonly alias: string;
  /** The id of the entity; a telephone number is its own id. */
  readonly id: string;
  readonly entity: EntityOf<C>;
  /** For each member that refers to an entity, the id of that entity. */
  readonly ids: Readonly<Record<R, string>>;
  /** The levels of an experience by the id of the provider, or those of a principal by the id of the account. */
  readonly levels: Map<string, LevelName>;
}

/** A reference of an entity to another entity. */
export interface Reference {
  readonly collection: Collection;
  /** An alias, an id or a telephone number. */
  readonly name: string;
  readonly member: string;
  /** Set if the member is a map of levels and `name` is one of its keys. Undefined if `name` is the value of the member. */
  readonly level?: LevelName;
}

/** What `validate` and `toRow` use to look up values and to report problems. */
export interface Check {
  /** Reports a problem. @param steps the path from the entity to the value. */
  problem(steps: Steps, reason: string, at?: 'key'): void;
  /** Returns the value, or the epoch of the world if it is undefined. Reports an instant that does not exist, such as a leap second. */
  instant(value: string | undefined, member: string): string;
  /** The row of an entity that is referred to; undefined if that entity has a problem, which is reported already. */
  row<C extends Collection>(collection: C, id: string): Row<C> | undefined;
}

export interface Scope {
  readonly tx: Transaction<Tables>;
  readonly context: ServiceContext;
}

/** An entity that is stored. */
export interface Stored<C extends Collection = Collection> {
  readonly alias: string;
  /** The id of the entity; a telephone number is its own id. */
  readonly id: string;
  /** The members, in the form that they have in a world. */
  readonly entity: EntityOf<C>;
  readonly row: StoredRow<C>;
}

/** An entity as a write will store it. If a use case will generate the id, `id` is ''. If the id will also be the alias, `alias` is ''. */
export interface Next<C extends Collection = Collection> extends Resolved<C> {
  readonly row: Row<C>;
  readonly parts: readonly object[];
  /** The names of the members that the request contains. */
  readonly named: ReadonlySet<string>;
}

export interface RowWrites<C extends Collection> {
  create?(scope: Scope, next: Next<C>): Promise<void>;
  update?(scope: Scope, next: Next<C>, current: Stored<C>): Promise<void>;
  remove?(scope: Scope, current: Stored<C>): Promise<void>;
}

/** Each returns the result of a use case, which may be a refusal. */
export interface UseCases<C extends Collection> {
  /** @returns the new entity. */
  create(context: ServiceContext, actor: Actor, next: Next<C>): Promise<object>;
  update(context: ServiceContext, actor: Actor, next: Next<C>): Promise<object>;
  remove(context: ServiceContext, actor: Actor, id: string): Promise<object>;
}

const LEVELS = { read: 1, manage: 2 } as const;

/** Converts a map of levels to grants. The level none is stored as the absence of a grant. */
export function grants(levels: ReadonlyMap<string, LevelName>): [id: string, level: Level][] {
  return [...levels].flatMap(([id, level]): [string, Level][] => (level === 'none' ? [] : [[id, LEVELS[level]]]));
}

/** Converts stored grants to levels by alias. */
export function levelNames(parts: readonly StoredPart[]): [alias: string, level: LevelName][] {
  return parts.map((part) => [part.named, (part as Tables['account_grants']).level === LEVELS.read ? 'read' : 'manage']);
}
