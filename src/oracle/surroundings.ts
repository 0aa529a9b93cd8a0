import type { OperationId, PathForm } from '../contract/generated/operations.ts';
import { traverse } from './listing.ts';
import { pause } from './pair.ts';
import type { Names, Side } from './side.ts';
import type { Cast } from './world.ts';

/** An Experience, in place of its name, if the target does not show which it is. */
export const UNKNOWN_EXPERIENCE = 'unknown';

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads at the target what the profile does not say: the connections and assignments that the accounts already have, and the users'
 * accounts. Removes the users that belong to different accounts at the two sides, and the targets that the target has assigned so that a
 * command may be refused. AGENT Experiences with connections or assignments are not connectable.
 * @param listLagMs how long the target's lists may lack what was created for the exploration
 */
export async function readSurroundings(
  cast: Cast,
  names: Names,
  sides: readonly [Side, Side],
  form: PathForm,
  listLagMs = 0,
): Promise<Cast> {
  await pause(listLagMs);
  const as = 'manager';
  /** @returns the names of the list's Experiences, or their ids */
  const readExperiences = async (operation: OperationId, query: Readonly<Record<string, string>>, side: 0 | 1 = 0): Promise<string[]> => {
    const listing = await traverse(sides[side], operation, { query: names.resolve(side, query), as, form });
    if ('status' in listing) return [UNKNOWN_EXPERIENCE];
    const found = listing.entities.map(({ experienceId }) => {
      if (typeof experienceId !== 'string') return UNKNOWN_EXPERIENCE;
      return names.findName(side, experienceId) ?? experienceId.toLowerCase();
    });
    return listing.isWhole ? found : [...found, UNKNOWN_EXPERIENCE];
  };
  const isAgent = (experience: string) => experience === UNKNOWN_EXPERIENCE || cast.agents.includes(experience);
  const readAccount = async (side: 0 | 1, user: string) => {
    const { json } = await sides[side].call('getUser', { path: names.resolve(side, { userId: user }), as, form });
    return names.findName(side, (json as Members | undefined)?.accountId);
  };
  const targets = await Promise.all(
    cast.targets.map(async (target) => {
      const assigned = await readExperiences('getExperienceAssignments', { targetType: target.type, targetValue: target.name });
      // Whether a number can be assigned to an AGENT depends on all its assignments.
      const isFree = target.type === 'PHONE_NUMBER' ? assigned.length === 0 : !assigned.some(isAgent);
      if (!isFree) return [];
      if (target.type !== 'USER') return target;
      const [account, twin] = await Promise.all([readAccount(0, target.name), readAccount(1, target.name)]);
      return account === undefined || account !== twin ? [] : { ...target, account };
    }),
  );
  const isUsed = async (agent: string) => {
    const uses = cast.accounts.flatMap((accountId) =>
      SIDES.flatMap((side) => LISTS.map((operation) => readExperiences(operation, { accountId, experienceId: agent }, side))),
    );
    return (await Promise.all(uses)).flat().length > 0;
  };
  const areUsed = await Promise.all(cast.agents.map(isUsed));
  const connectable = [...cast.experiences, ...cast.agents.filter((_, index) => !areUsed[index])];
  const readOccupied = async (accountId: string) =>
    (await Promise.all(LISTS.map((operation) => readExperiences(operation, { accountId })))).flat();
  const occupied = await Promise.all(cast.accounts.map(async (account) => [account, new Set(await readOccupied(account))] as const));
  return { ...cast, connectable, targets: targets.flat(), occupied: new Map(occupied) };
}

const SIDES = [0, 1] as const;
const LISTS = ['getExperienceConnections', 'getExperienceAssignments'] as const;
