import type { EventType } from '../../contract/generated/events.ts';
import type { EntityOf } from '../../world/world.ts';
import type { Entity, Place } from './places.ts';
import type { Scene } from './scene.ts';

type State = 'ACTIVE' | 'INACTIVE';
type Connection = Entity<'connections'>;
type Assignment = Entity<'assignments'>;
type AssignmentKey = Pick<EntityOf<'assignments'>, 'experience' | 'targetType' | 'target'>;

/** For each event type, a function that causes an event. The function returns the id of the created, changed or deleted entity. */
export const causes: Readonly<Record<EventType, (scene: Scene) => Promise<string>>> = {
  'experience.connection.created': createConnection,
  'experience.connection.activated': (scene) => switchConnection(scene, 'ACTIVE'),
  'experience.connection.deactivated': (scene) => switchConnection(scene, 'INACTIVE'),
  'experience.connection.deleted': deleteConnection,
  'experience.assignment.created': createAssignment,
  'experience.assignment.deleted': deleteAssignment,
  'provisioning.user.created': async (scene) => (await createUser(scene)).id,
  'provisioning.user.deleted': deleteUser,
};

/** Creates a connection. If all places are connected, removes a connection first. */
async function createConnection(scene: Scene): Promise<string> {
  const created = await connect(scene, 'INACTIVE');
  if (created) return created.id;
  await removeConnection(scene, (await connectionsOf(scene)).at(-1) as Connection);
  return ((await connect(scene, 'INACTIVE')) as Connection).id;
}

/**
 * Changes the state of a connection to `to`. Uses an existing connection with the other state or, if there is none, a new connection. If
 * all places are connected, first changes an existing connection to the other state.
 */
async function switchConnection(scene: Scene, to: State): Promise<string> {
  const from = to === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE';
  const existing = await connectionsOf(scene);
  const found = existing.find(({ state }) => state === from) ?? (await connect(scene, from));
  const connection = found ?? (existing[0] as Connection);
  if (!found) await setState(scene, connection, from);
  await setState(scene, connection, to);
  return connection.id;
}

/** Creates a connection and deletes the new connection. If all places are connected, deletes an existing connection instead. */
async function deleteConnection(scene: Scene): Promise<string> {
  const connection = (await connect(scene, 'INACTIVE')) ?? ((await connectionsOf(scene))[0] as Connection);
  await removeConnection(scene, connection);
  return connection.id;
}

async function createAssignment(scene: Scene): Promise<string> {
  const { created } = await assign(scene);
  if (created) return created.id;
  throw new Error('All possible targets are already assigned. Remove an assignment with: xpk trigger experience.assignment.deleted');
}

/** Creates an assignment and deletes the new assignment. If all possible targets are assigned, deletes an existing assignment instead. */
async function deleteAssignment(scene: Scene): Promise<string> {
  const { created, existing } = await assign(scene);
  const assignment = created ?? existing;
  if (!assignment) throw new Error('There is no assignment, and no target for a new assignment.');
  const { id, experience, targetType, target } = assignment;
  await scene.remove('assignments', id, `Removed the assignment of ${experience} to the ${targetType} ${target}.`);
  return id;
}

async function createUser(scene: Scene): Promise<Entity<'users'>> {
  const account = await accountWithUserEvents(scene);
  return scene.create('users', { account }, `Created a user in ${account}.`);
}

async function deleteUser(scene: Scene): Promise<string> {
  const { id, account } = await createUser(scene);
  await scene.remove('users', id, `Deleted the user ${id} of ${account}.`);
  return id;
}

/**
 * Returns an account whose users have events. Depending on the decision `provisioning.assigned-means`, the account needs an assigned or a
 * connected Experience.
 */
