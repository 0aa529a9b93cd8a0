import type { OperationId } from '../../../../src/contract/generated/operations.ts';
import { emptySuccess } from '../derived/refusals.ts';
import { type Json, problem, type Request, withEntities, withParameters } from '../exchange.ts';
import { answerInstead, type ByHand, changeRequest, type Kit, type Service, type Start } from '../mutant.ts';
import { assignmentsOf, CONNECTIONS, listAll } from './connections-world.ts';
import { changeRefusal, changeSuccess, claimsOf, entitiesOf, list, tokenOf, withAllScopes } from './world.ts';

const LIST = 'getExperienceConnections';
const E164 = /^\+[1-9]\d{1,14}$/;

type Selector = 'accountId' | 'telephoneNumber' | 'tn';

function selectorOf({ query }: Request): Selector {
  if (query.accountId !== undefined) return 'accountId';
  return query.telephoneNumber !== undefined ? 'telephoneNumber' : 'tn';
}

/** Changes what one of the parameters selects. */
const select = (
  selector: Selector,
  change: (connections: Json[], request: Request, service: Service, kit: Kit) => Json[] | Promise<Json[]>,
): Start =>
  changeSuccess(LIST, async (reply, request, service, kit) => {
    if (selectorOf(request) !== selector) return undefined;
    const connections = await change(entitiesOf(reply), request, service, kit);
    return withEntities(reply, () => connections);
  });

async function accountOf({ query }: Request, { control }: Kit): Promise<unknown> {
  if (query.accountId !== undefined) return query.accountId;
  const number = await control.find('telephoneNumbers', query.telephoneNumber ?? query.tn ?? '');
  return number && (await control.find('accounts', String(number.account)))?.id;
}

async function andOthers(connections: Json[], request: Request, service: Service, kit: Kit): Promise<Json[]> {
  const selected = await accountOf(request, kit);
  return [...connections, ...(await listAll(request, service, kit)).filter(({ accountId }) => accountId !== selected)];
}

const without = (request: Request, ...names: readonly string[]): Request =>
  withParameters(request, { query: Object.fromEntries(names.map((name) => [name, undefined])) });

const byNumber = (name: 'telephoneNumber' | 'tn') => ({
  'Finds nothing.': select(name, () => []),
  'Finds connections to the Experiences that the number is assigned to.': select(name, async (connections, request, service, kit) => {
    const assigned = await assignmentsOf({ targetType: 'PHONE_NUMBER', targetValue: request.query[name] }, request, service, kit);
    return connections.filter(({ experienceId }) => assigned.some((assignment) => assignment.experienceId === experienceId));
  }),
  'Lists the connections of all accounts.': select(name, andOthers),
  'Ignores the parameter.': changeRequest(LIST, (request) => without(request, name)),
});

async function owns(number: string, { query }: Request, { control }: Kit): Promise<boolean> {
  const owner = await control.find('telephoneNumbers', number);
  return owner !== undefined && owner.account === (await control.find('accounts', query.accountId ?? ''))?.alias;
}

const besideAccount = (name: 'telephoneNumber' | 'tn') => {
  const given = ({ query }: Request) => (query.accountId === undefined ? undefined : query[name]);
  const isValid = (request: Request) => E164.test(given(request) ?? '');
  return {
    [`Selects by ${name} beside accountId.`]: changeRequest(LIST, (request) =>
      isValid(request) ? without(request, 'accountId') : undefined,
    ),
    [`Refuses a malformed ${name} beside accountId.`]: answerInstead(LIST, (request) =>
      given(request) !== undefined && !isValid(request) ? problem(400) : undefined,
    ),
    [`Refuses ${name} beside accountId.`]: answerInstead(LIST, (request) => (isValid(request) ? problem(400) : undefined)),
    [`Lists nothing if ${name} is of another account.`]: changeSuccess(LIST, async (_, request, __, kit) =>
      isValid(request) && !(await owns(given(request) ?? '', request, kit)) ? emptySuccess(request) : undefined,
    ),
  };
};

const hasBoth = ({ query }: Request) =>
  query.accountId === undefined && E164.test(query.telephoneNumber ?? '') && E164.test(query.tn ?? '');

const withBoth = (change: (connections: Json[], ofTn: Json[]) => Json[]): Start =>
  changeSuccess(LIST, async (reply, request, service) => {
    if (!hasBoth(request)) return undefined;
    const ofTn = await list(CONNECTIONS, { tn: request.query.tn }, request, service);
    return withEntities(reply, (connections) => change(connections, ofTn));
  });
const isIn = (connections: readonly Json[], { id }: Json): boolean => connections.some((other) => other.id === id);

