import type { EventType } from '../../contract/generated/events.ts';
import type { EntityOf } from '../../world/world.ts';
import type { AccountExperiencePair, Entity } from './choose-experience.ts';
import { refuse, type WorldEditor } from './world-editor.ts';

type State = 'ACTIVE' | 'INACTIVE';
type Connection = Entity<'connections'>;
type Assignment = Entity<'assignments'>;
type AssignmentKey = Pick<EntityOf<'assignments'>, 'experience' | 'targetType' | 'target'>;

/** Maps an event type to a function that causes the event and returns the changed entity's id. */
export const EVENT_TRIGGERS: Readonly<Record<EventType, (editor: WorldEditor) => Promise<string>>> = {
  'experience.connection.created': createConnection,
  'experience.connection.activated': (editor) => changeConnectionState(editor, 'ACTIVE'),
  'experience.connection.deactivated': (editor) => changeConnectionState(editor, 'INACTIVE'),
  'experience.connection.deleted': deleteConnection,
  'experience.assignment.created': createAssignment,
  'experience.assignment.deleted': deleteAssignment,
  'provisioning.user.created': async (editor) => (await createUser(editor)).id,
  'provisioning.user.deleted': deleteUser,
};

/** If all possible connections exist, removes one first. */
async function createConnection(editor: WorldEditor): Promise<string> {
  const created = await createFirstConnection(editor, 'INACTIVE');
  if (created) return created.id;
  await removeConnection(editor, (await listConnections(editor)).at(-1) as Connection);
  return ((await createFirstConnection(editor, 'INACTIVE')) as Connection).id;
}

/** If all connections already have this state, first creates or changes one. */
async function changeConnectionState(editor: WorldEditor, targetState: State): Promise<string> {
  const from = targetState === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE';
  const existing = await listConnections(editor);
  const found = existing.find(({ state }) => state === from) ?? (await createFirstConnection(editor, from));
  const connection = found ?? (existing[0] as Connection);
  if (!found) await setState(editor, connection, from);
  await setState(editor, connection, targetState);
  return connection.id;
}

async function deleteConnection(editor: WorldEditor): Promise<string> {
  const connection = (await createFirstConnection(editor, 'INACTIVE')) ?? ((await listConnections(editor))[0] as Connection);
  await removeConnection(editor, connection);
  return connection.id;
}

async function createAssignment(editor: WorldEditor): Promise<string> {
  const { created } = await createFirstAssignment(editor);
  if (created) return created.id;
  throw refuse('All possible targets are already assigned. Remove an assignment with: xpk trigger experience.assignment.deleted');
}

async function deleteAssignment(editor: WorldEditor): Promise<string> {
  const { created, existing } = await createFirstAssignment(editor);
  const assignment = created ?? existing;
  if (!assignment) throw refuse('There is no assignment, and no target for a new assignment.');
  const { id, experience, targetType, target } = assignment;
  await editor.deleteEntity('assignments', id, `Removed the assignment of ${experience} to the ${targetType} ${target}.`);
  return id;
}

async function createUser(editor: WorldEditor): Promise<Entity<'users'>> {
  const account = await findAccountWithUserEvents(editor);
  return editor.createEntity('users', { account }, `Created a user in ${account}.`);
}

async function deleteUser(editor: WorldEditor): Promise<string> {
  const { id, account } = await createUser(editor);
  await editor.deleteEntity('users', id, `Deleted the user ${id} of ${account}.`);
  return id;
}

/** Returns an account in which a change to a user publishes an event. */
async function findAccountWithUserEvents(editor: WorldEditor): Promise<string> {
  if (editor.decisions['provisioning.assigned-means'] === 'connection') {
    const connection = (await listConnections(editor))[0] ?? (await createFirstConnection(editor, 'INACTIVE'));
    return (connection as Connection).account;
  }
  const assignments = (await editor.list('assignments')).filter(({ targetType }) => targetType === 'ACCOUNT');
  const isAssigned = (pair: AccountExperiencePair) =>
    assignments.some(({ experience, target }) => experience === pair.experience && target === pair.account);
  const assigned = editor.pairs.find(isAssigned);
  if (assigned) return assigned.account;
  const { account, experience } = (await listPairsConnectedFirst(editor))[0] as AccountExperiencePair;
  const sentence = `Assigned ${experience} to the ACCOUNT ${account}, because users have events only if their account has an assignment.`;
  await editor.createEntity('assignments', { experience, targetType: 'ACCOUNT', target: account }, sentence);
  return account;
}

