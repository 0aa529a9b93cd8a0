import type { Command } from './commands.ts';
import { createNear, pick } from './pick.ts';
import type { Assignment, Target, World } from './world.ts';

interface Nearby {
  /** If the command follows, those of the latest step's account and Experience, if there are any. Otherwise all. */
  readonly targets: readonly Target[];
  readonly assignments: readonly Assignment[];
}

/** Chooses what a command assigns. */
export function chooseAssignment(
  world: World,
  { follows, type, picks }: Command,
  { targets, assignments }: Nearby,
): { readonly target: Target; readonly experience: string } | undefined {
  const { agents, experiences } = world.cast;
  const [first, second, third] = picks;
  const near = createNear(follows);
  const isAssigned = ({ name }: Target, to?: string) =>
    world.assignments.values().some((each) => each.target.name === name && (to === undefined || each.experience === to));

  // Now and then what is already assigned, because two assignments of one target may conflict.
  const known = type === undefined ? assignments : [];
  const ofAgents = known.filter(({ experience }) => agents.includes(experience));
  const { goneOfAgent } = world;
  const gone = goneOfAgent && world.targets.includes(goneOfAgent.target) ? goneOfAgent : undefined;
  const ofAgent = type === undefined && second % 2 === 0 ? (pick(ofAgents, first) ?? gone) : undefined;
  const again = ofAgent ?? (third % 3 === 2 ? pick(known, first) : undefined);
  const rival = ofAgent && world.findRivalAgent(ofAgent.experience);
  // Sometimes choose another target and another Experience, to avoid a conflict with the last step.
  const isElsewhere = third % 4 === 3;
  const pool = third % 2 === 1 && agents.length > 1 ? agents : experiences;
  const isWanted = (each: string) => (again ? !isAssigned(again.target, each) : (each === world.last.experience) !== isElsewhere);
  const experience = rival ?? pick(near(pool, isWanted), second);
  const isFree = (each: Target) => !isAssigned(each, isElsewhere ? undefined : experience);
  const target = again?.target ?? pick(isElsewhere || type !== undefined ? near(targets, isFree) : targets, first);
  return target && experience !== undefined ? { target, experience } : undefined;
}
