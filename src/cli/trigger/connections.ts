import type { Named, Place, Scene } from './scene.ts';

type State = 'ACTIVE' | 'INACTIVE';
type Connection = Named<'connections'>;

/** Connects an account to an Experience. If all are connected, deletes a connection first and creates it again. @returns the id of the connection */
export async function connectionCreated(scene: Scene): Promise<string> {
  const connection = await connect(scene, 'INACTIVE');
  if (connection) return connection.id;
  await remove(scene, (await connectionsAt(scene)).at(-1)!);
  return (await connect(scene, 'INACTIVE'))!.id;
}

/** A connection that was in the other state before. @returns its id */
export async function connectionSwitched(scene: Scene, to: State): Promise<string> {
  const from = to === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE';
  const there = await connectionsAt(scene);
  let connection = there.find(({ state }) => state === from) ?? (await connect(scene, from));
  if (!connection) {
    connection = there[0]!;
    await put(scene, connection, from);
  }
  await put(scene, connection, to);
  return connection.id;
}

/** Creates a connection and deletes it. If all accounts are connected, deletes a connection of the world. @returns the id of the deleted connection */
export async function connectionDeleted(scene: Scene): Promise<string> {
  const connection = (await connect(scene, 'INACTIVE')) ?? (await connectionsAt(scene))[0]!;
  await remove(scene, connection);
  return connection.id;
}

function remove(scene: Scene, { id, account, experience }: Connection): Promise<void> {
  return scene.remove('connections', id, `Removed the connection of ${account} to ${experience}.`);
}

/** Connects the first place that is not yet; undefined where all are. */
export async function connect(scene: Scene, state: State): Promise<Connection | undefined> {
  const taken = new Set((await scene.list('connections')).map(keyOf));
  const free = scene.places.find((place) => !taken.has(keyOf(place)));
  return free && scene.create('connections', { ...free, state }, `Connected ${free.account} to ${free.experience}, ${state}.`);
}

/** The connections of the places, in their order. */
export async function connectionsAt({ list, places }: Scene): Promise<Connection[]> {
  const known = new Map((await list('connections')).map((connection) => [keyOf(connection), connection]));
  return places.map((place) => known.get(keyOf(place))).filter((connection) => connection !== undefined);
}

function put(scene: Scene, { id, account, experience }: Connection, state: State): Promise<void> {
  return scene.change('connections', id, { state }, `Made the connection of ${account} to ${experience} ${state}.`);
}

function keyOf({ account, experience }: Place): string {
  return JSON.stringify([account, experience]);
}