async function createFirstConnection(editor: WorldEditor, state: State): Promise<Connection | undefined> {
  const taken = new Set((await editor.list('connections')).map(getPairKey));
  const free = editor.pairs.find((pair) => !taken.has(getPairKey(pair)));
  return free && editor.createEntity('connections', { ...free, state }, `Connected ${free.account} to ${free.experience}, ${state}.`);
}

async function listConnections({ list, pairs }: WorldEditor): Promise<Connection[]> {
  const byPair = new Map((await list('connections')).map((connection) => [getPairKey(connection), connection]));
  return pairs.map((pair) => byPair.get(getPairKey(pair))).filter((connection) => connection !== undefined);
}

function setState(editor: WorldEditor, { id, account, experience }: Connection, state: State): Promise<Connection> {
  return editor.changeEntity('connections', id, { state }, `The connection of ${account} to ${experience} is now ${state}.`);
}

function removeConnection(editor: WorldEditor, { id, account, experience }: Connection): Promise<void> {
  return editor.deleteEntity('connections', id, `Removed the connection of ${account} to ${experience}.`);
}

const getPairKey = ({ account, experience }: AccountExperiencePair): string => JSON.stringify([account, experience]);

/** Lists connected accounts and Experiences first, because assignments.create.needs-connection can require a connection. */
async function listPairsConnectedFirst(editor: WorldEditor): Promise<AccountExperiencePair[]> {
  const pairs = [...(await listConnections(editor)), ...editor.pairs];
  return [...new Map(pairs.map((pair) => [getPairKey(pair), pair])).values()];
}

/** If none can be created, returns the first existing one. */
async function createFirstAssignment(editor: WorldEditor): Promise<{ created?: Assignment; existing?: Assignment | undefined }> {
  const assignments = await editor.list('assignments');
  const byKey = new Map(assignments.map((assignment) => [getAssignmentKey(assignment), assignment]));
  const agents = new Set((await editor.list('experiences')).filter(({ type }) => type === 'AGENT').map(({ alias }) => alias));
  // A telephone number can be assigned to only one Experience of type AGENT.
  const taken = new Set(assignments.filter(({ experience }) => agents.has(experience)).map(({ target }) => target));
  let existing: Assignment | undefined;
  for await (const candidate of listPossibleAssignments(editor)) {
    const { experience, targetType, target } = candidate;
    const same = byKey.get(getAssignmentKey(candidate));
    existing ??= same;
    if (same || (targetType === 'PHONE_NUMBER' && agents.has(experience) && taken.has(target))) continue;
    return { created: await editor.createEntity('assignments', candidate, `Assigned ${experience} to the ${targetType} ${target}.`) };
  }
  return { existing };
}

/**
 * Yields possible assignments to telephone numbers, then to users. Assignments to accounts come last, because they change who receives
 * user events.
 */
async function* listPossibleAssignments(editor: WorldEditor): AsyncGenerator<AssignmentKey> {
  const pairs = await listPairsConnectedFirst(editor);
  for (const [collection, targetType] of [
    ['telephoneNumbers', 'PHONE_NUMBER'],
    ['users', 'USER'],
  ] as const) {
    const byAccount = Map.groupBy(await editor.list(collection), ({ account }) => account);
    for (const { account, experience } of pairs)
      for (const { alias } of byAccount.get(account) ?? []) yield { experience, targetType, target: alias };
  }
  for (const { account, experience } of pairs) yield { experience, targetType: 'ACCOUNT', target: account };
}

const getAssignmentKey = ({ experience, targetType, target }: AssignmentKey): string => JSON.stringify([experience, targetType, target]);
