import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import {
  bodyOf,
  isSuccess,
  type Json,
  problem,
  type Reply,
  type Request,
  requestOf,
  success,
  withEntities,
  withHeaders,
} from '../exchange.ts';
import { type Behind, reddening, remembering, type Saboteur, type SaboteursOf, type Service } from '../saboteur.ts';
import { notFound } from './connections-not-found.ts';
import { around, assignmentsListed, connectionOf, otherThan, touch } from './connections-world.ts';
import { refusedBy, whereRefused } from './refused.ts';

const DELETE = 'deleteExperienceConnection';
const NUMBERS = 'connections.delete.numbers-assigned';

/** Deletes the connection, whoever asks. */
async function deleted({ path }: Request, { control }: Behind): Promise<Reply> {
  await control.remove('connections', path.experienceConnectionId ?? '');
  return success(204);
}

/** The assignments that the caller sees of the connection's account to its Experience. */
function assigned(connection: Json, targetType: string, request: Request, service: Service, behind: Behind): Promise<Json[]> {
  const { accountId, experienceId } = connection;
  return assignmentsListed(request, service, behind, { accountId, experienceId, targetType });
}

/** Whether the service would delete the connection: then it answers a request for the present state with 409, which changes nothing. */
async function wouldGo(connection: Json, request: Request, service: Service, behind: Behind): Promise<boolean> {
  const { headers } = withHeaders(request, { 'content-type': 'application/json' });
  const probe = await service(requestOf('PUT', request.url, headers, JSON.stringify({ state: connection.state })));
  return probe.status === 409 && (await assigned(connection, 'PHONE_NUMBER', request, service, behind)).length === 0;
}

/** A server that refuses to delete what the service would delete. */
function keeps(
  does: string,
  where: (connection: Json, request: Request, service: Service, behind: Behind) => boolean | Promise<boolean>,
): Saboteur {
  return around(DELETE, does, async (request, service, behind) => {
    const connection = await connectionOf(request, behind);
    if (connection === undefined || !(await wouldGo(connection, request, service, behind))) return service(request);
    return (await where(connection, request, service, behind)) ? problem(409) : service(request);
  });
}

/** A saboteur that knows what was deleted through it, as it was then. */
function afterwards(does: string, change: (reply: Reply, request: Request, gone: ReadonlyMap<string, Json>) => Reply): Saboteur {
  return remembering(does, () => {
    const gone = new Map<string, Json>();
    return async (request, service, behind) => {
      const connection = request.operation === DELETE ? await connectionOf(request, behind) : undefined;
      const reply = await service(request);
      if (connection === undefined || !isSuccess(reply)) return change(reply, request, gone);
      gone.set(connection.id, connection);
      return reply;
    };
  });
}

/** A server that refuses to delete as it should, and changes the connection all the same. */
function refusesAnd(does: string, act: (connection: Json, behind: Behind) => Promise<unknown>): Saboteur {
  return whereRefused(NUMBERS, DELETE, does, async (_reply, request, behind) => {
    await act((await connectionOf(request, behind)) ?? {}, behind);
    return undefined;
  });
}

/** A server that deletes in spite of numbers, in some state. */
function deletesWithNumbers(does: string, state?: 'ACTIVE' | 'INACTIVE'): Saboteur {
  return whereRefused(NUMBERS, DELETE, does, async (_reply, request, behind) =>
    state === undefined || (await connectionOf(request, behind))?.state === state ? deleted(request, behind) : undefined,
  );
}

/** A connection that was asked for by its id, and is gone. */
const missed = (reply: Reply, { path }: Request, gone: ReadonlyMap<string, Json>) =>
  refusedBy(reply)?.endsWith('.not-found') ? gone.get(path.experienceConnectionId ?? '') : undefined;