async function accountWithUserEvents(scene: Scene): Promise<string> {
  if (scene.decisions['provisioning.assigned-means'] === 'connection') {
    const connection = (await connectionsOf(scene))[0] ?? (await connect(scene, 'INACTIVE'));
    return (connection as Connection).account;
  }
  const assignments = (await scene.list('assignments')).filter(({ targetType }) => targetType === 'ACCOUNT');
  const isAssigned = (place: Place) =>
    assignments.some(({ experience, target }) => experience === place.experience && target === place.account);
  const assigned = scene.places.find(isAssigned);
  if (assigned) return assigned.account;
  const { account, experience } = (await placesConnectedFirst(scene))[0] as Place;
  const sentence = `Assigned ${experience} to the ACCOUNT ${account}, because only assigned accounts have user events.`;
  await scene.create('assignments', { experience, targetType: 'ACCOUNT', target: account }, sentence);
  return account;
}

/** Connects the first unconnected place. @returns undefined if all places are connected */
async function connect(scene: Scene, state: State): Promise<Connection | undefined> {
  const taken = new Set((await scene.list('connections')).map(placeKey));
  const free = scene.places.find((place) => !taken.has(placeKey(place)));
  return free && scene.create('connections', { ...free, state }, `Connected ${free.account} to ${free.experience}, ${state}.`);
}

/** Returns the connections of the places in the scene, in the order of the places. */
async function connectionsOf({ list, places }: Scene): Promise<Connection[]> {
  const byPlace = new Map((await list('connections')).map((connection) => [placeKey(connection), connection]));
  return places.map((place) => byPlace.get(placeKey(place))).filter((connection) => connection !== undefined);
}

function setState(scene: Scene, { id, account, experience }: Connection, state: State): Promise<void> {
  return scene.change('connections', id, { state }, `Made the connection of ${account} to ${experience} ${state}.`);
}

function removeConnection(scene: Scene, { id, account, experience }: Connection): Promise<void> {
  return scene.remove('connections', id, `Removed the connection of ${account} to ${experience}.`);
}

const placeKey = ({ account, experience }: Place): string => JSON.stringify([account, experience]);

/** Returns all places, with connected places first, because a decision can require a connection for an assignment. */
async function placesConnectedFirst(scene: Scene): Promise<Place[]> {
  const places = [...(await connectionsOf(scene)), ...scene.places];
  return [...new Map(places.map((place) => [placeKey(place), place])).values()];
}

/** Creates the first assignment that is possible. `existing` is the first candidate that already exists as an assignment. */
async function assign(scene: Scene): Promise<{ created?: Assignment; existing?: Assignment | undefined }> {
  const assignments = await scene.list('assignments');
  const byKey = new Map(assignments.map((assignment) => [assignmentKey(assignment), assignment]));
  const agents = new Set((await scene.list('experiences')).filter(({ type }) => type === 'AGENT').map(({ alias }) => alias));
  // A telephone number can be assigned to only one Experience of type AGENT.
  const taken = new Set(assignments.filter(({ experience }) => agents.has(experience)).map(({ target }) => target));
  let existing: Assignment | undefined;
  for await (const candidate of targetsOf(scene)) {
    const { experience, targetType, target } = candidate;
    const same = byKey.get(assignmentKey(candidate));
    existing ??= same;
    if (same || (targetType === 'PHONE_NUMBER' && agents.has(experience) && taken.has(target))) continue;
    return { created: await scene.create('assignments', candidate, `Assigned ${experience} to the ${targetType} ${target}.`) };
  }
  return { existing };
}

/**
 * Yields the possible assignments. Telephone numbers come first, because there are fewer telephone numbers than users. Accounts come last,
 * because the assignment of an account changes which subscriptions receive the events of its users.
 */
async function* targetsOf(scene: Scene): AsyncGenerator<AssignmentKey> {
  const places = await placesConnectedFirst(scene);
  for (const [collection, targetType] of [
    ['telephoneNumbers', 'PHONE_NUMBER'],
    ['users', 'USER'],
  ] as const) {
    const byAccount = Map.groupBy(await scene.list(collection), ({ account }) => account);
    for (const { account, experience } of places)
      for (const { alias } of byAccount.get(account) ?? []) yield { experience, targetType, target: alias };
  }
  for (const { account, experience } of places) yield { experience, targetType: 'ACCOUNT', target: account };
}

const assignmentKey = ({ experience, targetType, target }: AssignmentKey): string => JSON.stringify([experience, targetType, target]);
