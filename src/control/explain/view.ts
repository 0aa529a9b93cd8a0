import type { LevelName } from '../../contract/evidence.ts';
import type { EntityOf, World } from '../../world/world.ts';

interface Named {
  readonly alias: string;
  readonly id: string;
}

/** Aliases of the provider and the principal behind a token. */
export interface Who {
  readonly provider: string | undefined;
  /** Undefined for a token without a principal: then the accounts hide nothing. */
  readonly principal: string | undefined;
}

/** What somebody may at least read, or manage, in a world; with `none` all that is there. */
export interface View {
  experiences(level: LevelName): readonly Named[];
  accounts(level: LevelName): readonly Named[];
  users(level: LevelName): readonly (Named & { readonly account: string })[];
  numbers(level: LevelName): readonly { readonly number: string; readonly account: string }[];
  assignments(level: LevelName): readonly (Named & Pick<EntityOf<'assignments'>, 'experience' | 'targetType' | 'target'>)[];
  connections(level: LevelName): readonly (Named & EntityOf<'connections'>)[];
}

const RANKS: Readonly<Record<LevelName, number>> = { none: 0, read: 1, manage: 2 };

export function viewOf(world: World, { provider, principal }: Who): View {
  const reaches = (level: LevelName | undefined, needed: LevelName) => RANKS[level ?? 'none'] >= RANKS[needed];
  const onAccount = (alias: string, needed: LevelName) =>
    principal === undefined || reaches(own(world.principals, principal)?.accounts?.[alias], needed);
  const onExperience = (alias: string, needed: LevelName) => {
    const experience = own(world.experiences, alias);
    if (!experience || provider === undefined) return false;
    return reaches(experience.levels?.[provider] ?? (experience.provider === provider ? 'manage' : 'none'), needed);
  };
  const accountOf = ({ targetType, target }: EntityOf<'assignments'>) =>
    targetType === 'ACCOUNT'
      ? target
      : targetType === 'USER'
        ? (own(world.users, target)?.account ?? '')
        : (own(world.telephoneNumbers, target)?.account ?? '');
  return {
    experiences: (level) => named(world.experiences).filter(({ alias }) => onExperience(alias, level)),
    accounts: (level) => named(world.accounts).filter(({ alias }) => onAccount(alias, level)),
    users: (level) => named(world.users).filter(({ account }) => onAccount(account, level)),
    numbers: (level) =>
      Object.entries(world.telephoneNumbers ?? {})
        .map(([number, { account }]) => ({ number, account }))
        .filter(({ account }) => onAccount(account, level)),
    assignments: (level) =>
      named(world.assignments).filter((one) => onExperience(one.experience, level) && onAccount(accountOf(one), level)),
    connections: (level) => named(world.connections).filter((one) => onExperience(one.experience, level) && onAccount(one.account, level)),
  };
}

/** An entity by its alias: a name such as `constructor` is nobody's. */
export function own<Entity>(entities: Readonly<Record<string, Entity>> | undefined, alias: string): Entity | undefined {
  return entities && Object.hasOwn(entities, alias) ? entities[alias] : undefined;
}

type Entities<E> = Readonly<Record<string, E>> | undefined;

/** Dumped entities always have their id. */
function named<E extends { id?: string | undefined }>(entities: Entities<E>): (E & Named)[] {
  return Object.entries(entities ?? {}).map(([alias, entity]) => ({ ...entity, alias, id: entity.id ?? alias }));
}

/** The alias of the entity with this id; the id itself where there is none any more. */
export function aliasOf(entities: Entities<{ readonly id?: string | undefined }>, id: string): string {
  return Object.entries(entities ?? {}).find(([alias, entity]) => entity.id === id || alias === id)?.[0] ?? id;
}
