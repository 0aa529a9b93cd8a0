import type { Look } from './looks.ts';
import { isCreatedName } from './side.ts';

interface Choice {
  /** The number of looks at lists with each operation. */
  readonly count: number;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Whether a look is about the latest step. */
  readonly isRelated: (look: Look) => boolean;
  readonly isAboutUsers: boolean;
  /** Whether no step follows. Then every entity is read. */
  readonly isLast: boolean;
}

/** How many of the entities are read that the latest step was not about. */
const OTHERS_SHARE = 0.15;
const CREATED_SHARE = 0.5;

/** Chooses the reading of each entity that the latest step was about, and of other entities, lists and assignability checks. */
export function chooseLooks(looks: readonly Look[], { count, random, isRelated, isAboutUsers, isLast }: Choice): Look[] {
  const groups = Map.groupBy(looks, ({ operation, of }) => `${operation} ${of ?? ''}`);
  return [...groups.values()].flatMap((group) => {
    const { operation, isList, of } = group[0]!;
    const related = group.filter(isRelated);
    if (of !== undefined && related.length === 0 && !isLast && random() > (isCreatedName(of) ? CREATED_SHARE : OTHERS_SHARE)) return [];
    // Few steps change users. Of the assignability checks, a credential has 100 per second.
    const isSeldom = operation === 'getExperienceAssignability' || (operation === 'getUsers' && !isAboutUsers);
    const size = isSeldom ? Math.ceil(count / 4) : isList ? count : 1;
    return Array.from({ length: Math.min(size, group.length) }, () => {
      const pool = related.length > 0 && random() < 0.7 ? related : group;
      // Each combination of filters as often as the others.
      const byFilters = Map.groupBy(pool, ({ request: { query = {} } }) => Object.keys(query).join());
      return pickFrom(pickFrom([...byFilters.values()], random), random);
    });
  });
}

export const pickFrom = <Item>(items: readonly Item[], random: () => number): Item => items[Math.floor(random() * items.length)]!;
