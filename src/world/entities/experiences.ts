import { type EntityType, toAccessGrants, toLevelNames } from '../entity.ts';

export const experiences: EntityType<'experiences', 'provider'> = {
  references: { provider: 'providers' },
  fixed: ['provider', 'type'],
  affectsCallers: true,
  parts: {
    table: 'experience_grants',
    orderBy: ['named'],
    levels: { member: 'levels', collection: 'providers' },
    toRows({ id, ids, levels }) {
      const withOwner = levels.has(ids.provider) ? levels : new Map(levels).set(ids.provider, 'manage');
      return toAccessGrants(withOwner).map(([provider_id, level]) => ({ provider_id, experience_id: id, level }));
    },
  },
  toRow: ({ entity: { name, type = 'GENERAL' }, ids }) => ({ provider_id: ids.provider, name, type }),
  toMembers({ name, type, parts, ...row }) {
    const { provider: owner } = row as unknown as { provider: string };
    const stored = toLevelNames(parts);
    // The owner's default level is `manage`, so a dump omits it.
    const ownerHasNone = !stored.some(([provider]) => provider === owner);
    const levels = stored.filter(([provider, level]) => provider !== owner || level !== 'manage');
    if (ownerHasNone) levels.unshift([owner, 'none']);
    return { name, type, ...(levels.length > 0 && { levels: Object.fromEntries(levels) }) };
  },
};