export const connectionsList = {
  'connections.list.by-account': {
    'Lists the connections of all accounts.': select('accountId', andOthers),
    'Lists the connections of all accounts as those of the account.': select('accountId', async (connections, request, service, kit) =>
      (await andOthers(connections, request, service, kit)).map((connection) => ({ ...connection, accountId: request.query.accountId })),
    ),
    'Lists ACTIVE connections only.': select('accountId', (connections) => connections.filter(({ state }) => state === 'ACTIVE')),
    'Lists INACTIVE connections only.': select('accountId', (connections) => connections.filter(({ state }) => state === 'INACTIVE')),
  },
  'connections.list.by-telephone-number': byNumber('telephoneNumber'),
  'connections.list.by-tn': byNumber('tn'),
  'connections.list.account-wins': { ...besideAccount('telephoneNumber'), ...besideAccount('tn') },
  'connections.list.telephone-number-wins': {
    'Selects by tn.': changeRequest(LIST, (request) => (hasBoth(request) ? without(request, 'telephoneNumber') : undefined)),
    'Refuses tn beside telephoneNumber.': answerInstead(LIST, (request) => (hasBoth(request) ? problem(400) : undefined)),
    'Lists what both numbers select.': withBoth((connections, ofTn) => connections.filter((each) => isIn(ofTn, each))),
    'Lists what one of the numbers selects.': withBoth((connections, ofTn) => [
      ...connections,
      ...ofTn.filter((each) => !isIn(connections, each)),
    ]),
  },
  'connections.list.by-experience': {
    'Ignores experienceId beside a number.': changeRequest(LIST, (request) =>
      selectorOf(request) === 'accountId' ? undefined : without(request, 'experienceId'),
    ),
    'Finds nothing by experienceId.': changeSuccess(LIST, (_, request) =>
      request.query.experienceId === undefined ? undefined : emptySuccess(request),
    ),
    'Lists the connections of the Experience in all accounts.': changeSuccess(LIST, async (reply, request, service, kit) => {
      const { experienceId } = request.query;
      if (experienceId === undefined) return undefined;
      const all = await listAll(request, service, kit);
      return withEntities(reply, () => all.filter((connection) => connection.experienceId === experienceId));
    }),
    'Lists all connections of an account without one to the Experience.': changeSuccess(LIST, (reply, request, service) =>
      request.query.experienceId && !request.query.cursor && entitiesOf(reply).length === 0
        ? service(without(request, 'experienceId'))
        : undefined,
    ),
  },
  'connections.list.only-visible': {
    'Lists the connections of accounts that the caller may not view.': changeSuccess(LIST, async (reply, request, service, kit) =>
      entitiesOf(reply).length > 0 ? undefined : service(await withAllScopes(request, kit, 'no principal')),
    ),
  },
  'connections.list.selector-required': {
    'Takes experienceId for a selector.': changeRefusal('connections.list.selector-required', LIST, (_, request) =>
      request.query.experienceId === undefined ? undefined : emptySuccess(request),
    ),
    'Lists all accounts without a selector.': changeRefusal('connections.list.selector-required', LIST, (_, request) =>
      request.query.experienceId === undefined ? emptySuccess(request) : undefined,
    ),
  },
  'connections.list.account-id-uuid': {
    'Selects by telephoneNumber beside a malformed accountId.': changeRefusal(
      'connections.list.account-id-uuid',
      LIST,
      (_, request, service) => service(without(request, 'accountId')),
    ),
  },
  'connections.list.experience-id-uuid': {
    'Ignores a malformed experienceId beside a number.': changeRefusal('connections.list.experience-id-uuid', LIST, (_, request) =>
      request.query.accountId === undefined ? emptySuccess(request) : undefined,
    ),
  },
  'connections.list.telephone-number-format': {
    'Selects by tn beside a malformed telephoneNumber.': changeRefusal(
      'connections.list.telephone-number-format',
      LIST,
      (_, request, service) => service(without(request, 'telephoneNumber')),
    ),
  },
  'connections.list.scope': acceptAssignmentScope(LIST),
  'connections.create.scope': acceptAssignmentScope('createExperienceConnection'),
  'connections.get.scope': acceptAssignmentScope('getExperienceConnection'),
  'connections.update.scope': acceptAssignmentScope('updateExperienceConnection'),
  'connections.delete.scope': acceptAssignmentScope('deleteExperienceConnection'),
} satisfies ByHand;

function acceptAssignmentScope(operation: OperationId) {
  return {
    'Accepts the scope for assignments.': changeRefusal('auth.missing-scope', operation, async (_, request, service, kit) => {
      const scopes = String(claimsOf(tokenOf(request)).scope);
      return scopes.includes('experience-assignments:manage') ? service(await withAllScopes(request, kit)) : undefined;
    }),
  };
}
