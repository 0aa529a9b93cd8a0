import type { Members } from './model.ts';

/** The members that differ, for a PATCH. Null removes a member, or an entry of the map of levels, which a PATCH merges. */
export function patchOf(before: Members, after: Members, levels?: string): Record<string, unknown> {
  const changed = changedMembers(before, after);
  if (levels === undefined || !(levels in changed) || changed[levels] === null) return changed;
  return { ...changed, [levels]: changedMembers((before[levels] ?? {}) as Members, changed[levels] as Members) };
}

function changedMembers(before: Members, after: Members): Record<string, unknown> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return Object.fromEntries([...names].filter(isChanged).map((name) => [name, after[name] ?? null]));
}
