import { entityType } from './entities.ts';
import type { Check, LevelName, Reference, Resolved, Row, Unique } from './entity.ts';
import type { Steps } from './problem.ts';
import { type Collection, type EntityOf, isIdentified } from './world.ts';

export interface BuiltRows<C extends Collection> extends Resolved<C> {
  readonly row: Row<C>;
  readonly parts: readonly object[];
}

/**
 * The rows of one entity, both for a world that is loaded and for an entity that is written. Reports what the service would not have accepted.
 *
 * @returns undefined if a member refers to nothing, which is reported.
 */
export function buildRows<C extends Collection>(
  collection: C,
  { alias, id, entity }: Pick<Resolved<C>, 'alias' | 'id' | 'entity'>,
  check: Check,
): BuiltRows<C> | undefined {
  const type = entityType(collection);
  type.validate?.(entity, check);
  const ids: Record<string, string> = {};
  const levels = new Map<string, LevelName>();
  let isComplete = true;
  for (const reference of referencesOf(collection, entity)) {
    const { member, name, level } = reference;
    const found = check.resolve(reference);
    if (level === undefined) {
      if (found === undefined) isComplete = false;
      else ids[member] = found;
    } else if (found !== undefined) {
      if (levels.has(found))
        check.problem([member, name], `"${name}" is another name of an entity that is already listed here. Keep one.`, 'key');
      levels.set(found, level);
    }
  }
  if (!isComplete) return undefined;
  const resolved = { alias, id, entity, ids, levels };
  const identity = isIdentified(collection) ? { id, alias } : { number: id };
  const row = { ...identity, ...type.toRow(resolved, check) } as unknown as Row<C>;
  const parts = type.parts?.toRows(resolved) ?? [];
  for (const unique of type.unique ?? []) checkUnique(unique, unique.ofParts ? parts : [row], alias, check);
  return { ...resolved, row, parts };
}

/** All references of an entity that matches its schema. */
export function referencesOf<C extends Collection>(collection: C, entity: EntityOf<C>): Reference[] {
  const { references, targetCollection, parts } = entityType(collection);
  const members = entity as Readonly<Record<string, unknown>>;
  const found: Reference[] = [];
  for (const member in references) {
    const name = members[member];
    if (name !== undefined) found.push({ collection: references[member]!, name: name as string, member });
  }
  if (targetCollection) found.push({ collection: targetCollection(entity), name: members.target as string, member: 'target' });
  if (parts?.levels) {
    const { member, collection: owners } = parts.levels;
    const levels = Object.entries((members[member] ?? {}) as Readonly<Record<string, LevelName>>);
    for (const [name, level] of levels) found.push({ collection: owners, name, member, level });
  }
  return found;
}

export function stepsOf({ member, name, level }: Reference): Steps {
  return level === undefined ? [member] : [member, name];
}

function checkUnique(unique: Unique, rows: readonly object[], alias: string, { taken, problem }: Check): void {
  for (const [index, row] of (rows as readonly Readonly<Record<string, unknown>>[]).entries()) {
    const values = unique.columns.map((column) => row[column]);
    if (values.includes(null)) continue;
    const aliases = taken.get(unique) ?? new Map<string, string>();
    taken.set(unique, aliases);
    const key = values.join(' ');
    const other = aliases.get(key);
    if (other === undefined) aliases.set(key, alias);
    else {
      const steps = unique.at(index);
      problem(steps, unique.message(row, other === alias ? undefined : other), steps.length === 0 ? 'key' : undefined);
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
