import { didYouMean } from '../contract/did-you-mean.ts';
import { getEntityType } from './entities.ts';
import type { EntityCheck, LevelName, Reference, ResolvedEntity, Row, UniqueColumns } from './entity.ts';
import { GeneratedUsers } from './generated-users.ts';
import { MAX_REPORTED_PROBLEMS, type Steps, toPointer, type WorldProblem } from './problem.ts';
import { type Collection, type EntityOf, isIdentified, SINGULAR_NOUNS } from './world.ts';

export interface BuiltRows<C extends Collection> extends ResolvedEntity<C> {
  readonly row: Row<C>;
  readonly parts: readonly object[];
}

export interface NamedEntity {
  readonly alias: string;
  readonly id: string;
  /** Undefined if the row could not be built. */
  row: object | undefined;
}

export class RowBuilder {
  readonly problems: WorldProblem[] = [];
  readonly generated: GeneratedUsers;
  readonly #epoch: string;
  readonly #named = new Map<Collection, Map<string, NamedEntity>>();
  readonly #taken = new Map<UniqueColumns, Map<string, string>>();

  constructor(epoch: string) {
    this.#epoch = epoch;
    this.generated = new GeneratedUsers(Date.parse(epoch));
  }

  reportProblem(steps: Steps, reason: string, at?: 'key'): void {
    this.problems.push({ pointer: toPointer(steps), reason, ...(at && { at }) });
  }

  /** @param name by which the entity is found besides its alias and id */
  add(collection: Collection, named: NamedEntity, name = named.alias): void {
    const entities = this.#named.get(collection) ?? new Map<string, NamedEntity>();
    this.#named.set(collection, entities.set(name, named).set(named.alias, named).set(named.id, named));
  }

  find(collection: Collection, name: string): NamedEntity | undefined {
    const entities = this.#named.get(collection);
    const found = entities?.get(name) ?? entities?.get(name.toLowerCase());
    if (entities?.has(name) || found?.id === name.toLowerCase()) return found;
    const row = collection === 'users' ? this.generated.find(name) : undefined;
    if (!row) return undefined;
    const generated = { alias: row.alias, id: row.id, row };
    this.add(collection, generated);
    return generated;
  }

  /** Lists each name at most once, without the ids. */
  *#listAliases(collection: Collection): Generator<string, void> {
    for (const [name, { alias }] of this.#named.get(collection) ?? []) if (name === alias) yield alias;
    if (collection === 'users') yield* this.generated.listAliases();
  }

  resolveId(collection: Collection, name: string, steps: Steps, at?: 'key'): string | undefined {
    const found = this.find(collection, name);
    if (!found) {
      // Only the first problems are reported, and finding a similar name takes long.
      const hint = this.problems.length < MAX_REPORTED_PROBLEMS ? didYouMean(name, this.#listAliases(collection)) : '';
      this.reportProblem(steps, `There is no ${SINGULAR_NOUNS[collection]} "${name}".${hint}`, at);
    }
    return found?.id;
  }

  /** @returns undefined for an unknown reference */
  build<C extends Collection>(
    collection: C,
    { alias, id, entity }: Pick<ResolvedEntity<C>, 'alias' | 'id' | 'entity'>,
    steps: Steps,
  ): BuiltRows<C> | undefined {
    const type = getEntityType(collection);
    const check = this.#check(steps);
    type.validate?.(entity, check);
    const ids: Record<string, string> = {};
    const levels = new Map<string, LevelName>();
    let isComplete = true;
    for (const { member, collection: referred, name, level } of listReferences(collection, entity)) {
      const place = level === undefined ? [...steps, member] : [...steps, member, name];
      const found = this.resolveId(referred, name, place, level && 'key');
      if (level === undefined) {
        if (found === undefined) isComplete = false;
        else ids[member] = found;
      } else if (found !== undefined) {
        if (levels.has(found))
          this.reportProblem(place, `"${name}" is another name for an entity that is already listed here. Keep one name.`, 'key');
        levels.set(found, level);
      }
    }
    if (!isComplete) return undefined;
    const resolved = { alias, id, entity, ids, levels };
    const identity = isIdentified(collection) ? { id, alias } : { number: id };
    const row = { ...identity, ...type.toRow(resolved, check) } as unknown as Row<C>;
    const parts = type.parts?.toRows(resolved) ?? [];
    for (const unique of type.unique ?? []) this.#checkUnique(unique, unique.ofParts ? parts : [row], alias, steps);
    return { ...resolved, row, parts };
  }

  #check(steps: Steps): EntityCheck {
    return {
      reportProblem: (inside, reason, at) => this.reportProblem([...steps, ...inside], reason, at),
      checkInstant: (value = this.#epoch, member) => {
        if (Number.isNaN(Date.parse(value)))
          this.reportProblem([...steps, member], `${value} is not a valid date and time. Leap seconds are not supported.`);
        return value;
      },
      getRow: <R extends Collection>(collection: R, id: string) => this.#named.get(collection)?.get(id)?.row as Row<R> | undefined,
    };
  }

  #checkUnique(unique: UniqueColumns, rows: readonly object[], alias: string, steps: Steps): void {
    const aliases = this.#taken.get(unique) ?? new Map<string, string>();
    this.#taken.set(unique, aliases);
    for (const [index, row] of (rows as readonly Readonly<Record<string, unknown>>[]).entries()) {
      const values = unique.columns.map((column) => row[column]);
      if (values.includes(null)) continue;
      const key = values.join(' ');
      const other = aliases.get(key);
      if (other === undefined) aliases.set(key, alias);
      else {
        const inside = unique.getPath(index);
        const message = unique.createMessage(row, other === alias ? undefined : other);
        this.reportProblem([...steps, ...inside], message, inside.length === 0 ? 'key' : undefined);
      }
    }
  }

  /** Reports a problem for each string that SQLite or PostgreSQL would change or refuse. */
  checkStrings(value: unknown, steps: Steps, at?: 'key'): void {
    if (typeof value === 'string') {
      if (value.includes('\0'))
        this.reportProblem(steps, 'The string contains a NUL character, which the database cannot store. Remove it.', at);
      else if (!value.isWellFormed())
        this.reportProblem(steps, 'The string contains half of a surrogate pair, which is not a character. Remove it.', at);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        this.checkStrings(key, [...steps, key], 'key');
        this.checkStrings(member, [...steps, key]);
      }
    }
  }
}

/** The entity must match its schema. */
export function listReferences<C extends Collection>(collection: C, entity: EntityOf<C>): Reference[] {
  const { references, getTargetCollection, parts } = getEntityType(collection);
  const members = entity as Readonly<Record<string, unknown>>;
  const found: Reference[] = [];
  for (const member in references) {
    const name = members[member];
    if (name !== undefined) found.push({ collection: references[member]!, name: name as string, member });
  }
  if (getTargetCollection) found.push({ collection: getTargetCollection(entity), name: members.target as string, member: 'target' });
  if (parts?.levels) {
    const { member, collection: owners } = parts.levels;
    const levels = Object.entries((members[member] ?? {}) as Readonly<Record<string, LevelName>>);
    for (const [name, level] of levels) found.push({ collection: owners, name, member, level });
  }
  return found;
}
