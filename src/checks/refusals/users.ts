import type { RuleId } from '../../contract/generated/rules.ts';
import { A, ADA, assign, C, connect, number, pair, UNKNOWN_ID, USERS } from './demo.ts';
import type { Scenario, Scenarios } from './scenario.ts';

/** A fault that answers one request by a rule. */
const answeredBy = (rule: RuleId): Pick<Scenario, 'fault'> => ({ fault: { fault: 'problem', rule, times: 1 } });
const PAGE = `${USERS}&pageSize=1`;

/** Scenarios of the operations on users, of access tokens, and of HTTP. */
export const users = {
  'users.list.account-id-required': [{ title: 'The list request has no accountId.', request: { path: '/users' } }],
  'users.list.account-id-uuid': [{ title: 'The accountId is an alias.', request: { path: '/users?accountId=northwind' } }],
  'users.list.sort-by-allowed': [{ title: 'The sortBy begins with a capital letter.', request: { path: `${USERS}&sortBy=CreatedAt` } }],
  'users.list.sort-order-allowed': [{ title: 'The sortOrder is sideways.', request: { path: `${USERS}&sortOrder=sideways` } }],
  'users.list.page-size-range': [{ title: 'The pageSize is 201.', request: { path: `${USERS}&pageSize=201` } }],
  'users.list.cursor-malformed': [{ title: 'The cursor was not issued by the service.', request: { path: `${USERS}&cursor=abc` } }],
  'users.list.cursor-other-account': [
    { title: 'The cursor belongs to another account.', cursorOf: PAGE, request: { path: '/users?accountId={accounts/contoso}' } },
  ],
  'users.list.cursor-other-sort-by': [
    { title: 'The sortBy differs from that of the first page.', cursorOf: PAGE, request: { path: `${USERS}&sortBy=lastName` } },
  ],
  'users.list.cursor-other-sort-order': [
    { title: 'The sortOrder differs from that of the first page.', cursorOf: PAGE, request: { path: `${USERS}&sortOrder=desc` } },
  ],
  'users.list.scope': [{ title: 'The token lacks the scope users:manage.', request: { path: USERS, token: 'no-users-scope' } }],
  'users.get.scope': [{ title: 'The token lacks the scope users:manage.', request: { path: ADA, token: 'no-users-scope' } }],
  'users.get.not-found': [
    { title: 'The user does not exist.', request: { path: `/users/${UNKNOWN_ID}` } },
    { title: 'The principal has no access to the account of the user.', request: { path: '/users/{users/hidden}' } },
    { title: 'The native id has a style that is not supported.', request: { path: '/users/ext:0042@pbx.example' } },
    { title: 'The principal has no access to any account.', request: { path: ADA, token: 'outsider' } },
  ],
  'users.list.rate': [
    {
      title: 'A fault limits one request. For a real limit: xpk start --set users.rate-limit=2',
      request: { path: USERS },
      ...answeredBy('users.list.rate'),
    },
  ],
  'users.get.rate': [
    {
      title: 'A fault limits one request. For a real limit: xpk start --set users.rate-limit=2',
      request: { path: ADA },
      ...answeredBy('users.get.rate'),
    },
  ],
  'users.list.internal': [
    { title: 'The service fails, because of a fault.', request: { path: USERS }, ...answeredBy('users.list.internal') },
  ],
  'users.get.internal': [{ title: 'The service fails, because of a fault.', request: { path: ADA }, ...answeredBy('users.get.internal') }],
  'users.list.fail-closed': [
    {
      title: 'The authorization service cannot be reached.',
      fault: { fault: 'authorization-service-down', operation: 'getUsers' },
      request: { path: USERS },
    },
  ],
  'users.get.fail-closed': [
    {
      title: 'The authorization service cannot be reached.',
      fault: { fault: 'authorization-service-down', operation: 'getUser' },
      request: { path: ADA },
    },
  ],
  'auth.token.missing': [
    { title: 'The request has no Authorization header.', request: { path: ADA, token: 'none' } },
    {
      title: 'The Authorization header has another scheme than Bearer.',
      request: { path: ADA, token: 'none', headers: { authorization: 'Basic Zm9vOmJhcg==' } },
    },
    { title: 'A creation has no Authorization header.', request: { ...assign(number('+12065550103')), token: 'none' } },
  ],
  'auth.token.invalid': [
    { title: 'The signature of the token is wrong.', request: { path: ADA, token: { kind: 'wrong-signature' } } },
    { title: 'The token is not signed.', request: { path: ADA, token: { kind: 'alg-none' } } },
    { title: 'The token was issued by another server.', request: { path: ADA, token: { kind: 'wrong-issuer' } } },
    { title: 'The token is for another API.', request: { path: ADA, token: { kind: 'wrong-audience' } } },
    { title: 'The token is not valid yet.', request: { path: ADA, token: { kind: 'not-yet-valid' } } },
    { title: 'The token is not a JWT.', request: { path: ADA, token: { kind: 'not-a-jwt' } } },
  ],
  'auth.token.expired': [{ title: 'The token has expired.', request: { path: ADA, token: { kind: 'expired' } } }],
  'auth.challenge': { metWith: 'auth.token.missing' },
  'auth.claim.principal': [
    { title: 'The token lacks the principal claim.', request: { path: USERS, token: 'no-principal' } },
    { title: 'The token lacks the principal claim.', request: { path: ADA, token: 'no-principal' } },
  ],
  'auth.missing-scope': [
    {
      title: 'The token lacks the scope experience-connections:manage.',
      request: { path: `${C}/{connections/northwind-concierge}`, token: 'no-connections-scope' },
      status: 403,
    },
    {
      title: 'The token lacks the scope experience-assignments:manage.',
      request: { path: `${A}/{assignments/concierge-main-line}`, token: 'no-assignments-scope' },
      status: 403,
    },
  ],
  'users.token-without-claim-and-scope': [
    {
      title: 'The token lacks the principal claim and the scope.',
      request: { path: ADA, token: 'no-principal-no-users-scope' },
      status: 401,
    },
  ],
  'http.duplicate-parameter': [
    { title: 'The request has two values for pageSize.', request: { path: `${USERS}&pageSize=5&pageSize=6` }, status: 400 },
  ],
  'http.unknown-route': [
    { title: 'The users operations have no path with the prefix /experience.', request: { path: `/experience${USERS}` }, status: 404 },
    { title: 'The path is misspelt.', request: { path: '/experience/conections/{connections/contoso-scheduler}' }, status: 404 },
  ],
  'http.method-not-allowed': [{ title: 'The path does not have this method.', request: { method: 'PATCH', path: USERS }, status: 405 }],
  'http.unsupported-media-type': [
    {
      title: 'The body is JSON in another character set than UTF-8.',
      request: { ...connect(pair('contoso', 'concierge')), headers: { 'content-type': 'application/json; charset=latin1' } },
      status: 415,
    },
  ],
  'http.injected-fault': [
    {
      title: 'A fault answers the request.',
      fault: { fault: 'problem', status: 429, operation: 'getUser' },
      request: { path: ADA },
      status: 429,
    },
  ],
} as const satisfies Partial<Scenarios>;
