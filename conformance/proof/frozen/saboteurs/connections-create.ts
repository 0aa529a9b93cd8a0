import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { answering, bodyOf, isSuccess, type Json, problem, type Reply, type Request, withEntities } from '../exchange.ts';
import { type Behind, reddening, remembering, type Saboteur, type SaboteursOf, type Service, saboteur } from '../saboteur.ts';
import { around, connectionShown, listed, listedOfAll } from './connections-world.ts';

const CREATE = 'createExperienceConnection';
const LIST = 'getExperienceConnections';
const GET = 'getExperienceConnection';

/** A server that refuses creations which the service accepts. @param where gets the new connection. */
function refuses(
  status: number,
  does: string,
  where: (created: Json, request: Request, service: Service, behind: Behind) => boolean | Promise<boolean>,
): Saboteur {
  return around(CREATE, does, async (request, service, behind) => {
    const reply = await service(request);
    if (!isSuccess(reply) || !(await where(bodyOf(reply), request, service, behind))) return reply;
    await behind.control.remove('connections', bodyOf(reply).id);
    return problem(status);
  });
}

/** A saboteur of connections that were created through it and not updated since. */
function untilUpdated(does: string, change: (reply: Reply, request: Request, isNew: (id: unknown) => boolean) => Reply): Saboteur {
  return remembering(does, () => {
    const created = new Set<unknown>();
    return async (request, service) => {
      const reply = await service(request);
      if (request.operation === CREATE && isSuccess(reply)) created.add(bodyOf(reply).id);
      if (request.operation === 'updateExperienceConnection' && isSuccess(reply)) created.delete(request.path.experienceConnectionId);
      return isSuccess(reply) ? change(reply, request, (id) => created.has(id)) : reply;
    };
  });
}

/** A server that shows new connections in another state, where they are read or where they are listed. */
function newOnesAre(state: unknown, does: string, operation: typeof GET | typeof LIST): Saboteur {
  return untilUpdated(does, (reply, request, isNew) => {
    const shown = (connection: Json): Json => (isNew(connection.id) ? { ...connection, state } : connection);
    if (request.operation !== operation) return reply;
    return operation === LIST ? withEntities(reply, (connections) => connections.map(shown)) : answering(reply, shown(bodyOf(reply)));
  });
}

/** A server that refuses to connect again what was connected once. */
function refusesAgain(status: number, does: string): Saboteur {
  return remembering(does, () => {
    const pairs = new Set<string>();
    const pairOf = ({ accountId, experienceId }: Json) => `${accountId} ${experienceId}`.toLowerCase();
    return async (request, service, behind) => {
      const { operation, path } = request;
      const known =
        operation === 'deleteExperienceConnection' ? await connectionShown(path.experienceConnectionId ?? '', behind) : undefined;
      const reply = await service(request);
      if (!isSuccess(reply)) return reply;
      if (known !== undefined) pairs.add(pairOf(known));
      if (operation !== CREATE || !pairs.has(pairOf(bodyOf(reply)))) return reply;
      await behind.control.remove('connections', bodyOf(reply).id);
      return problem(status);
    };
  });
}

const MEETS_NEW = 'Whatever works on a connection of its own reads or lists one that was only just made.';

/** Servers that create no connections, or other ones. */
export const connectionsCreate = {
  'connections.create.success': [
    reddening(
      50,
      'Whatever shows that a creation is refused for one fault shows that it is granted without it.',
      refuses(403, 'Refuses every creation with 403.', () => true),
    ),
    refuses(409, 'Connects an account to one Experience only.', async ({ accountId }, request, service) => {
      const connections = await listed(request, service, { accountId });
      return connections.length > 1;
    }),
    refuses(409, 'Connects an Experience to one account only.', async ({ experienceId }, request, service, behind) => {
      const connections = await listedOfAll(request, service, behind);
      return connections.filter((connection) => connection.experienceId === experienceId).length > 1;
    }),
  ],
  'connections.create.listed': [
    reddening(
      40,
      MEETS_NEW,
      untilUpdated('Lists a connection once it was updated.', (reply, { operation }, isNew) =>
        operation === LIST ? withEntities(reply, (connections) => connections.filter(({ id }) => !isNew(id))) : reply,
      ),
    ),
    reddening(
      20,
      MEETS_NEW,
      untilUpdated('Finds a connection once it was updated.', (reply, { operation }, isNew) =>
        operation === GET && isNew(bodyOf(reply).id) ? problem(404) : reply,
      ),
    ),
    reddening(
      50,
      MEETS_NEW,
      saboteur('Creates nothing, and says it did.', CREATE, async (reply, _request, { control }) => {
        if (isSuccess(reply)) await control.remove('connections', bodyOf(reply).id);
        return undefined;
      }),
    ),
  ],
  'connections.create.state': [
    reddening(20, MEETS_NEW, newOnesAre('PENDING', 'Shows new connections as PENDING.', GET)),
    reddening(40, MEETS_NEW, newOnesAre('PENDING', 'Lists new connections as PENDING.', LIST)),
    reddening(20, MEETS_NEW, newOnesAre(null, 'Shows new connections in no state.', GET)),
  ],
  'connections.create.again': [
    refusesAgain(409, 'Keeps a deleted connection, and answers another one of the same two with 409.'),
    refusesAgain(422, 'Refuses to connect again what was disconnected with 422.'),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
