import { connectedFirst } from './assignments.ts';
import { connect, connectionsAt } from './connections.ts';
import type { Named, Place, Scene } from './scene.ts';

/** A user in an account whose users are announced. @returns its id */
export async function userCreated(scene: Scene): Promise<string> {
  return (await create(scene)).id;
}

/** A user that is gone: one made for it. @returns the id that it had */
export async function userDeleted(scene: Scene): Promise<string> {
  const { id, account } = await create(scene);
  await scene.remove('users', id, `Deleted the user ${id} of ${account}.`);
  return id;
}

async function create(scene: Scene): Promise<Named<'users'>> {
  const account = await announcedAccount(scene);
  return scene.create('users', { account }, `Created a user in ${account}.`);
}

/** An account that is assigned to an Experience, in the sense that provisioning events have (decision `provisioning.assigned-means`). */
async function announcedAccount(scene: Scene): Promise<string> {
  if (scene.decisions['provisioning.assigned-means'] === 'connection') {
    const connection = (await connectionsAt(scene))[0] ?? (await connect(scene, 'INACTIVE'));
    return connection!.account;
  }
  const whole = (await scene.list('assignments')).filter(({ targetType }) => targetType === 'ACCOUNT');
  const isAssigned = (place: Place) => whole.some(({ experience, target }) => experience === place.experience && target === place.account);
  const assigned = scene.places.find(isAssigned);
  if (assigned) return assigned.account;
  const { account, experience } = (await connectedFirst(scene))[0]!;
  const told = `Assigned ${experience} to the ACCOUNT ${account}, since users are announced only of accounts that are assigned.`;
  await scene.create('assignments', { experience, targetType: 'ACCOUNT', target: account }, told);
  return account;
}
