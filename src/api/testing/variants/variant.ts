import type { Decisions } from '../../../contract/generated/decisions.ts';
import type { Reply } from '../expect.ts';
import type { Lab } from '../lab.ts';
import { ASSIGNMENTS, CONNECTIONS, connect, type ExperienceAlias, experience, type Target } from '../steps.ts';

/** Shows that a kit behaves as one value of a decision says. Other decisions may have any value. */
export type Check = (lab: Lab) => Promise<void>;

/** A check for each value of each decision: a missing value does not compile. */
export type Variants = { readonly [D in keyof Decisions]?: { readonly [V in `${Decisions[D]}`]: Check } };

/** Connects first, as an assignment may need that. */
export async function assigned(lab: Lab, alias: ExperienceAlias, target: Target, accountId: string): Promise<Reply> {
  await lab.api('full').POST(CONNECTIONS, { body: { accountId, experienceId: experience(alias) } });
  return lab.api('full').POST(ASSIGNMENTS, { body: { experienceId: experience(alias), ...target } });
}

/** A connection of a room's own to an Experience that has no numbers anywhere. */
export async function numberless(lab: Lab, state?: 'ACTIVE' | 'INACTIVE') {
  const room = lab.room();
  return { ...room, connection: await connect(lab, 'many-90', room.accountId, state) };
}

/** One check for each of several statuses. */
export function byStatus<S extends number>(
  statuses: readonly S[],
  check: (lab: Lab, status: S) => Promise<unknown>,
): Record<`${S}`, Check> {
  return Object.fromEntries(statuses.map((status) => [status, async (lab: Lab) => void (await check(lab, status))])) as Record<
    `${S}`,
    Check
  >;
}
