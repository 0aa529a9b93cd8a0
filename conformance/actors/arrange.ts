import { isSameId } from '../../src/expect/same-id.ts';
import { type ConnectionKey, isConnection } from '../expect/connection.ts';
import { matchAssignmentEvent, matchConnectionEvent } from '../expect/event.ts';
import type { Query } from './api-client.ts';
import { type Connections, type State, toggleState } from './connections.ts';
import type { Inbox } from './inbox.ts';
import type { Entity, ListOperation } from './lists.ts';
import type { SampleSources } from './sample-calls.ts';

/** Creates a connection, changes its state once, and waits for both events. */
export async function createDeliveredConnection(inbox: Inbox, connections: Connections, state: State = 'ACTIVE'): Promise<ConnectionKey> {
  const key = await connections.createOrThrow({ state: toggleState(state) });
  // This change makes updatedAt newer, so that collectNewEvents ignores a creation event that arrives late.
  await connections.setState(key, state);
  // Wait for both events, because a clock that counts whole seconds gives them the same updatedAt.
  await inbox.waitForEvent(matchConnectionEvent('created', key.id));
  await inbox.waitForEvent(matchConnectionEvent(state === 'ACTIVE' ? 'activated' : 'deactivated', key.id));
  return key;
}

/**
 * Connects an Experience to the account and also assigns it, because the specification does not define when an account is "assigned".
 * @throws Error if the target refuses a step
 */
export async function assignAccount(connections: Connections, inbox: Inbox, accountId: string): Promise<ConnectionKey> {
  const key = await connections.createOrThrow({ accountId, state: 'ACTIVE' });
  await connections.assign(key, 'ACCOUNT', accountId);
  // The Experience id identifies the event, because this Experience has no other assignment.
  await inbox.waitForEvent(matchAssignmentEvent('created', key.experienceId));
  return key;
}

export interface ArrangedList {
  readonly query: Query;
  /** Functions that recognize the entities that the check created, in the order of creation. */
  readonly created: readonly ((entity: Entity) => boolean)[];
}

const createThree = async <T>(create: () => Promise<T>): Promise<T[]> => [await create(), await create(), await create()];

export const LISTS_OF_NEW_ENTITIES: readonly (readonly [ListOperation, arrange: (sources: SampleSources) => Promise<ArrangedList>])[] = [
  [
    'getExperienceAssignments',
    async ({ need, assignments }) => {
      const created = await createThree(() => assignments.createOrThrow());
      const query = { accountId: await need('account'), experienceId: await need('experience') };
      return {
        query,
        created: created.map(
          ({ id }) =>
            (entity) =>
              isSameId(entity.id, id),
        ),
      };
    },
  ],
  [
    'getExperienceConnections',
    async ({ need, connections }) => {
      const created = await createThree(() => connections.createOrThrow());
      const query = { accountId: await need('account.second') };
      return { query, created: created.map((key) => (entity) => isConnection(entity, key)) };
    },
  ],
];
