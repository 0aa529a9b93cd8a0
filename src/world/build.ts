import { entityType } from './entities.ts';
import type { Check, LevelName, Resolved, Row, Unique } from './entity.ts';
import type { Steps } from './problem.ts';
import { type Collection, type EntityOf, isIdentified } from './world.ts';

/** A name in an entity that stands for another entity. */
export interface Reference {
  readonly collection: Collection;
  /** An alias, an id or a telephone number. */
  readonly name: string;
  readonly member: string;
  /** Whether the name is a key of a map of levels, and not the value of the member. */
  readonly isKey: boolean;
}

export function stepsOf({ member, name, isKey }: Reference): Steps {
  return isKey ? [member, name] : [member];
}

/** All references of an entity that matches its schema. */
export function referencesOf<C extends Collection>(collection: C, entity: EntityOf<C>): Reference[] {
  const { references, targetCollection, parts } = entityType(collection);
  const members = entity as Readonly<Record<string, unknown>>;
  const found: Reference[] = [];
  for (const member in references) {
    const name = members[member];
    if (name !== undefined) found.push({ collection: references[member]!, name: name as string, member, isKey: false });
  }
  if (targetCollection) {
    found.push({ collection: targetCollection(entity), name: members.target as string, member: 'target', isKey: false });
  }
  if (parts?.levels) {
    const { member, collection: owners } = parts.levels;
    for (const name of Object.keys(members[member] ?? {})) found.push({ collection: owners, name, member, isKey: true });
  }
  return found;
}

export interface BuiltRows<C extends Collection> extends Resolved<C> {
  readonly row: Row<C>;
  readonly parts: readonly object[];
}

interface Entry<C extends Collection> {
  readonly alias: string;
  readonly id: string;
  readonly entity: EntityOf<C>;
}

/**
 * The rows of one entity, the same for a world that is loaded and an entity that is written. Reports what the service would not have let happen.
 *
 * @param resolve the id of the entity that is referred to; reports a name of nothing and returns undefined.
 * @param taken the values of unique columns so far, with the alias that has them.
 */
export function buildRows<C extends Collection>(
  collection: C,
  { alias, id, entity }: Entry<C>,
  resolve: (reference: Reference) => string | undefined,
  check: Check,
  taken: TakenValues,
): BuiltRows<C> | undefined {
  const type = entityType(collection);
  type.validate?.(entity, check);
  const resolved: Resolved<C> & { ids: Record<string, string> } = { alias, id, entity, ids: {}, levels: new Map() };
  let isComplete = true;
  for (const reference of referencesOf(collection, entity)) {
    const found = resolve(reference);
    if (found === undefined) isComplete = isComplete && reference.isKey;
    else if (!reference.isKey) resolved.ids[reference.member] = found;
    else {
      if (resolved.levels.has(found)) check.problem(stepsOf(reference), sameEntity(reference.name), 'key');
      const levels = (entity as Readonly<Record<string, unknown>>)[reference.member] as Readonly<Record<string, LevelName>>;
      resolved.levels.set(found, levels[reference.name]!);
    }
  }
  if (!isComplete) return undefined;
  const identity = isIdentified(collection) ? { id, alias } : { number: id };
  const row = { ...identity, ...type.toRow(resolved, check) } as unknown as Row<C>;
  const parts = type.parts?.toRows(resolved) ?? [];
  for (const unique of type.unique ?? []) taken.check(unique, unique.ofParts ? parts : [row], alias, check);
  return { ...resolved, row, parts };
}

export function sameEntity(name: string): string {
  return `"${name}" is another name of an entity that is already listed here. Keep one.`;
}

/** The values of unique columns in a world, with the alias of the entity that has them. */
export class TakenValues {
  readonly #taken = new Map<Unique, Map<string, string>>();

  check(unique: Unique, rows: readonly object[], alias: string, check: Check): void {
    for (const [index, row] of rows.entries()) {
      const values = unique.columns.map((column) => (row as Readonly<Record<string, unknown>>)[column]);
      if (values.includes(null)) continue;
      const taken = this.#taken.get(unique) ?? new Map<string, string>();
      this.#taken.set(unique, taken);
      const key = values.join(' ');
      const other = taken.get(key);
      if (other === undefined) taken.set(key, alias);
      else {
        const steps = unique.at(index);
        const reason = unique.message(row as Readonly<Record<string, unknown>>, other === alias ? undefined : other);
        check.problem(steps, reason, steps.length === 0 ? 'key' : undefined);
      }
    }
  }
}

/** Reports texts that one of the engines refuses or changes. */
export function checkTexts(value: unknown, steps: Steps, problem: Check['problem']): void {
  if (typeof value === 'string') checkText(value, steps, problem);
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) checkTexts(item, [...steps, index], problem);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      checkText(key, [...steps, key], problem, 'key');
      checkTexts(member, [...steps, key], problem);
    }
  }
}

function checkText(text: string, steps: Steps, problem: Check['problem'], at?: 'key'): void {
  if (text.includes('\0')) problem(steps, 'The text contains a NUL character, which cannot be stored.', at);
  else if (!text.isWellFormed()) problem(steps, 'The text contains half of a surrogate pair, which is not a character.', at);
}
