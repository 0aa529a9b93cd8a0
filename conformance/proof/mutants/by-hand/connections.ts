import { changeMembers, changeQuery, createProblemReply, isSuccess, parseBody, type Reply, type Request, SUCCESS } from '../exchange.ts';
import { changeRefusal, changeRequest, changeSuccess, type MutantsByRule, replaceReply, type StartMutant } from '../mutant.ts';
import {
  CONNECTIONS,
  changeMembersOnceTriggered,
  changeUpdatedAt,
  ignoreFilter,
  listAssigned,
  listForAnybody,
  omitEntities,
  refuseRecreation,
  repeatFirstUpdatedAt,
  returnDeletedEntities,
} from './resources.ts';

const { list: LIST, get: GET, create: CREATE, update: UPDATE, remove: DELETE } = CONNECTIONS;

const ignoreUpdate = (state: string): StartMutant =>
  replaceReply(UPDATE, (request) => (parseBody(request).state === state ? SUCCESS : undefined));

const isUpdateRefused = (reply: Reply, { operation }: Request): boolean => operation === UPDATE && !isSuccess(reply);

const E164 = /^\+[1-9]\d{1,14}$/;

const createAccountMutants = (name: 'telephoneNumber' | 'tn') => {
  const readGivenNumber = ({ query }: Request) => (query.accountId === undefined ? undefined : query[name]);
  return {
    [`Ignores accountId if ${name} is given.`]: changeRequest(LIST, (request) =>
      E164.test(readGivenNumber(request) ?? '') ? changeQuery(request, { accountId: undefined }) : undefined,
    ),
    [`Refuses a malformed ${name} even if accountId is given.`]: replaceReply(LIST, (request) =>
      E164.test(readGivenNumber(request) ?? '+12') ? undefined : createProblemReply(400),
    ),
  };
};

const createNumberMutants = (name: 'telephoneNumber' | 'tn') => ({
  'Answers with an empty list.': omitEntities(CONNECTIONS, () => true),
  'Lists the connections of all accounts.': ignoreFilter(CONNECTIONS, name),
});

const refuseDeletionInState = (state: string): StartMutant =>
  replaceReply(DELETE, async (request, { kit }) =>
    (await kit.control.find('connections', request.id))?.state === state ? createProblemReply(409) : undefined,
  );

const refuseDeletionWhileAssigned = replaceReply(DELETE, async (request, { service }) =>
  (await listAssigned(request, service)).length > 0 ? createProblemReply(409) : undefined,
);

export const connections = {
  'connections.get.account-name': {
    'After an update, shows another name of the account.': changeMembersOnceTriggered(
      CONNECTIONS,
      (reply, { operation }) => operation === UPDATE && isSuccess(reply),
      { accountName: 'Another name' },
    ),
  },
  'connections.list.by-account': {
    'Lists the connections of all accounts.': ignoreFilter(CONNECTIONS, 'accountId'),
  },
  'connections.list.by-telephone-number': createNumberMutants('telephoneNumber'),
  'connections.list.by-tn': createNumberMutants('tn'),
  'connections.list.account-wins': { ...createAccountMutants('telephoneNumber'), ...createAccountMutants('tn') },
  'connections.list.telephone-number-wins': {
    'Uses tn instead of telephoneNumber if both are given.': changeRequest(LIST, (request) =>
      request.query.tn === undefined ? undefined : changeQuery(request, { telephoneNumber: undefined }),
    ),
  },
  'connections.list.by-experience': { 'Ignores experienceId.': ignoreFilter(CONNECTIONS, 'experienceId') },
  'connections.list.only-visible': { 'Lists connections that the caller may not see.': listForAnybody(CONNECTIONS) },
  'connections.create.success': { 'Refuses every creation.': replaceReply(CREATE, () => createProblemReply(403)) },
  'connections.create.unknown-account-or-experience-refused': {
    'Accepts a creation by a caller who may not view the account.': changeRefusal(
      'connections.create.unknown-account-or-experience',
      CREATE,
      async (_, { request, kit }) => ((await kit.exists('accounts', parseBody(request).accountId)) ? SUCCESS : undefined),
    ),
  },
  'connections.create.listed': {
    'Answers 404 when a connection is read.': changeSuccess(GET, () => createProblemReply(404)),
    'Lists no connections.': omitEntities(CONNECTIONS, () => true),
  },
  'connections.create.state': {
    'Shows the state PENDING for every connection.': changeSuccess(GET, (reply) => changeMembers(reply, { state: 'PENDING' })),
  },
  'connections.create.again': { 'Refuses to create a deleted entity again.': refuseRecreation(CONNECTIONS) },
  'connections.create.refused-changes-nothing': {
    "Changes the existing connection's updatedAt when it refuses a second connection.": changeUpdatedAt(
      'connections.create.exists',
      CONNECTIONS,
    ),
  },
  'connections.update.activates': { 'Does not activate the connection.': ignoreUpdate('ACTIVE') },
  'connections.update.deactivates': { 'Does not deactivate the connection.': ignoreUpdate('INACTIVE') },
  'connections.update.updated-at-grows': {
    "Never changes a connection's updatedAt.": repeatFirstUpdatedAt(GET, ({ id }) => id),
  },
  'connections.update.refused-changes-nothing': {
    'Changes the state when it refuses an update.': changeMembersOnceTriggered(CONNECTIONS, isUpdateRefused, { state: 'ACTIVE' }),
  },
  'connections.update.same-state-unchanged': {
    'Changes updatedAt when it refuses an update.': changeUpdatedAt('connections.update.same-state', CONNECTIONS),
  },
  'connections.delete.refused-changes-nothing': {
    "Changes the connection's updatedAt when it refuses a deletion.": changeUpdatedAt('connections.delete.numbers-assigned', CONNECTIONS),
  },
  'connections.delete.deleted': {
    'Refuses to delete ACTIVE connections.': refuseDeletionInState('ACTIVE'),
    'Refuses to delete INACTIVE connections.': refuseDeletionInState('INACTIVE'),
  },
  'connections.delete.only-numbers-block': { 'Refuses to delete connections while any target is assigned.': refuseDeletionWhileAssigned },
  'connections.delete.gone': { 'Returns a deleted connection.': returnDeletedEntities(CONNECTIONS, 'read') },
  'connections.delete.unlisted': { 'Lists deleted connections.': returnDeletedEntities(CONNECTIONS, 'listed') },
} satisfies MutantsByRule;