/** Servers that delete connections otherwise. */
export const connectionsDelete = {
  'connections.delete.read-only': [
    whereRefused('connections.delete.read-only', DELETE, 'Answers a caller that may only read with 404.', () => problem(404)),
    whereRefused('connections.delete.read-only', DELETE, 'Answers a caller that may only read with 409.', () => problem(409)),
    whereRefused('connections.delete.read-only', DELETE, 'Deletes connections for callers that may only read.', (_reply, request, behind) =>
      deleted(request, behind),
    ),
  ],
  'connections.delete.not-found': [
    notFound(DELETE, 'hidden', 'Refuses to delete a connection that the caller has no access to with 403.', () => problem(403)),
    notFound(DELETE, 'hidden', 'Deletes a connection that the caller has no access to.', (_, request, behind) => deleted(request, behind)),
    notFound(DELETE, 'missing', 'Answers 204 where there is no connection to delete.', () => success(204)),
    notFound(DELETE, 'no-uuid', 'Refuses to delete under an id that is not a UUID with 400.', () => problem(400)),
    notFound(DELETE, 'no-uuid', 'Answers 204 where the id is not a UUID.', () => success(204)),
    afterwards('Answers a second deletion as the first.', (reply, request, gone) =>
      request.operation === DELETE && missed(reply, request, gone) ? success(204) : reply,
    ),
    afterwards('Answers a second deletion with 410.', (reply, request, gone) =>
      request.operation === DELETE && missed(reply, request, gone) ? problem(410) : reply,
    ),
  ],
  'connections.delete.numbers-assigned': [
    deletesWithNumbers('Deletes connections whose Experience has numbers assigned.'),
    deletesWithNumbers('Deletes ACTIVE connections whose Experience has numbers assigned.', 'ACTIVE'),
    deletesWithNumbers('Deletes INACTIVE connections whose Experience has numbers assigned.', 'INACTIVE'),
    whereRefused(NUMBERS, DELETE, 'Answers 422 where numbers are still assigned.', () => problem(422)),
  ],
  'connections.delete.refused-changes-nothing': [
    refusesAnd('Changes the state of a connection that it refuses to delete.', ({ id, state }, { control }) =>
      control.change('connections', id, { state: otherThan(state) }),
    ),
    refusesAnd('Changes the updatedAt of a connection that it refuses to delete.', touch),
    refusesAnd('Deletes a connection and says that it does not.', ({ id }, { control }) => control.remove('connections', id)),
  ],
  'connections.delete.deleted': [
    keeps('Refuses to delete a connection that is ACTIVE.', ({ state }) => state === 'ACTIVE'),
    reddening(
      30,
      'Whatever deletes a connection of no special state deletes one that is INACTIVE.',
      keeps('Refuses to delete a connection that is INACTIVE.', ({ state }) => state === 'INACTIVE'),
    ),
    keeps('Refuses to delete while numbers of the account are assigned to another Experience.', async ({ accountId }, ...rest) => {
      const [request, service, behind] = rest;
      const numbers = await assignmentsListed(request, service, behind, { accountId, targetType: 'PHONE_NUMBER' });
      return numbers.length > 0;
    }),
    remembering('Refuses to delete for ever once it refused for numbers that were assigned.', () => {
      const refused = new Map<string, Reply>();
      return async (request, service) => {
        if (request.operation !== DELETE) return service(request);
        const { experienceConnectionId = '' } = request.path;
        const reply = refused.get(experienceConnectionId) ?? (await service(request));
        if (refusedBy(reply) === NUMBERS) refused.set(experienceConnectionId, reply);
        return reply;
      };
    }),
  ],
  'connections.delete.only-numbers-block': [
    keeps('Refuses to delete while the account itself is assigned.', async (connection, ...rest) => {
      const assignments = await assigned(connection, 'ACCOUNT', ...rest);
      return assignments.length > 0;
    }),
    keeps('Refuses to delete while users of the account are assigned.', async (connection, ...rest) => {
      const assignments = await assigned(connection, 'USER', ...rest);
      return assignments.length > 0;
    }),
  ],
  'connections.delete.gone': [
    afterwards('Goes on showing a connection that was deleted.', (reply, request, gone) => {
      const connection = request.operation === 'getExperienceConnection' ? missed(reply, request, gone) : undefined;
      return connection === undefined ? reply : success(200, connection);
    }),
    afterwards('Shows a connection that was deleted as INACTIVE.', (reply, request, gone) => {
      const connection = request.operation === 'getExperienceConnection' ? missed(reply, request, gone) : undefined;
      return connection === undefined ? reply : success(200, { ...connection, state: 'INACTIVE' });
    }),
    afterwards('Goes on listing a connection that was deleted.', (reply, { operation, query }, gone) => {
      if (operation !== 'getExperienceConnections' || !isSuccess(reply) || bodyOf(reply).cursor !== null) return reply;
      const kept = [...gone.values()].filter(
        ({ accountId, experienceId }) => accountId === query.accountId && [undefined, experienceId].includes(query.experienceId),
      );
      return withEntities(reply, (connections) => [...connections, ...kept]);
    }),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
