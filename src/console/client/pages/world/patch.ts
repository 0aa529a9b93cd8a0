import type { Members } from './model.ts';

/** Null removes a member, or an entry in a map of levels. */
export function createPatch(before: Members, after: Members, levels?: string): Record<string, unknown> {
  const changed = findChangedMembers(before, after);
  if (levels === undefined || !(levels in changed) || changed[levels] === null) return changed;
  return { ...changed, [levels]: findChangedMembers((before[levels] ?? {}) as Members, changed[levels] as Members) };
}

function findChangedMembers(before: Members, after: Members): Record<string, unknown> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return Object.fromEntries([...names].filter(isChanged).map((name) => [name, after[name] ?? null]));
}
