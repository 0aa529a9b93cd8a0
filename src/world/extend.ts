import { COLLECTIONS } from './entities.ts';
import type { Collection, EntityOf, World } from './world.ts';

/** Changes to a world: new entities, and new values for members of existing entities, by collection and alias. */
export type WorldExtension = { readonly [C in Collection]?: Readonly<Record<string, Partial<EntityOf<C>>>> } & Pick<World, 'tokens'>;

type Entities = Readonly<Record<string, object>>;

/** The result is not validated. */
export function extendWorld(world: World, extension: WorldExtension): World {
  const changed = Object.entries(extension).map(([name, entities]) => {
    // An unknown name is kept, so that the validation reports it.
    if (![...COLLECTIONS, 'tokens'].includes(name) || typeof entities !== 'object') return [name, entities];
    const before = (world[name as Collection] ?? {}) as Entities;
    const after = Object.entries(entities as Entities).map(([alias, members]) => [alias, { ...before[alias], ...members }]);
    return [name, { ...before, ...Object.fromEntries(after) }];
  });
  return { ...world, ...Object.fromEntries(changed) };
}
