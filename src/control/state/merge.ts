import type { Executor } from '../../store/engine.ts';
import type { Collection } from '../../world/world.ts';
import { type Members, membersOf } from './form.ts';
import { ALWAYS_THERE, FIXED } from './members.ts';
import { find, MAPS } from './references.ts';

/**
 * An entity with the members of a PATCH: null removes a member, any other value takes its place. A map of levels is merged entry by entry, so that
 * a grant is added without repeating the others.
 */
export async function merged(db: Executor, collection: Collection, current: Members, patch: Members): Promise<Members> {
  const result = new Map(Object.entries(current));
  const removable = membersOf(collection).filter(
    (member) => ![...['id'], ...FIXED[collection], ...(ALWAYS_THERE[collection] ?? [])].includes(member),
  );
  for (const [member, value] of Object.entries(patch)) {
    const referred = Object.entries(MAPS[collection] ?? {}).find(([name]) => name === member)?.[1];
    if (value === null && removable.includes(member)) result.delete(member);
    else if (referred && typeof value === 'object' && value !== null) {
      result.set(member, await mergedMap(db, referred, (current[member] ?? {}) as Members, value as Members));
    } else result.set(member, value);
  }
  return Object.fromEntries(result);
}

async function mergedMap(db: Executor, collection: Collection, current: Members, patch: Members): Promise<Members> {
  const result = new Map(Object.entries(current));
  for (const [reference, level] of Object.entries(patch)) {
    const known = await find(db, collection, reference);
    // A name of nothing stays, also with null, so that it is told and not ignored.
    if (!known) result.set(reference, level ?? 'none');
    else if (level === null) result.delete(known.alias);
    else result.set(known.alias, level);
  }
  return Object.fromEntries(result);
}
