import type { EventType } from '../../src/contract/generated/events.ts';
import type { ConnectionKey } from '../expect/connection.ts';
import { requireSuccess } from '../expect/response.ts';
import type { Change } from './change-events.ts';
import { otherState, type State } from './connections.ts';
import { inParallel } from './in-parallel.ts';
import type { Inbox } from './inbox.ts';
import type { Participants } from './participants.ts';

export type ConnectionChange = Change & { readonly connection: ConnectionKey };
type Changes = AsyncGenerator<ConnectionChange>;

/** Somebody who changes connections. */
interface Changer {
  create(): Promise<ConnectionKey>;
  stateOf(key: ConnectionKey): string | Promise<string>;
  setState(key: ConnectionKey, state: State): Promise<unknown>;
  remove(key: ConnectionKey): Promise<unknown>;
}

/**
 * Creates a connection, changes its state to both values, and deletes it: through the API, then in a portal and on the platform if the target allows it.
 * @param times how often the state changes to each value through the API
 */
export async function* connectionChanges(participants: Participants, times = 1): Changes {
  const inbox = await participants.events.subscribed();
  yield* changesBy(throughApi(participants), inbox, times);
  yield* inParallel(...connectionChangesElsewhere(participants, inbox));
}

/** The changes that are not made through the API, and the deletion of an account with its connection. */
export function connectionChangesElsewhere(participants: Participants, inbox: Inbox): readonly Changes[] {
  const places = (['portal.connections', 'platform.connections'] as const).filter(participants.has);
  const rows = places.map((place) => changesAt(place, participants, inbox));
  return participants.has('platform.accounts') ? [...rows, changesByAccountDeletion(participants, inbox)] : rows;
}

/** Connects and disconnects the same pair twice: these are two connections. */
export async function* changesToOnePair(participants: Participants): Changes {
  const { connections, events } = participants;
  const [inbox, pair] = [await events.subscribed(), await connections.pair()];
  const changer: Changer = {
    ...throughApi(participants),
    create: async () => connections.createdBy(requireSuccess('a connection', await connections.create(pair)), pair),
    remove: connections.deleteConnection,
  };
  yield* changesBy(changer, inbox);
  yield* changesBy(changer, inbox);
}

async function* changesBy(changer: Changer, inbox: Inbox, times = 1): Changes {
  const connection = await changer.create();
  const change = changeOf(inbox, connection, connection.experienceId);
  yield change('experience.connection.created');
  const first = otherState(await changer.stateOf(connection));
  for (const state of Array.from({ length: times }, () => [first, otherState(first)]).flat()) {
    await changer.setState(connection, state);
    yield change(state === 'ACTIVE' ? 'experience.connection.activated' : 'experience.connection.deactivated');
  }
  await changer.remove(connection);
  yield change('experience.connection.deleted');
}

function throughApi({ connections }: Participants): Changer {
  return {
    create: connections.make,
    stateOf: connections.stateOf,
    setState: connections.setState,
    remove: async (key) => requireSuccess('a connection that is deleted', await connections.remove(key)),
  };
}

async function* changesAt(
  place: 'portal.connections' | 'platform.connections',
  { operator, connections }: Participants,
  inbox: Inbox,
): Changes {
  const actions = await operator(place);
  const changer: Changer = {
    async create() {
      const pair = await connections.pair();
      return { id: await actions.create(pair, 'INACTIVE'), ...pair };
    },
    stateOf: () => 'INACTIVE',
    setState: ({ id }, state) => actions.update(id, state),
    remove: ({ id }) => actions.remove(id),
  };
  yield* changesBy(changer, inbox);
}

async function* changesByAccountDeletion({ operator, connections }: Participants, inbox: Inbox): Changes {
  const accounts = await operator('platform.accounts');
  const accountId = await accounts.create();
  const change = changeOf(inbox, await connections.make({ accountId }), accountId);
  yield change('experience.connection.created');
  await accounts.remove(accountId);
  yield change('experience.connection.deleted');
}

/** @param otherId identifies the connection as well: no other connection of the check has it */
function changeOf(inbox: Inbox, connection: ConnectionKey, otherId: string): (type: EventType) => ConnectionChange {
  const { id, experienceId } = connection;
  return (type) => ({ inbox, type, connection, experienceId, ids: [id, otherId] });
}
