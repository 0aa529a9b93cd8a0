import type { EventType } from '../../src/contract/generated/events.ts';
import type { ConnectionKey } from '../expect/connections.ts';
import { granted } from '../expect/observed.ts';
import { together } from '../expect/together.ts';
import type { Change } from '../expect/told.ts';
import { become, go } from './become.ts';
import type { Parts } from './change-parts.ts';
import type { Inbox } from './inbox.ts';
import { otherState, type State } from './make-connection.ts';

export type ConnectionChange = Change & { readonly connection: ConnectionKey };
type Changes = AsyncGenerator<ConnectionChange>;

/** Who changes connections. */
interface Changer {
  make(): Promise<ConnectionKey>;
  stateOf(made: ConnectionKey): string | Promise<string>;
  become(made: ConnectionKey, state: State): Promise<unknown>;
  remove(made: ConnectionKey): Promise<unknown>;
}

/**
 * A connection is created, becomes ACTIVE and INACTIVE or the other way round, and is deleted: through the API, and then others by each of those that
 * the target gives. @param times how often it becomes either through the API
 */
export async function* connectionChanges(parts: Parts, times = 1): Changes {
  const inbox = await parts.events.subscribed();
  yield* changesBy(throughApi(parts), inbox, times);
  yield* together(...connectionsElsewhere(parts, inbox));
}

/** The same, but for what is done through the API; and that a connection goes with its account. */
export function connectionsElsewhere(parts: Parts, inbox: Inbox): readonly Changes[] {
  const places = (['portal.connections', 'platform.connections'] as const).filter(parts.has);
  const rows = places.map((who) => changesElsewhere(parts, inbox, who));
  return parts.has('platform.accounts') ? [...rows, goingWithAccount(parts, inbox)] : rows;
}

/** A pair is connected through the API, and once that connection is gone it is connected again: that is another connection. */
export async function* changesToOnePair(parts: Parts): Changes {
  const { connections } = parts;
  const [inbox, pair] = [await parts.events.subscribed(), await connections.pair()];
  const by: Changer = {
    ...throughApi(parts),
    make: async () => connections.madeBy(granted('a connection', await connections.create(pair)), pair),
    remove: (made) => go(connections, made),
  };
  for (const each of [by, by]) yield* changesBy(each, inbox);
}

async function* changesBy(by: Changer, inbox: Inbox, times = 1): Changes {
  const connection = await by.make();
  const change = changeOf(inbox, connection, connection.experienceId);
  yield change('experience.connection.created');
  const first = otherState(await by.stateOf(connection));
  for (const state of Array.from({ length: times }, () => [first, otherState(first)]).flat()) {
    await by.become(connection, state);
    yield change(state === 'ACTIVE' ? 'experience.connection.activated' : 'experience.connection.deactivated');
  }
  await by.remove(connection);
  yield change('experience.connection.deleted');
}

function throughApi({ connections }: Parts): Changer {
  return {
    make: connections.make,
    stateOf: connections.stateOf,
    become: (made, state) => become(connections, made, state),
    remove: async (made) => granted('a connection that is deleted', await connections.remove(made)),
  };
}

async function* changesElsewhere(
  { elsewhere, connections }: Parts,
  inbox: Inbox,
  who: 'portal.connections' | 'platform.connections',
): Changes {
  const others = await elsewhere(who);
  const by: Changer = {
    async make() {
      const pair = await connections.pair();
      return { id: await others.create(pair, 'INACTIVE'), ...pair };
    },
    stateOf: () => 'INACTIVE',
    become: ({ id }, state) => others.update(id, state),
    remove: ({ id }) => others.remove(id),
  };
  yield* changesBy(by, inbox);
}

async function* goingWithAccount({ elsewhere, connections }: Parts, inbox: Inbox): Changes {
  const accounts = await elsewhere('platform.accounts');
  const accountId = await accounts.create();
  const change = changeOf(inbox, await connections.make({ accountId }), accountId);
  yield change('experience.connection.created');
  await accounts.remove(accountId);
  yield change('experience.connection.deleted');
}

/** @param also what names no other connection of the check */
function changeOf(inbox: Inbox, connection: ConnectionKey, also: string): (type: EventType) => ConnectionChange {
  const { id, experienceId } = connection;
  return (type) => ({ inbox, type, connection, experienceId, ids: [id, also] });
}
