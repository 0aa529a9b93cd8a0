import type { EntityOf } from '../../world/world.ts';
import { connectionsAt } from './connections.ts';
import type { Named, Place, Scene } from './scene.ts';

type Wanted = Pick<EntityOf<'assignments'>, 'experience' | 'targetType' | 'target'>;

/** An assignment to a target that had none. @returns its id */
export async function assignmentCreated(scene: Scene): Promise<string> {
  const { made } = await assign(scene);
  if (made) return made.id;
  throw new Error(
    'Everything that it could be is assigned already. Take an assignment away first: xpk trigger experience.assignment.deleted',
  );
}

/** An assignment that is gone: one made for it, and one of the world only where none can be made. @returns the id that it had */
export async function assignmentDeleted(scene: Scene): Promise<string> {
  const { made, before } = await assign(scene);
  const assignment = made ?? before;
  if (!assignment) throw new Error('There is nothing that could be assigned, and nothing that is.');
  const { id, experience, targetType, target } = assignment;
  await scene.remove('assignments', id, `Took ${experience} from the ${targetType} ${target}.`);
  return id;
}

/** Places with a connection first: by a decision of the kit an assignment may need one. */
export async function connectedFirst(scene: Scene): Promise<Place[]> {
  return [
    ...new Map(
      [...(await connectionsAt(scene)), ...scene.places].map((place) => [`${place.account}\n${place.experience}`, place]),
    ).values(),
  ];
}

interface Outcome {
  readonly made?: Named<'assignments'>;
  /** Where no target was free: the first that is assigned already. */
  readonly before?: Named<'assignments'> | undefined;
}

async function assign(scene: Scene): Promise<Outcome> {
  const assigned = new Map((await scene.list('assignments')).map((assignment) => [keyOf(assignment), assignment]));
  const agents = new Set((await scene.list('experiences')).filter(({ type }) => type === 'AGENT').map(({ alias }) => alias));
  const agentNumbers = new Set([...assigned.values()].filter(({ experience }) => agents.has(experience)).map(({ target }) => target));
  let before: Named<'assignments'> | undefined;
  for await (const wanted of targets(scene)) {
    const existing = assigned.get(keyOf(wanted));
    before ??= existing;
    // A number can be assigned to one Experience of type AGENT only.
    const refused = wanted.targetType === 'PHONE_NUMBER' && agents.has(wanted.experience) && agentNumbers.has(wanted.target);
    if (existing || refused) continue;
    const told = `Assigned ${wanted.experience} to the ${wanted.targetType} ${wanted.target}.`;
    return { made: await scene.create('assignments', wanted, told) };
  }
  return { before };
}

/** All that could be assigned: numbers, which are few, then users, and accounts last, since those change who hears of users. */
async function* targets(scene: Scene): AsyncGenerator<Wanted> {
  const places = await connectedFirst(scene);
  for (const [collection, targetType] of [
    ['telephoneNumbers', 'PHONE_NUMBER'],
    ['users', 'USER'],
  ] as const) {
    const owned = Map.groupBy(await scene.list(collection), ({ account }) => account);
    for (const { account, experience } of places) {
      for (const { alias } of owned.get(account) ?? []) yield { experience, targetType, target: alias };
    }
  }
  for (const { account, experience } of places) yield { experience, targetType: 'ACCOUNT', target: account };
}

function keyOf({ experience, targetType, target }: Wanted): string {
  return JSON.stringify([experience, targetType, target]);
}
