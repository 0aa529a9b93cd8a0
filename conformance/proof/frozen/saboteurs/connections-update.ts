import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { answering, bodyOf, isSuccess, type Json, problem, type Reply, withEntities } from '../exchange.ts';
import { type Behind, reddening, remembering, type Saboteur, type SaboteursOf, saboteur } from '../saboteur.ts';
import { otherThan } from './connections-world.ts';

const UPDATE = 'updateExperienceConnection';
const LIST = 'getExperienceConnections';
const GET = 'getExperienceConnection';

type State = 'ACTIVE' | 'INACTIVE';

/** A server that does otherwise where the service has just put a connection into a state. */
function puts(
  state: State,
  does: string,
  act: (id: string, control: Behind['control'], reply: Reply) => Promise<Reply | undefined>,
): Saboteur {
  return saboteur(does, UPDATE, (reply, request, { control }) =>
    isSuccess(reply) && bodyOf(request).state === state ? act(request.path.experienceConnectionId ?? '', control, reply) : undefined,
  );
}

/** A server that shows connections otherwise in one operation, once they were put into a state. */
function shows(state: State, operation: typeof LIST | typeof GET, does: string, change: (connection: Json) => Json): Saboteur {
  return remembering(does, () => {
    const put = new Set<unknown>();
    const shown = (connection: Json): Json => (put.has(connection.id) && connection.state === state ? change(connection) : connection);
    return async (request, service) => {
      const reply = await service(request);
      if (!isSuccess(reply)) return reply;
      if (request.operation === UPDATE && bodyOf(request).state === state) put.add(request.path.experienceConnectionId);
      if (request.operation !== operation) return reply;
      return operation === LIST ? withEntities(reply, (connections) => connections.map(shown)) : answering(reply, shown(bodyOf(reply)));
    };
  });
}

/** Servers that do not put a connection into the state that is requested. */
function fails(state: State, verb: string): readonly [Saboteur, ...Saboteur[]] {
  const back = async (id: string, control: Behind['control']) => control.change('connections', id, { state: otherThan(state) });
  return [
    puts(state, `Does not ${verb} connections, and says that it does.`, async (id, control) => {
      await back(id, control);
      return undefined;
    }),
    reddening(
      30,
      'Whatever shows that an update is refused for one fault shows that it is granted without it.',
      puts(state, `Answers 409 to whoever wants to ${verb} a connection.`, async (id, control) => {
        await back(id, control);
        return problem(409);
      }),
    ),
    shows(state, GET, `Shows connections in the state they had before it was asked to ${verb} them.`, (connection) => ({
      ...connection,
      state: otherThan(state),
    })),
    shows(state, LIST, `Lists connections in the state they had before it was asked to ${verb} them.`, (connection) => ({
      ...connection,
      state: otherThan(state),
    })),
  ];
}

const anHourBefore = (connection: Json): Json => ({
  ...connection,
  updatedAt: new Date(Date.parse(connection.updatedAt) - 3_600_000).toISOString(),
});

/** Servers that update connections otherwise. */
export const connectionsUpdate = {
  'connections.update.activates': fails('ACTIVE', 'activate'),
  'connections.update.deactivates': [
    ...fails('INACTIVE', 'deactivate'),
    puts('INACTIVE', 'Deletes a connection that is to be deactivated.', async (id, control) => {
      await control.remove('connections', id);
      return undefined;
    }),
  ],
  'connections.update.updated-at-grows': [
    shows('ACTIVE', GET, 'Shows an activated connection with an updatedAt that is an hour too early.', anHourBefore),
    shows('INACTIVE', GET, 'Shows a deactivated connection with an updatedAt that is an hour too early.', anHourBefore),
    shows('ACTIVE', LIST, 'Lists an activated connection with an updatedAt that is an hour too early.', anHourBefore),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
