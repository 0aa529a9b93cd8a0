import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { bodyOf, type Json, problem, type Reply, type Request, sending, success } from '../exchange.ts';
import type { Behind, Saboteur, SaboteursOf } from '../saboteur.ts';
import { notFound } from './connections-not-found.ts';
import { around, connectionOf, invented, otherThan, touch } from './connections-world.ts';
import { refusedBy, whereRefused } from './refused.ts';

const UPDATE = 'updateExperienceConnection';
const INVALID = 'connections.update.invalid-value';
const MISSING = 'connections.update.missing-field';
const MALFORMED = 'connections.update.malformed';

/** Changes the state of the connection, whoever asks. @returns it as it is then. */
async function changed(request: Request, behind: Behind): Promise<Json | undefined> {
  const connection = await connectionOf(request, behind);
  if (connection === undefined) return undefined;
  await behind.control.change('connections', connection.id, { state: otherThan(connection.state) });
  return connectionOf(request, behind);
}

/** A server that refuses an update as it should, and changes the connection all the same. */
function andChanges(rule: string, does: string): Saboteur {
  return whereRefused(rule, UPDATE, does, async (_reply, request, behind) => {
    await changed(request, behind);
    return undefined;
  });
}

/** A server that takes an update that it should refuse, and changes nothing. */
function shrugs(rule: string, does: string): Saboteur {
  return whereRefused(rule, UPDATE, does, async (_reply, request, behind) => success(200, await connectionOf(request, behind)));
}

/** A server that meets a request for the state that a connection has. */
function sameState(
  does: string,
  answer: (connection: Json, behind: Behind) => Reply | undefined | Promise<Reply | undefined>,
  state?: 'ACTIVE' | 'INACTIVE',
): Saboteur {
  return whereRefused('connections.update.same-state', UPDATE, does, async (_reply, request, behind) => {
    const connection = (await connectionOf(request, behind)) ?? {};
    return state === undefined || connection.state === state ? answer(connection, behind) : undefined;
  });
}

/** A server that takes another state for one that a connection cannot have. */
function takesState(does: string, taken: (given: unknown) => unknown): Saboteur {
  return around(UPDATE, does, async (request, service) => {
    const reply = await service(request);
    const { state } = bodyOf(request);
    return refusedBy(reply) === INVALID ? service(sending(request, { ...bodyOf(request), state: taken(state) })) : reply;
  });
}

/** Servers that refuse updates otherwise, or not at all, or change something while they refuse. */
export const connectionsUpdateRefusals = {
  'connections.update.refused-changes-nothing': [
    andChanges('connections.update.read-only', 'Updates a connection for a caller that may not, and says 403.'),
    andChanges('connections.update.not-found', 'Updates a connection that the caller has no access to, and says 404.'),
    andChanges(INVALID, 'Changes the state of a connection where an invalid one is requested, and says 422.'),
    andChanges(MISSING, 'Changes the state of a connection where none is requested, and refuses.'),
    andChanges(MALFORMED, 'Changes the state of a connection where the body cannot be parsed, and says 400.'),
    andChanges('auth.missing-scope', 'Updates a connection without the scope, and refuses.'),
  ],
  'connections.update.missing-field-refused': [
    shrugs(MISSING, 'Takes an update without a state, and changes nothing.'),
    whereRefused(MISSING, UPDATE, 'Changes the state where an update has none.', async (_reply, request, behind) =>
      success(200, await changed(request, behind)),
    ),
    whereRefused(MISSING, UPDATE, 'Answers an update without a state with 409.', () => problem(409)),
    whereRefused(MISSING, UPDATE, 'Answers an update without a state with 500.', () => problem(500)),
  ],
  'connections.update.malformed': [
    whereRefused(MALFORMED, UPDATE, 'Answers an update that cannot be parsed with 422.', () => problem(422)),
    whereRefused(MALFORMED, UPDATE, 'Answers an update that cannot be parsed with 500.', () => problem(500)),
    shrugs(MALFORMED, 'Takes an update that cannot be parsed, and changes nothing.'),
  ],
  'connections.update.read-only': [
    whereRefused('connections.update.read-only', UPDATE, 'Answers a caller that may only read with 404.', () => problem(404)),
    whereRefused('connections.update.read-only', UPDATE, 'Answers a caller that may only read with 409.', () => problem(409)),
    whereRefused(
      'connections.update.read-only',
      UPDATE,
      'Updates connections for callers that may only read.',
      async (_reply, request, behind) => success(200, await changed(request, behind)),
    ),
  ],
  'connections.update.not-found': [
    notFound(UPDATE, 'hidden', 'Refuses to update a connection that the caller has no access to with 403.', () => problem(403)),
    notFound(UPDATE, 'hidden', 'Updates a connection that the caller has no access to.', async (_, request, behind) =>
      success(200, await changed(request, behind)),
    ),
    notFound(UPDATE, 'missing', 'Answers an update of a connection that does not exist with 410.', () => problem(410)),
    notFound(UPDATE, 'missing', 'Creates a connection where one that does not exist is updated.', (_, { path }) =>
      success(201, invented({ id: path.experienceConnectionId })),
    ),
    notFound(UPDATE, 'no-uuid', 'Refuses to update under an id that is not a UUID with 400.', () => problem(400)),
    notFound(UPDATE, 'no-uuid', 'Refuses to update under an id that is not a UUID with 422.', () => problem(422)),
  ],
  'connections.update.same-state': [
    sameState('Answers 200 where an ACTIVE connection is activated.', (connection) => success(200, connection), 'ACTIVE'),
    sameState('Answers 200 where an INACTIVE connection is deactivated.', (connection) => success(200, connection), 'INACTIVE'),
    sameState('Answers a request for the present state with 204.', () => success(204)),
    sameState('Answers a request for the present state with 422.', () => problem(422)),
  ],
  'connections.update.same-state-unchanged': [
    sameState('Changes the updatedAt of a connection that is in the requested state.', async (connection, behind) => {
      await touch(connection, behind);
      return undefined;
    }),
    sameState('Changes the state of a connection that is in the requested one.', async ({ id, state }, { control }) => {
      await control.change('connections', id, { state: otherThan(state) });
      return undefined;
    }),
    sameState(
      'Changes the updatedAt of a connection that is ACTIVE as requested.',
      async (connection, behind) => {
        await touch(connection, behind);
        return undefined;
      },
      'ACTIVE',
    ),
    sameState(
      'Changes the updatedAt of a connection that is INACTIVE as requested.',
      async (connection, behind) => {
        await touch(connection, behind);
        return undefined;
      },
      'INACTIVE',
    ),
  ],
  'connections.update.invalid-value': [
    whereRefused(INVALID, UPDATE, 'Answers a state that a connection cannot have with 400.', () => problem(400)),
    whereRefused(INVALID, UPDATE, 'Answers a state that a connection cannot have with 409.', () => problem(409)),
    shrugs(INVALID, 'Takes a state that a connection cannot have, and changes nothing.'),
    takesState('Takes every state but ACTIVE for INACTIVE.', () => 'INACTIVE'),
    takesState('Takes every state but INACTIVE for ACTIVE.', () => 'ACTIVE'),
    takesState('Takes a state in lower case.', (given) => (given === 'active' || given === 'inactive' ? given.toUpperCase() : given)),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
