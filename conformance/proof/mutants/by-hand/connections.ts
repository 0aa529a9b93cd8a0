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
  withEntities,
  withHeaders,
} from '../exchange.ts';
import { type ByHand, type Kit, onRequest, type Service, type Start } from '../mutant.ts';
import { assignmentsOf, connectionAt, connectionOf, doAndRefuse, otherState, showOthers, touch } from './connections-world.ts';
import { changeRefusal, changeSuccess } from './world.ts';

const LIST = 'getExperienceConnections';

const GET = 'getExperienceConnection';

const UPDATE = 'updateExperienceConnection';

const DELETE = 'deleteExperienceConnection';

const NUMBERS = 'connections.delete.numbers-assigned';

const showUpdated = (state: string, operation: typeof GET | typeof LIST, change: (connection: Json) => Json): Start =>
  showOthers(
    operation,
    (_, request, ids) => {
      if (request.operation === UPDATE && bodyOf(request).state === state) ids.add(request.path.experienceConnectionId);
    },
    (connection) => (connection.state === state ? change(connection) : connection),
  );

async function flip(request: Request, kit: Kit): Promise<void> {
  const connection = await connectionAt(request, kit);
  if (connection) await kit.control.change('connections', connection.id, { state: otherState(connection.state) });
}

const flipNewest: Start = () => {
  let newest: string | undefined;
  return {
    requests: async (request, service, kit) => {
      const reply = await service(request);
      if (request.operation === 'createExperienceConnection' && isSuccess(reply)) newest = bodyOf(reply).id;
      const connection = refusedBy(reply) === 'connections.update.not-found' ? await connectionOf(newest, kit) : undefined;
      if (connection) await kit.control.change('connections', connection.id, { state: otherState(connection.state) });
      return reply;
    },
  };
};
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

/** Runs `act` after an update to this state. A reply that it returns replaces the original one. */
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

export const connections = {
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
  'connections.update.refused-changes-nothing': {
    ...Object.fromEntries(
      [
        ...['read-only', 'not-found', 'invalid-value', 'missing-field', 'malformed'].map((rule) => `connections.update.${rule}`),
        'auth.missing-scope',
      ].map((rule) => [`Changes the state where ${rule} refuses.`, doAndRefuse(rule, UPDATE, flip)]),
    ),
    'Changes the newest connection instead of a missing one.': flipNewest,
  },
  'connections.update.same-state': {
    'Accepts ACTIVE for an ACTIVE connection.': acceptSameState('ACTIVE'),
    'Accepts INACTIVE for an INACTIVE connection.': acceptSameState('INACTIVE'),
  },
  'connections.update.same-state-unchanged': {
    'Changes the state.': onSameState(undefined, flip),
    'Touches an ACTIVE connection.': onSameState('ACTIVE', touchIt),
    'Touches an INACTIVE connection.': onSameState('INACTIVE', touchIt),
  },
  'connections.delete.numbers-assigned': {
    'Deletes ACTIVE connections with numbers.': deleteWithNumbers('ACTIVE'),
    'Deletes INACTIVE connections although telephone numbers are assigned.': deleteWithNumbers('INACTIVE'),
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
    'Shows deleted connections.': afterDeletion((_, { operation, path }, deleted) => {
      const connection = operation === GET ? deleted.get(path.experienceConnectionId ?? '') : undefined;
      return connection && success(200, connection);
    }),
    'Lists deleted connections.': afterDeletion((reply, { operation, query }, deleted) => {
      if (operation !== LIST || !isSuccess(reply) || bodyOf(reply).cursor !== null) return undefined;
      const left = [...deleted.values()].filter(
        ({ accountId, experienceId }) => accountId === query.accountId && [undefined, experienceId].includes(query.experienceId),
      );
      return withEntities(reply, (all) => [...all, ...left]);
    }),
  },
} satisfies ByHand;
