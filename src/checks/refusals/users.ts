import type { RuleId } from '../../contract/generated/rules.ts';
import {
  ADA_PATH,
  ASSIGNMENTS_PATH,
  buildAssignmentBody,
  buildConnectionBody,
  buildCreateAssignmentRequest,
  buildCreateConnectionRequest,
  CONNECTIONS_PATH,
  UNKNOWN_ID,
  USERS_PATH,
} from './demo-requests.ts';
import type { Scenario, Scenarios } from './scenario.ts';

const createFault = (rule: RuleId): Pick<Scenario, 'fault'> => ({ fault: { fault: 'problem', rule, times: 1 } });
const FIRST_PAGE_PATH = `${USERS_PATH}&pageSize=1`;

export const userScenarios = {
  'users.list.account-id-required': [{ title: 'The list request has no accountId.', request: { path: '/users' } }],
  'users.list.account-id-uuid': [{ title: 'The accountId is an alias.', request: { path: '/users?accountId=northwind' } }],
  'users.list.sort-by-allowed': [
    { title: 'The sortBy starts with a capital letter.', request: { path: `${USERS_PATH}&sortBy=CreatedAt` } },
  ],
  'users.list.sort-order-allowed': [
    { title: 'The sortOrder is neither asc nor desc.', request: { path: `${USERS_PATH}&sortOrder=sideways` } },
  ],
  'users.list.page-size-range': [{ title: 'The pageSize is 201.', request: { path: `${USERS_PATH}&pageSize=201` } }],
  'users.list.cursor-malformed': [{ title: 'The cursor was not issued by the service.', request: { path: `${USERS_PATH}&cursor=abc` } }],
  'users.list.cursor-other-account': [
    {
      title: 'The cursor belongs to another account.',
      cursorOf: FIRST_PAGE_PATH,
      request: { path: '/users?accountId={accounts/contoso}' },
    },
  ],
  'users.list.cursor-other-sort-by': [
    {
      title: "The sortBy differs from the first page's sortBy.",
      cursorOf: FIRST_PAGE_PATH,
      request: { path: `${USERS_PATH}&sortBy=lastName` },
    },
  ],
  'users.list.cursor-other-sort-order': [
    {
      title: "The sortOrder differs from the first page's sortOrder.",
      cursorOf: FIRST_PAGE_PATH,
      request: { path: `${USERS_PATH}&sortOrder=desc` },
    },
  ],
  'users.list.scope': [{ title: 'The token lacks the scope users:manage.', request: { path: USERS_PATH, token: 'no-users-scope' } }],
  'users.get.scope': [{ title: 'The token lacks the scope users:manage.', request: { path: ADA_PATH, token: 'no-users-scope' } }],
  'users.get.not-found': [
    { title: 'The user does not exist.', request: { path: `/users/${UNKNOWN_ID}` } },
    { title: "The principal has no access to the user's account.", request: { path: '/users/{users/hidden}' } },
    { title: 'The native id has a style that is not supported.', request: { path: '/users/ext:0042@pbx.example' } },
    { title: 'The principal has no access to any account.', request: { path: ADA_PATH, token: 'outsider' } },
  ],
  'users.list.rate': [
    {
      title: 'A fault makes one request exceed the rate limit. For a real limit: xpk start --set users.rate-limit=2',
      request: { path: USERS_PATH },
      ...createFault('users.list.rate'),
    },
  ],
  'users.get.rate': [
    {
      title: 'A fault makes one request exceed the rate limit. For a real limit: xpk start --set users.rate-limit=2',
      request: { path: ADA_PATH },
      ...createFault('users.get.rate'),
    },
  ],
  'users.list.internal': [
    { title: 'A fault makes the service fail.', request: { path: USERS_PATH }, ...createFault('users.list.internal') },
  ],
  'users.get.internal': [{ title: 'A fault makes the service fail.', request: { path: ADA_PATH }, ...createFault('users.get.internal') }],
  'users.list.fail-closed': [
    {
      title: 'The authorization service cannot be reached.',
      fault: { fault: 'authorization-service-down', operation: 'getUsers' },
      request: { path: USERS_PATH },
    },
  ],
  'users.get.fail-closed': [
    {
      title: 'The authorization service cannot be reached.',
      fault: { fault: 'authorization-service-down', operation: 'getUser' },
      request: { path: ADA_PATH },
    },
  ],
  'auth.token.missing': [
    { title: 'The request has no Authorization header.', request: { path: ADA_PATH, token: 'none' } },
    {
      title: 'The Authorization header has a scheme other than Bearer.',
      request: { path: ADA_PATH, token: 'none', headers: { authorization: 'Basic Zm9vOmJhcg==' } },
    },
    {
      title: 'A request that creates an entity has no Authorization header.',
      request: { ...buildCreateAssignmentRequest(buildAssignmentBody('+12065550103')), token: 'none' },
    },
  ],
  'auth.token.invalid': [
    { title: "The token's signature is wrong.", request: { path: ADA_PATH, token: { kind: 'wrong-signature' } } },
    { title: 'The token is not signed.', request: { path: ADA_PATH, token: { kind: 'alg-none' } } },
    { title: 'The token was issued by another server.', request: { path: ADA_PATH, token: { kind: 'wrong-issuer' } } },
    { title: 'The token is for another API.', request: { path: ADA_PATH, token: { kind: 'wrong-audience' } } },
    { title: 'The token is not valid yet.', request: { path: ADA_PATH, token: { kind: 'not-yet-valid' } } },
    { title: 'The token is not a JWT.', request: { path: ADA_PATH, token: { kind: 'not-a-jwt' } } },
  ],
  'auth.token.expired': [{ title: 'The token has expired.', request: { path: ADA_PATH, token: { kind: 'expired' } } }],
  'auth.challenge': { metWith: 'auth.token.missing' },
  'auth.claim.principal': [
    { title: 'The token lacks the principal claim.', request: { path: USERS_PATH, token: 'no-principal' } },
    { title: 'The token lacks the principal claim.', request: { path: ADA_PATH, token: 'no-principal' } },
  ],
  'auth.missing-scope': [
    {
      title: 'The token lacks the scope experience-connections:manage.',
      request: { path: `${CONNECTIONS_PATH}/{connections/northwind-concierge}`, token: 'no-connections-scope' },
      status: 403,
    },
    {
      title: 'The token lacks the scope experience-assignments:manage.',
      request: { path: `${ASSIGNMENTS_PATH}/{assignments/concierge-main-line}`, token: 'no-assignments-scope' },
      status: 403,
    },
  ],
  'users.token-without-claim-and-scope': [
    {
      title: 'The token lacks the principal claim and the scope.',
      request: { path: ADA_PATH, token: 'no-principal-no-users-scope' },
      status: 401,
    },
  ],
  'http.duplicate-parameter': [
    { title: 'The request has two values for pageSize.', request: { path: `${USERS_PATH}&pageSize=5&pageSize=6` }, status: 400 },
  ],
  'http.unknown-route': [
    { title: 'The users operations have no path with the prefix /experience.', request: { path: `/experience${USERS_PATH}` }, status: 404 },
    { title: 'The path is misspelt.', request: { path: '/experience/conections/{connections/contoso-scheduler}' }, status: 404 },
  ],
  'http.method-not-allowed': [
    { title: 'The path does not support this method.', request: { method: 'PATCH', path: USERS_PATH }, status: 405 },
  ],
  'http.unsupported-media-type': [
    {
      title: 'The body is JSON in a character set other than UTF-8.',
      request: {
        ...buildCreateConnectionRequest(buildConnectionBody('contoso', 'concierge')),
        headers: { 'content-type': 'application/json; charset=latin1' },
      },
      status: 415,
    },
  ],
  'http.injected-fault': [
    {
      title: 'A fault makes the kit refuse the request.',
      fault: { fault: 'problem', status: 429, operation: 'getUser' },
      request: { path: ADA_PATH },
      status: 429,
    },
  ],
} as const satisfies Partial<Scenarios>;
