import type { PathForm } from '../contract/generated/operations.ts';
import { pause } from './pair.ts';
import { type Answer, isSuccess, type Names, type Request, type Side } from './side.ts';
import type { Cast } from './world.ts';

/** An Experience, in place of its name, if the target does not show which it is. */
export const UNKNOWN_EXPERIENCE = 'unknown';

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads at the target what the profile does not say: the connections and assignments that the accounts already have, and the users'
 * accounts. Removes the users that belong to different accounts at the two sides.
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
  const call = (side: 0 | 1, operation: Parameters<Side['call']>[0], request: Omit<Request, 'as' | 'form'>) =>
    sides[side].call(operation, { ...names.resolve(side, request), as, form });
  const readExperiences = async (accountId: string): Promise<Set<string>> => {
    const lists = await Promise.all(
      (['getExperienceConnections', 'getExperienceAssignments'] as const).map((operation) => call(0, operation, { query: { accountId } })),
    );
    return new Set(
      lists.flatMap(readEntities).map(({ experienceId }) => {
        if (typeof experienceId !== 'string') return UNKNOWN_EXPERIENCE;
        return names.findName(0, experienceId) ?? experienceId.toLowerCase();
      }),
    );
  };
  const readAccount = async (side: 0 | 1, user: string) => {
    const { json } = await call(side, 'getUser', { path: { userId: user } });
    return names.findName(side, (json as Members | undefined)?.accountId);
  };
  const targets = await Promise.all(
    cast.targets.map(async (target) => {
      if (target.type !== 'USER') return target;
      const [account, twin] = await Promise.all([readAccount(0, target.name), readAccount(1, target.name)]);
      return account === undefined || account !== twin ? [] : { ...target, account };
    }),
  );
  const isConnected = async (side: 0 | 1, agent: string) => {
    const lists = await Promise.all(
      cast.accounts.map((accountId) => call(side, 'getExperienceConnections', { query: { accountId, experienceId: agent } })),
    );
    return lists.some((answer) => !isSuccess(answer) || readEntities(answer).length > 0);
  };
  const areConnected = await Promise.all(cast.agents.map(async (agent) => (await isConnected(0, agent)) || (await isConnected(1, agent))));
  const connectable = [...cast.experiences, ...cast.agents.filter((_, index) => !areConnected[index])];
  const occupied = await Promise.all(cast.accounts.map(async (account) => [account, await readExperiences(account)] as const));
  return { ...cast, connectable, targets: targets.flat(), occupied: new Map(occupied) };
}

function readEntities({ json }: Answer): readonly Members[] {
  const { entities } = (json ?? {}) as { entities?: unknown };
  return Array.isArray(entities) ? entities : [];
}
