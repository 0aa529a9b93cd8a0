import { refusedBy } from '../derived/refusals.ts';
import {
  bodyOf,
  isSuccess,
  type Json,
  problem,
  type Reply,
  type Request,
  requestOf,
  success,
  withBody,
  withEntities,
  withHeaders,
  withJson,
} from '../exchange.ts';
import { type ByHand, type Kit, onRequest, type Service, type Start } from '../mutant.ts';
import { assignmentsOf, CONNECTIONS, connectionAt, connectionOf, listAll, otherState, touch } from './connections-world.ts';
import { changeRefusal, changeSuccess, list, undo, withAllScopes } from './world.ts';

const LIST = 'getExperienceConnections';
const GET = 'getExperienceConnection';
const CREATE = 'createExperienceConnection';
const UPDATE = 'updateExperienceConnection';
const DELETE = 'deleteExperienceConnection';
const NUMBERS = 'connections.delete.numbers-assigned';

/** Refuses what the kit creates. */
const refuseCreation = (
  status: number,
  isRefused: (created: Json, request: Request, service: Service, kit: Kit) => boolean | Promise<boolean>,
): Start =>
  changeSuccess(CREATE, async (reply, request, service, kit) =>
    (await isRefused(bodyOf(reply), request, service, kit)) ? undo('connections', reply, kit, status) : undefined,
  );

/** Changes how some connections are shown, or hides them with undefined. What is remembered of them is updated by every success. */
function showOthers(
  operation: typeof GET | typeof LIST,
  remember: (reply: Reply, request: Request, ids: Set<unknown>) => void,
  change: (connection: Json) => Json | undefined,
): Start {
  return () => {
    const ids = new Set<unknown>();
    const shown = (connection: Json) => (ids.has(connection.id) ? change(connection) : connection);
    return {
      requests: async (request, service) => {
        const reply = await service(request);
        if (!isSuccess(reply)) return reply;
        remember(reply, request, ids);
        if (request.operation !== operation) return reply;
        if (operation === LIST) return withEntities(reply, (all) => all.map(shown).filter((connection) => connection !== undefined));
        const connection = shown(bodyOf(reply));
        return connection === undefined ? problem(404) : withJson(reply, connection);
      },
    };
  };
}

const showNew = (operation: typeof GET | typeof LIST, change: (connection: Json) => Json | undefined): Start =>
  showOthers(
    operation,
    (reply, request, ids) => {
      if (request.operation === CREATE) ids.add(bodyOf(reply).id);
      if (request.operation === UPDATE) ids.delete(request.path.experienceConnectionId);
    },
    change,
  );

