import fc, { type Arbitrary } from 'fast-check';
import { operations as service } from '../../../src/contract/generated/operations.ts';
import { small } from '../../../src/world/testing/small.ts';

/** A value that is looked up when the request is sent, as only then it is known: `~users.3~` is the id of a user of the world under test. */
export const placeholder = (pool: string, index: number): string => `~${pool}.${index}~`;
/** Values of these pools belong together if they have the same index. The first is the newest or the most useful. */
const TOGETHER = ['clientIds', 'secrets', 'redirectUris', 'logins', 'answered'];
export const from = (pool: string): Arbitrary<string> => {
  const first = { weight: TOGETHER.includes(pool) ? 15 : 1, arbitrary: fc.constant(0) };
  return fc.oneof(first, { weight: 1, arbitrary: fc.nat(60) }).map((index) => placeholder(pool, index));
};

const VERIFIER = 'fuzz-fuzz-fuzz-fuzz-fuzz-fuzz-fuzz-fuzz-fuzz-fuzz';
const CHALLENGE = 'IZeA_Jei9Z5pO2ybwu0h1t2Tj_AUREcrmRIeiKh1z5E';
const SCOPES = 'experience-connections:manage experience-assignments:manage experience-assignability:check users:manage offline_access';

/** Where values of a name come from. */
const POOLS: Readonly<Record<string, string>> = {
  ...{ experienceId: 'experiences', experience: 'experiences', accountId: 'accounts', account: 'accounts', provider: 'providers' },
  ...{ providerId: 'providers', telephoneNumber: 'telephoneNumbers', tn: 'telephoneNumbers', assignmentId: 'assignments' },
  ...{ experienceConnectionId: 'connections', principal: 'principals', client: 'clients', subscription: 'subscriptions' },
  ...{ subscriptionId: 'subscriptions', deliveryId: 'deliveries', faultId: 'faults', traceId: 'traces', cursor: 'cursors' },
  ...{ code: 'codes', refresh_token: 'refreshTokens', client_id: 'clientIds', redirect_uri: 'redirectUris' },
  ...{ client_secret: 'secrets', login_hint: 'telephoneNumbers', 'Last-Event-ID': 'positions' },
};
/** The pools of maps by what their keys are. */
export const KEYS: Readonly<Record<string, string>> = { levels: 'providers', accounts: 'accounts' };

const claims = fc.record({ jti: fc.uuid() }).map(({ jti }) => {
  const [id, audience] = [placeholder('clientIds', 0), placeholder('issuer', 0)];
  return { iss: id, sub: id, aud: audience, jti, iat: placeholder('seconds', 0), exp: placeholder('seconds', 60) };
});

/** Values by the name of a member, a parameter or a schema, where the schema does not say enough, or too much: waiting has to be short. */
export const NAMED: Readonly<Record<string, Arbitrary<unknown>>> = {
  ...Object.fromEntries(Object.entries(POOLS).map(([name, pool]) => [name, from(pool)])),
  userId: fc.oneof(from('users'), from('nativeIds')),
  SnapshotName: fc.constantFrom('one', 'two', 'three'),
  to: fc.constantFrom('seed', 'seed', 'seed', 'seed', 'empty', 'one', 'two', 'three'),
  // Nothing may be sent to another machine: these values are never altered.
  Destination: from('destinations'),
  World: fc.constantFrom<unknown>(placeholder('worlds', 0), placeholder('worlds', 0), small),
  by: fc.constantFrom<unknown>('1s', '250ms', '10m', '2d', '8760h', '9999999d', 0, 1, 31_536_000_000),
  operation: fc.constantFrom(...Object.keys(service), 'token', 'authorize'),
  status: fc.constantFrom(400, 401, 403, 404, 409, 422, 429, 503),
  type: fc.constantFrom('experience.connection.created', 'provisioning.user.created', 'raw'),
  sortBy: fc.constantFrom('createdAt', 'updatedAt', 'firstName', 'lastName'),
  sortOrder: fc.constantFrom('asc', 'desc'),
  scope: fc.oneof(
    fc.constant(SCOPES),
    fc.subarray(SCOPES.split(' '), { minLength: 1 }).map((some) => some.join(' ')),
  ),
  code_challenge: fc.constant(CHALLENGE),
  code_verifier: fc.constant(VERIFIER),
  client_assertion: claims,
  client_assertion_type: fc.constant('urn:ietf:params:oauth:client-assertion-type:jwt-bearer'),
  only: fc.constantFrom('requests', 'events,deliveries'),
  method: fc.constantFrom('GET', 'POST'),
  path: fc.constantFrom('/users/*', '/auth/oauth/token', '*'),
  limit: fc.integer({ min: 1, max: 1_000 }),
  latencyMs: fc.integer({ min: 0, max: 10 }),
  latencyMaxMs: fc.integer({ min: 10, max: 20 }),
  timeoutMs: fc.integer({ min: 0, max: 20 }),
  maxWaitMs: fc.integer({ min: 0, max: 20 }),
  times: fc.integer({ min: 1, max: 3 }),
  count: fc.integer({ min: 1, max: 3 }),
};
/** The header of a response that a fault gives in place of that of the service. */
export const INJECTED = 'x-injected';

/** Bodies whose members exclude one another, which the schema does not say. */
export const EXAMPLES: Readonly<Record<string, Arbitrary<object>>> = {
  RawEvent: fc.record({ subscription: from('subscriptions'), body: fc.jsonValue({ maxDepth: 2 }), allowInvalid: fc.constant(true) }),
  FaultRequest: fc.constantFrom(
    { fault: 'problem', status: 404, times: 3 },
    { fault: 'problem', status: 503, operation: 'getUsers', times: 3 },
    { fault: 'problem', status: 429, undocumented: true, times: 3 },
    { fault: 'latency', latencyMs: 0, latencyMaxMs: 20, probability: 0.5, times: 3 },
    { fault: 'response', status: 200, headers: { [INJECTED]: 'yes' }, body: [{ x: 1 }], times: 3 },
    { fault: 'connection-reset', times: 1 },
    { fault: 'authorization-service-down', times: 3 },
  ),
};
/** Optional members that mostly decide alone whether the rest matters. */
export const MOSTLY_ABSENT = ['cursor', 'id', 'Last-Event-ID', 'subscriptionId'];
export const BOUNDED = ['timeoutMs', 'maxWaitMs', 'times', 'count'];
export const FIXED = [...BOUNDED, 'latencyMs', 'latencyMaxMs', 'destinationUrl', 'status', 'inPath', 'inQuery', 'inHeader'];

const TARGETS = [
  ['USER', 'users'],
  ['PHONE_NUMBER', 'telephoneNumbers'],
  ['ACCOUNT', 'accounts'],
] as const;
export const target = fc.tuple(fc.constantFrom(...TARGETS), fc.nat(60)).map(([[type, pool], index]) => [type, placeholder(pool, index)]);
