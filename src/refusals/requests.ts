import { both, createPlaceholder, demo, type RefusalTable } from './refusal.ts';

const GET_USER = { operation: 'getUser' } as const;
const GET_USERS = { operation: 'getUsers' } as const;
const USERS_PATH = '/users?accountId={accounts/northwind}';

/** Refusals that several operations have in common. The suite has its own checks of most of them. */
export const requestRefusals = {
  'auth.token.missing': [
    demo('The request has no Authorization header.', { ...GET_USER, as: 'nobody' }),
    demo('The Authorization header has a scheme other than Bearer.', {
      ...GET_USER,
      as: 'nobody',
      request: { headers: { authorization: 'Basic Zm9vOmJhcg==' } },
    }),
    demo('A request that creates an entity has no Authorization header.', { operation: 'createExperienceAssignment', as: 'nobody' }),
  ],
  'auth.token.invalid': [
    demo("The token's signature is wrong.", { ...GET_USER, request: { token: { kind: 'wrong-signature' } } }),
    demo('The token is not signed.', { ...GET_USER, request: { token: { kind: 'alg-none' } } }),
    demo('The token was issued by another server.', { ...GET_USER, request: { token: { kind: 'wrong-issuer' } } }),
    demo('The token is for another API.', { ...GET_USER, request: { token: { kind: 'wrong-audience' } } }),
    demo('The token is not valid yet.', { ...GET_USER, request: { token: { kind: 'not-yet-valid' } } }),
    demo('The token is not a JWT.', { ...GET_USER, request: { token: { kind: 'not-a-jwt' } } }),
  ],
  'auth.token.expired': [demo('The token has expired.', { ...GET_USER, request: { token: { kind: 'expired' } } })],
  'auth.challenge': { metWith: 'auth.token.missing' },
  'auth.claim.principal': [
    demo('The token lacks the principal claim.', { ...GET_USERS, as: 'without-claim' }),
    demo('The token lacks the principal claim.', { ...GET_USER, as: 'without-claim' }),
  ],
  'auth.missing-scope': [
    demo('The token lacks the scope experience-connections:manage.', { operation: 'getExperienceConnection', as: 'without-scope' }),
    demo('The token lacks the scope experience-assignments:manage.', { operation: 'getExperienceAssignment', as: 'without-scope' }),
  ],
  'users.token-without-claim-and-scope': [
    both('The token lacks the principal claim and the scope.', { operation: 'getUser', as: 'without-claim-and-scope' }),
    { operation: 'getUsers', valid: { accountId: createPlaceholder('account') }, as: 'without-claim-and-scope' },
  ],
  'http.duplicate-parameter': [
    demo('The request has two values for pageSize.', { ...GET_USERS, request: { path: `${USERS_PATH}&pageSize=5&pageSize=6` } }),
  ],
  'http.unknown-route': [
    demo('The users operations have no path with the prefix /experience.', { request: { path: `/experience${USERS_PATH}` } }),
    demo('The path is misspelt.', { request: { path: '/experience/conections/{connections/contoso-scheduler}' } }),
  ],
  'http.method-not-allowed': [demo('The path does not support this method.', { request: { method: 'PATCH', path: USERS_PATH } })],
  'http.unsupported-media-type': [
    demo('The body is JSON in a character set other than UTF-8.', {
      operation: 'createExperienceConnection',
      request: { headers: { 'content-type': 'application/json; charset=latin1' } },
    }),
  ],
  'http.injected-fault': [
    demo('A fault makes the kit refuse the request.', {
      ...GET_USER,
      fault: { fault: 'problem', status: 429, operation: 'getUser' },
      status: 429,
    }),
  ],
} as const satisfies Partial<RefusalTable>;
