import type { RawBuilder, Transaction } from 'kysely';
import type { Actor } from '../domain/access.ts';
import type { ServiceContext } from '../service/context.ts';
import type { TABLES } from '../store/counts.ts';
import type { Level, Tables } from '../store/schema.ts';
import type { Steps } from './problem.ts';
import type { Collection, EntityOf } from './world.ts';

export type Row<C extends Collection> = Tables[(typeof TABLES)[C]];

/** Everything the kit knows about the entities of one collection. `R` names the members that refer to another entity. */
export interface EntityType<C extends Collection = Collection, R extends string = string> {
  /** The members that name another entity by alias or id. The column `<member>_id` holds its id. */
  readonly references: Readonly<Partial<Record<R, Collection>>>;
  /** The collection that the member `target` of an assignment names. */
  targetCollection?(entity: EntityOf<C>): Collection;
  /** Tables that `toMembers` needs the alias of, besides those of the references: `table as name on …` by name. */
  readonly joins?: Readonly<Record<string, RawBuilder<unknown>>>;
  /** Members that keep their value after creation. */
  readonly fixed?: readonly string[];
  /** Members that the service sets on creation. Only a world that is loaded whole can give them. */
  readonly generated?: readonly string[];
  /** Optional members that every stored entity has, so that a PATCH cannot remove them. */
  readonly alwaysSet?: readonly string[];
  /** Rows in another table that belong to the entity. */
  readonly parts?: Parts<C, R>;
  readonly unique?: readonly Unique[];
  /** Whether access tokens and permissions depend on these entities, so that what callers may do is looked up again after a change. */
  readonly affectsCallers?: true;
  /** Reports what the schema cannot express about the entity alone. */
  validate?(entity: EntityOf<C>, check: Check): void;
  toRow(resolved: Resolved<C, R>, check: Check): Omit<Row<C>, 'id' | 'alias' | 'number'>;
  /** The members besides the id and the references, in the order of a dump. */
  toMembers(row: StoredRow<C>): object;
  /** How the control API writes the entity, where that is more than inserting, updating or deleting its row. */
  readonly writes?: RowWrites<C>;
  /** The use cases of the API that write the entity. They generate its id, open their own transactions and publish its events. */
  readonly useCases?: UseCases<C>;
}

/** A row as it is read: with the alias of each entity it refers to, under the name of the member, and the rows that belong to it. */
export type StoredRow<C extends Collection> = Row<C> & {
  readonly id: string;
  readonly alias: string;
  readonly parts: readonly StoredPart[];
};
export type StoredPart = Tables[PartTable] & { readonly named: string };

type PartTable = 'experience_grants' | 'account_grants' | 'native_user_ids';
/** The level that a world gives to a provider or principal. */
export type LevelName = 'none' | 'read' | 'manage';

/** Rows of another table. Their column `<singular>_id` holds the id of the entity. */
export interface Parts<C extends Collection, R extends string> {
  readonly table: PartTable;
  readonly orderBy: readonly string[];
  /** For a map of levels: the member, and the collection that its keys name, whose ids are in the column `<singular>_id`. */
  readonly levels?: { readonly member: string; readonly collection: 'providers' | 'accounts' };
  toRows(resolved: Resolved<C, R>): readonly Tables[PartTable][];
}

/** Columns of the entity's row, or of its parts, whose values no two entities may share. Null is not a value. */
export interface Unique {
  readonly columns: readonly string[];
  readonly ofParts?: true;
  /** Where a problem is reported: steps from the entity. */
  at(index: number): Steps;
  /** @param other the alias of the entity that has the values already; undefined if it is this one. */
  message(row: Readonly<Record<string, unknown>>, other: string | undefined): string;
}

/** An entity whose references were looked up. */
export interface Resolved<C extends Collection = Collection, R extends string = string> {
  readonly alias: string;
  /** The number itself for a telephone number. */
  readonly id: string;
  readonly entity: EntityOf<C>;
  /** The ids of the entities that members refer to. */
  readonly ids: Readonly<Record<R, string>>;
  /** The map of levels by id. */
  readonly levels: Map<string, LevelName>;
}

/** A name in an entity that stands for another entity. */
export interface Reference {
  readonly collection: Collection;
  /** An alias, an id or a telephone number. */
  readonly name: string;
  readonly member: string;
  /** Set if the member is a map from names to levels and this name is one of its keys. Otherwise the name is the member's value. */
  readonly level?: LevelName;
}

/** What `validate` and `toRow` need to know and report. */
export interface Check {
  /** @param steps from the entity. */
  problem(steps: Steps, reason: string, at?: 'key'): void;
  /** The instant, or the epoch of the world if there is none. Reports an instant that does not exist, such as a leap second. */
  instant(value: string | undefined, member: string): string;
  /** The row of an entity that this one refers to; undefined if a problem was reported there. */
  row<C extends Collection>(collection: C, id: string): Row<C> | undefined;
}

export interface Scope {
  readonly tx: Transaction<Tables>;
  readonly context: ServiceContext;
}

/** An entity that is stored. */
export interface Stored<C extends Collection = Collection> {
  readonly alias: string;
  /** The number itself for a telephone number. */
  readonly id: string;
  /** In the form of a world. */
  readonly entity: EntityOf<C>;
  readonly row: StoredRow<C>;
}

/** An entity as it is to be stored. For a use case that generates the id, `id` is '', and so is `alias` if the id is to be the alias. */
export interface Next<C extends Collection = Collection> extends Resolved<C> {
  readonly row: Row<C>;
  readonly parts: readonly object[];
  /** The members that the request named. */
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

/** The grants of a map of levels: none is the absence of a row. */
export function grants(levels: ReadonlyMap<string, LevelName>): [id: string, level: Level][] {
  return [...levels].flatMap(([id, level]): [string, Level][] => (level === 'none' ? [] : [[id, LEVELS[level]]]));
}

/** The grants that were read, by alias. */
export function levelNames(parts: readonly StoredPart[]): [alias: string, level: LevelName][] {
  return parts.map((part) => [part.named, (part as Tables['account_grants']).level === LEVELS.read ? 'read' : 'manage']);
}