const showUpdated = (state: string, operation: typeof GET | typeof LIST, change: (connection: Json) => Json): Start =>
  showOthers(
    operation,
    (_, request, ids) => {
      if (request.operation === UPDATE && bodyOf(request).state === state) ids.add(request.path.experienceConnectionId);
    },
    (connection) => (connection.state === state ? change(connection) : connection),
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

/** Creates what a request asks for, whoever asks and whatever else is wrong with it. */
async function createAnyway(request: Request, { control }: Kit): Promise<void> {
  const { accountId, experienceId } = bodyOf(request);
  const account = await control.find('accounts', String(accountId));
  const experience = await control.find('experiences', String(experienceId));
  if (account && experience) await control.create('connections', { account: account.alias, experience: experience.alias });
}

/** Does it, and refuses. */
const doAndRefuse = (
  rule: string,
  operation: typeof CREATE | typeof UPDATE | typeof DELETE,
  act: (request: Request, kit: Kit) => Promise<unknown>,
): Start =>
  changeRefusal(rule, operation, async (reply, request, _, kit) => {
    await act(request, kit);
    return reply;
  });

async function flip(request: Request, kit: Kit): Promise<void> {
  const connection = await connectionAt(request, kit);
  if (connection) await kit.control.change('connections', connection.id, { state: otherState(connection.state) });
}
const touchIt = async (request: Request, kit: Kit) => touch((await connectionAt(request, kit)) ?? {}, kit);
const removeIt = async ({ path }: Request, { control }: Kit) => control.remove('connections', path.experienceConnectionId ?? '');

const SAME_STATE = 'connections.update.same-state';
const onSameState = (state: string | undefined, act: (request: Request, kit: Kit) => Promise<unknown>): Start =>
  changeRefusal(SAME_STATE, UPDATE, async (reply, request, _, kit) => {
    if (state === undefined || bodyOf(request).state === state) await act(request, kit);
    return reply;
  });
const acceptSameState = (state: string): Start =>
  changeRefusal(SAME_STATE, UPDATE, async (_, request, __, kit) =>
    bodyOf(request).state === state ? success(200, await connectionAt(request, kit)) : undefined,
  );
const readState = (read: (state: unknown) => unknown): Start =>
  changeRefusal('connections.update.invalid-value', UPDATE, (_, request, service) =>
    service(withBody(request, { state: read(bodyOf(request).state) })),
  );

/** Acts after an update to this state, and answers otherwise if there is an answer. */
const afterUpdate = (state: string, act: (id: string, kit: Kit) => Promise<unknown>, answer?: Reply): Start =>
  changeSuccess(UPDATE, async (_, request, __, kit) => {
    if (bodyOf(request).state !== state) return undefined;
    await act(request.path.experienceConnectionId ?? '', kit);
    return answer;
  });
const failUpdate = (state: 'ACTIVE' | 'INACTIVE') => {
  const back = (id: string, { control }: Kit) => control.change('connections', id, { state: otherState(state) });
  const before = (connection: Json): Json => ({ ...connection, state: otherState(state) });
  return {
    'Changes nothing.': afterUpdate(state, back),
    'Refuses with 409.': afterUpdate(state, back, problem(409)),
    'Shows the state from before.': showUpdated(state, GET, before),
    'Lists the state from before.': showUpdated(state, LIST, before),
  };
};
const anHourEarlier = (connection: Json): Json => ({
  ...connection,
  updatedAt: new Date(Date.parse(connection.updatedAt) - 3_600_000).toISOString(),
});

/** Refuses to delete what the kit would delete. */
const keep = (isKept: (connection: Json, request: Request, service: Service, kit: Kit) => boolean | Promise<boolean>): Start =>
  onRequest(DELETE, async (request, service, kit) => {
    const connection = await connectionAt(request, kit);
    if (connection === undefined) return service(request);
    // An update to the present state is refused with 409 where a deletion would be allowed, and changes nothing.
    const { headers } = withHeaders(request, { 'content-type': 'application/json' });
    const probe = await service(requestOf('PUT', request.url, headers, JSON.stringify({ state: connection.state })));
    const isDeletable = probe.status === 409 && (await assigned('PHONE_NUMBER', connection, request, service, kit)).length === 0;
    return isDeletable && (await isKept(connection, request, service, kit)) ? problem(409) : service(request);
  });
const assigned = (targetType: string, { accountId, experienceId }: Json, request: Request, service: Service, kit: Kit) =>
  assignmentsOf({ accountId, experienceId, targetType }, request, service, kit);
const keepWhileAssigned = (targetType: string): Start =>
  keep(async (connection, ...rest) => (await assigned(targetType, connection, ...rest)).length > 0);

const refuseForEver: Start = () => {
  const refused = new Map<string | undefined, Reply>();
  return {
    requests: async (request, service) => {
      if (request.operation !== DELETE) return service(request);
      const { experienceConnectionId } = request.path;
      const reply = refused.get(experienceConnectionId) ?? (await service(request));
      if (refusedBy(reply) === NUMBERS) refused.set(experienceConnectionId, reply);
      return reply;
    },
  };
};

const deleteWithNumbers = (state: string): Start =>
  changeRefusal(NUMBERS, DELETE, async (_, request, __, kit) => {
    if ((await connectionAt(request, kit))?.state !== state) return undefined;
    await removeIt(request, kit);
    return success(204);
  });

/** Remembers deleted connections as they were. */
const afterDeletion =
  (change: (reply: Reply, request: Request, deleted: ReadonlyMap<string, Json>) => Reply | undefined): Start =>
  () => {
    const deleted = new Map<string, Json>();
    return {
      requests: async (request, service, kit) => {
        const before = request.operation === DELETE ? await connectionOf(request.path.experienceConnectionId, kit) : undefined;
        const reply = await service(request);
        if (before && isSuccess(reply)) deleted.set(before.id, before);
        return change(reply, request, deleted) ?? reply;
      },
    };
  };
const showDeleted = (members: Json): Start =>
  afterDeletion((_, { operation, path }, deleted) => {
    const connection = operation === GET ? deleted.get(path.experienceConnectionId ?? '') : undefined;
    return connection && success(200, { ...connection, ...members });
  });

export const connections = {
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
    'Lists new connections as PENDING.': showNew(LIST, (connection) => ({ ...connection, state: 'PENDING' })),
    'Shows new connections without a state.': showNew(GET, (connection) => ({ ...connection, state: null })),
  },
  'connections.create.again': {
    'Refuses with 409 what was connected once.': refuseAgain(409),
    'Refuses with 422 what was connected once.': refuseAgain(422),
  },
  'connections.create.exists': {
    'Answers with the first connection.': answerSecond((first) => success(200, first)),
    'Creates a second one beside an INACTIVE one.': createSecond('INACTIVE'),
    'Creates a second one beside an ACTIVE one.': createSecond('ACTIVE'),
  },
  'connections.create.refused-changes-nothing': {
    'Changes the state of the connection that exists.': onSecond(async ({ id, state }, _, { control }) =>
      control.change('connections', id, { state: otherState(state) }),
    ),
    'Touches the connection that exists.': onSecond(async (first, _, kit) => touch(first, kit)),
    'Deletes the connection that exists.': onSecond(async ({ id }, _, { control }) => control.remove('connections', id)),
    'Replaces the connection that exists.': onSecond(async ({ id }, request, kit) => {
      await kit.control.remove('connections', id);
      await createAnyway(request, kit);
    }),
    'Creates for a caller that may not, and refuses.': doAndRefuse('connections.create.read-only', CREATE, createAnyway),
    'Creates without the scope, and refuses.': doAndRefuse('auth.missing-scope', CREATE, createAnyway),
    'Creates with an invalid value, and refuses.': doAndRefuse('connections.create.invalid-value', CREATE, createAnyway),
  },
  'connections.update.activates': failUpdate('ACTIVE'),
  'connections.update.deactivates': {
    ...failUpdate('INACTIVE'),
    'Deletes the connection.': afterUpdate('INACTIVE', (id, { control }) => control.remove('connections', id)),
  },
  'connections.update.updated-at-grows': {
    'Shows an activated connection with an earlier updatedAt.': showUpdated('ACTIVE', GET, anHourEarlier),
    'Shows a deactivated connection with an earlier updatedAt.': showUpdated('INACTIVE', GET, anHourEarlier),
    'Lists an activated connection with an earlier updatedAt.': showUpdated('ACTIVE', LIST, anHourEarlier),
  },
  'connections.update.refused-changes-nothing': Object.fromEntries(
    [
      ...['read-only', 'not-found', 'invalid-value', 'missing-field', 'malformed'].map((rule) => `connections.update.${rule}`),
      'auth.missing-scope',
    ].map((rule) => [`Changes the state where ${rule} refuses.`, doAndRefuse(rule, UPDATE, flip)]),
  ),
  'connections.update.same-state': {
    'Accepts ACTIVE for an ACTIVE connection.': acceptSameState('ACTIVE'),
    'Accepts INACTIVE for an INACTIVE connection.': acceptSameState('INACTIVE'),
  },
  'connections.update.same-state-unchanged': {
    'Changes the state.': onSameState(undefined, flip),
    'Touches an ACTIVE connection.': onSameState('ACTIVE', touchIt),
    'Touches an INACTIVE connection.': onSameState('INACTIVE', touchIt),
  },
  'connections.update.invalid-value': {
    'Takes every other state for INACTIVE.': readState(() => 'INACTIVE'),
    'Takes every other state for ACTIVE.': readState(() => 'ACTIVE'),
  },
  'connections.update.not-found': {
    'Updates for anybody.': changeRefusal('connections.update.not-found', UPDATE, async (_, request, service, kit) =>
      service(await withAllScopes(request, kit, 'no principal')),
    ),
  },
  'connections.delete.numbers-assigned': {
    'Deletes ACTIVE connections with numbers.': deleteWithNumbers('ACTIVE'),
    'Deletes INACTIVE connections with numbers.': deleteWithNumbers('INACTIVE'),
  },
  'connections.delete.refused-changes-nothing': {
    'Changes the state, and refuses.': doAndRefuse(NUMBERS, DELETE, flip),
    'Touches the connection, and refuses.': doAndRefuse(NUMBERS, DELETE, touchIt),
    'Deletes the connection, and refuses.': doAndRefuse(NUMBERS, DELETE, removeIt),
  },
  'connections.delete.deleted': {
    'Keeps ACTIVE connections.': keep(({ state }) => state === 'ACTIVE'),
    'Keeps INACTIVE connections.': keep(({ state }) => state === 'INACTIVE'),
    'Keeps connections while numbers are assigned to another Experience.': keep(
      async ({ accountId }, request, service, kit) =>
        (await assignmentsOf({ accountId, targetType: 'PHONE_NUMBER' }, request, service, kit)).length > 0,
    ),
    'Never deletes what it refused to delete once.': refuseForEver,
  },
  'connections.delete.only-numbers-block': {
    'Keeps connections while the account is assigned.': keepWhileAssigned('ACCOUNT'),
    'Keeps connections while users are assigned.': keepWhileAssigned('USER'),
  },
  'connections.delete.gone': {
    'Shows deleted connections.': showDeleted({}),
    'Shows deleted connections as INACTIVE.': showDeleted({ state: 'INACTIVE' }),
    'Lists deleted connections.': afterDeletion((reply, { operation, query }, deleted) => {
      if (operation !== LIST || !isSuccess(reply) || bodyOf(reply).cursor !== null) return undefined;
      const left = [...deleted.values()].filter(
        ({ accountId, experienceId }) => accountId === query.accountId && [undefined, experienceId].includes(query.experienceId),
      );
      return withEntities(reply, (all) => [...all, ...left]);
    }),
  },
} satisfies ByHand;
