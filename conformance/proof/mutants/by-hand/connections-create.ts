import { bodyOf, isSuccess, type Json, type Reply, type Request, success } from '../exchange.ts';
import type { ByHand, Kit, Service, Start } from '../mutant.ts';
import { CONNECTIONS, connectionAt, doAndRefuse, listAll, otherState, showOthers, touch } from './connections-world.ts';
import { changeRefusal, changeSuccess, list, undo } from './world.ts';

const LIST = 'getExperienceConnections';

const GET = 'getExperienceConnection';

const CREATE = 'createExperienceConnection';

const UPDATE = 'updateExperienceConnection';

const DELETE = 'deleteExperienceConnection';

/** Refuses what the kit creates. */
const refuseCreation = (
  status: number,
  isRefused: (created: Json, request: Request, service: Service, kit: Kit) => boolean | Promise<boolean>,
): Start =>
  changeSuccess(CREATE, async (reply, request, service, kit) =>
    (await isRefused(bodyOf(reply), request, service, kit)) ? undo('connections', reply, kit, status) : undefined,
  );

const showNew = (operation: typeof GET | typeof LIST, change: (connection: Json) => Json | undefined): Start =>
  showOthers(
    operation,
    (reply, request, ids) => {
      if (request.operation === CREATE) ids.add(bodyOf(reply).id);
      if (request.operation === UPDATE) ids.delete(request.path.experienceConnectionId);
    },
    change,
  );

/** Refuses to connect again what was connected and deleted. */
const refuseAgain =
  (status: number): Start =>
  () => {
    const deleted = new Set<string>();
    const pairOf = ({ accountId, experienceId }: Json) => `${accountId} ${experienceId}`.toLowerCase();
    return {
      requests: async (request, service, kit) => {
        const before = request.operation === DELETE ? await connectionAt(request, kit) : undefined;
        const reply = await service(request);
        if (!isSuccess(reply)) return reply;
        if (before !== undefined) deleted.add(pairOf(before));
        return request.operation === CREATE && deleted.has(pairOf(bodyOf(reply))) ? undo('connections', reply, kit, status) : reply;
      },
    };
  };

/** Acts on the first connection when the same two are connected a second time. */
const onSecond = (act: (first: Json, request: Request, kit: Kit) => unknown): Start =>
  changeRefusal('connections.create.exists', CREATE, async (_, request, service, kit) => {
    const { accountId, experienceId } = bodyOf(request);
    const [first = {}] = await list(CONNECTIONS, { accountId, experienceId }, request, service);
    await act(first, request, kit);
    return undefined;
  });

const answerSecond = (answer: (first: Json) => Reply | undefined): Start =>
  changeRefusal('connections.create.exists', CREATE, async (_, request, service) => {
    const { accountId, experienceId } = bodyOf(request);
    const [first = {}] = await list(CONNECTIONS, { accountId, experienceId }, request, service);
    return answer(first);
  });

const createSecond = (state: string): Start =>
  answerSecond((first) => (first.state === state ? success(201, { ...first, id: 'another' }) : undefined));

/** Creates the requested connection, without checking the caller or the rest of the request. */
async function createAnyway(request: Request, { control }: Kit): Promise<void> {
  const { accountId, experienceId } = bodyOf(request);
  const account = await control.find('accounts', String(accountId));
  const experience = await control.find('experiences', String(experienceId));
  if (account && experience) await control.create('connections', { account: account.alias, experience: experience.alias });
}

export const connectionsCreate = {
  'connections.create.success': {
    'Refuses with 403.': refuseCreation(403, () => true),
    'Connects an account to one Experience only.': refuseCreation(
      409,
      async ({ accountId }, request, service) => (await list(CONNECTIONS, { accountId }, request, service)).length > 1,
    ),
    'Connects an Experience to one account only.': refuseCreation(
      409,
      async ({ experienceId }, request, service, kit) =>
        (await listAll(request, service, kit)).filter((other) => other.experienceId === experienceId).length > 1,
    ),
  },
  'connections.create.listed': {
    'Does not list a connection before its first update.': showNew(LIST, () => undefined),
    'Does not show a connection before its first update.': showNew(GET, () => undefined),
    'Creates nothing.': changeSuccess(CREATE, async (reply, _, __, { control }) => {
      await control.remove('connections', bodyOf(reply).id);
      return undefined;
    }),
  },
  'connections.create.state': {
    'Shows new connections as PENDING.': showNew(GET, (connection) => ({ ...connection, state: 'PENDING' })),
    'Shows new connections without a state.': showNew(GET, (connection) => ({ ...connection, state: null })),
  },
  'connections.create.again': {
    'Refuses with 409 what was connected once.': refuseAgain(409),
  },
  'connections.create.exists': {
    'Creates a second one beside an INACTIVE one.': createSecond('INACTIVE'),
    'Creates a second one beside an ACTIVE one.': createSecond('ACTIVE'),
  },
  'connections.create.refused-changes-nothing': {
    'Changes the state of the connection that exists.': onSecond(async ({ id, state }, _, { control }) =>
      control.change('connections', id, { state: otherState(state) }),
    ),
    'Touches the connection that exists.': onSecond(async (first, _, kit) => touch(first, kit)),
    'Deletes the connection that exists.': onSecond(async ({ id }, _, { control }) => control.remove('connections', id)),
    'Creates for a caller that may not, and refuses.': doAndRefuse('connections.create.read-only', CREATE, createAnyway),
    'Creates without the scope, and refuses.': doAndRefuse('auth.missing-scope', CREATE, createAnyway),
    'Creates with an invalid value, and refuses.': doAndRefuse('connections.create.invalid-value', CREATE, createAnyway),
  },
} satisfies ByHand;
