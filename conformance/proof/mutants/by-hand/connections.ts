import { bodyOf, isSuccess, type Json, problem, type Request, refusedBy, requestOf, withMembers, withParameters } from '../exchange.ts';
import { answerInstead, type ByHand, changeReply, changeRequest, changeSuccess, type Kit, onRequest, type Start } from '../mutant.ts';
import {
  ASSIGNMENTS,
  CONNECTIONS,
  FUTURE,
  idOf,
  ignoreFilter,
  keepDeleted,
  leaveOut,
  list,
  listForAnybody,
  PAST,
  refuseAgain,
  touchAfter,
  withAllScopes,
} from './world.ts';

const { list: LIST, get: GET, create: CREATE, remove: DELETE } = CONNECTIONS;
const UPDATE = 'updateExperienceConnection';

const otherState = (state: unknown) => (state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE');
const stateOf = async (id: string, { control }: Kit): Promise<unknown> => (await control.find('connections', id))?.state;

async function flip(id: string, kit: Kit): Promise<void> {
  const state = await stateOf(id, kit);
  if (state !== undefined) await kit.control.change('connections', id, { state: otherState(state) });
}

const touchWhen = (rule: string): Start => touchAfter(CONNECTIONS, (reply) => refusedBy(reply) === rule, FUTURE);

const createOne: Start = () => {
  let isFirst = true;
  return onRequest(CREATE, async (request, service) => {
    const reply = isFirst ? await service(request) : problem(409);
    if (isSuccess(reply)) isFirst = false;
    return reply;
  })();
};

/** Creates what is refused, whoever asks. */
const createRefused: Start = changeReply(
  CREATE,
  async (_, { request, kit: { control } }) => {
    const { accountId, experienceId } = bodyOf(request);
    const [account, experience] = [await control.find('accounts', accountId), await control.find('experiences', experienceId)];
    if (account && experience) await control.create('connections', { account: account.alias, experience: experience.alias });
    return undefined;
  },
  (reply) => !isSuccess(reply),
);

/** Changes the newest connection when it refuses an update, even of another one. */
const updateRefused: Start = () => {
  let newest = '';
  return onRequest([CREATE, UPDATE], async (request, service, kit) => {
    const reply = await service(request);
    if (request.operation === CREATE && isSuccess(reply)) newest = bodyOf(reply).id;
    if (request.operation === UPDATE && !isSuccess(reply)) await flip(newest, kit);
    return reply;
  })();
};

const forgetUpdate = (state: string): Start =>
  changeSuccess(UPDATE, async (_, { request, kit }) => {
    if (bodyOf(request).state === state) await flip(idOf(request), kit);
    return undefined;
  });

const without = (request: Request, name: string): Request => withParameters(request, { query: { [name]: undefined } });

const E164 = /^\+[1-9]\d{1,14}$/;

const besideAccount = (name: 'telephoneNumber' | 'tn') => {
  const given = ({ query }: Request) => (query.accountId === undefined ? undefined : query[name]);
  return {
    [`Selects by ${name} beside accountId.`]: changeRequest(LIST, (request) =>
      E164.test(given(request) ?? '') ? without(request, 'accountId') : undefined,
    ),
    [`Refuses a malformed ${name} beside accountId.`]: answerInstead(LIST, (request) =>
      E164.test(given(request) ?? '+12') ? undefined : problem(400),
    ),
  };
};

const byNumber = (name: 'telephoneNumber' | 'tn') => ({
  'Finds nothing.': leaveOut(CONNECTIONS, () => true),
  'Lists the connections of all accounts.': ignoreFilter(CONNECTIONS, name),
});

/** Refuses to delete connections in this state. */
const keepState = (state: string): Start =>
  answerInstead(DELETE, async (request, kit) => ((await stateOf(idOf(request), kit)) === state ? problem(409) : undefined));

/** Refuses to delete a connection while there are assignments like this. */
const keepWhileAssigned = (query: (connection: Json) => Readonly<Record<string, string>>): Start =>
  onRequest(DELETE, async (request, service, kit) => {
    const connection = bodyOf(await service(requestOf('GET', request.url, request.headers, '')));
    const all = await withAllScopes(request, kit, 'same principal');
    return (await list(ASSIGNMENTS, query(connection), all, service)).length > 0 ? problem(409) : service(request);
  });

export const connections = {
  'connections.list.by-account': {
    'Lists the connections of all accounts.': ignoreFilter(CONNECTIONS, 'accountId'),
    'Leaves out INACTIVE connections.': leaveOut(CONNECTIONS, ({ state }) => state === 'INACTIVE'),
    'Leaves out ACTIVE connections.': leaveOut(CONNECTIONS, ({ state }) => state === 'ACTIVE'),
  },
  'connections.list.by-telephone-number': byNumber('telephoneNumber'),
  'connections.list.by-tn': byNumber('tn'),
  'connections.list.account-wins': { ...besideAccount('telephoneNumber'), ...besideAccount('tn') },
  'connections.list.telephone-number-wins': {
    'Selects by tn.': changeRequest(LIST, (request) => (request.query.tn === undefined ? undefined : without(request, 'telephoneNumber'))),
  },
  'connections.list.by-experience': {
    'Ignores experienceId.': ignoreFilter(CONNECTIONS, 'experienceId'),
    'Lists the connections of the Experience in all accounts.': ignoreFilter(CONNECTIONS, 'accountId'),
  },
  'connections.list.only-visible': { 'Lists for anybody.': listForAnybody(CONNECTIONS) },
  'connections.create.success': {
    'Refuses every creation.': answerInstead(CREATE, () => problem(403)),
    'Creates one connection only.': createOne,
  },
  'connections.create.listed': {
    'Does not show new connections.': changeSuccess(GET, () => problem(404)),
    'Does not list new connections.': leaveOut(CONNECTIONS, () => true),
  },
  'connections.create.state': {
    'Shows new connections as PENDING.': changeSuccess(GET, (reply) => withMembers(reply, { state: 'PENDING' })),
  },
  'connections.create.again': { 'Refuses what was connected once.': refuseAgain(CONNECTIONS) },
  'connections.create.refused-changes-nothing': {
    'Creates what it refuses to create.': createRefused,
    'Touches the connection that exists.': touchWhen('connections.create.exists'),
  },
  'connections.update.activates': { 'Changes nothing.': forgetUpdate('ACTIVE') },
  'connections.update.deactivates': { 'Changes nothing.': forgetUpdate('INACTIVE') },
  'connections.update.updated-at-grows': {
    'Shows an updated connection with an earlier updatedAt.': touchAfter(
      CONNECTIONS,
      (reply, { operation }) => operation === UPDATE && isSuccess(reply),
      PAST,
    ),
  },
  'connections.update.refused-changes-nothing': { 'Changes the newest connection when it refuses an update.': updateRefused },
  'connections.update.same-state-unchanged': { 'Touches the connection.': touchWhen('connections.update.same-state') },
  'connections.delete.refused-changes-nothing': {
    'Touches the connection.': touchWhen('connections.delete.numbers-assigned'),
  },
  'connections.delete.deleted': {
    'Keeps ACTIVE connections.': keepState('ACTIVE'),
    'Keeps INACTIVE connections.': keepState('INACTIVE'),
    'Keeps connections while numbers are assigned to another Experience.': keepWhileAssigned(({ accountId }) => ({
      accountId,
      targetType: 'PHONE_NUMBER',
    })),
  },
  'connections.delete.only-numbers-block': {
    'Keeps connections while anything is assigned.': keepWhileAssigned(({ accountId, experienceId }) => ({ accountId, experienceId })),
  },
  'connections.delete.gone': {
    'Shows deleted connections.': keepDeleted(CONNECTIONS, 'read'),
    'Lists deleted connections.': keepDeleted(CONNECTIONS, 'listed'),
  },
} satisfies ByHand;
