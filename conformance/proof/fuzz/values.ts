import fc, { type Arbitrary } from 'fast-check';
import { operations as service } from '../../../src/contract/generated/operations.ts';
import { small } from '../../../src/world/testing/small.ts';
import { type Json, resolve } from './operations.ts';

/** `~users.3~` stands for a value that is only known when the request is sent: here the id of a user. */
const placeholder = (pool: string, index: number): string => `~${pool}.${index}~`;
/** Values of these pools belong together if they have the same index. The first is the newest or the most useful. */
const RELATED = ['clientIds', 'secrets', 'redirectUris'];

export function pooled(pool: string): Arbitrary<string> {
  const first = { weight: RELATED.includes(pool) ? 15 : 1, arbitrary: fc.constant(0) };
  return fc.oneof(first, { weight: 1, arbitrary: fc.nat(60) }).map((index) => placeholder(pool, index));
}

/** The members and parameters that take values of a pool. */
const POOLS: Readonly<Record<string, string>> = {
  experiences: 'experienceId experience',
  accounts: 'accountId account',
  providers: 'provider providerId',
  telephoneNumbers: 'telephoneNumber tn login_hint',
  assignments: 'assignmentId',
  connections: 'experienceConnectionId',
  principals: 'principal',
  clients: 'client',
  subscriptions: 'subscription subscriptionId',
  deliveries: 'deliveryId',
  faults: 'faultId',
  traces: 'traceId',
  cursors: 'cursor',
  codes: 'code',
  refreshTokens: 'refresh_token',
  clientIds: 'client_id',
  redirectUris: 'redirect_uri',
  secrets: 'client_secret',
  // Deliveries go to endpoints of this machine only.
  destinations: 'Destination',
};
/** What the keys of a map are, by its name. */
const KEYS: Readonly<Record<string, string>> = { levels: 'providers', accounts: 'accounts' };

const SCOPES = 'experience-connections:manage experience-assignments:manage experience-assignability:check users:manage offline_access';
/** The header of a response that a fault injected. */
export const INJECTED = 'x-injected';

/** Values by the name of a member, parameter or schema whose schema is too wide, too narrow, or makes requests wait. */
const NAMED: Readonly<Record<string, Arbitrary<unknown>>> = {
  ...Object.fromEntries(Object.entries(POOLS).flatMap(([pool, names]) => names.split(' ').map((name) => [name, pooled(pool)]))),
  userId: fc.oneof(pooled('users'), pooled('nativeIds')),
  SnapshotName: fc.constantFrom('one', 'two', 'three'),
  to: fc.constantFrom('seed', 'seed', 'seed', 'empty', 'one', 'two'),
  World: fc.constantFrom<unknown>(placeholder('worlds', 0), small),
  by: fc.constantFrom<unknown>('1s', '250ms', '10m', '2d', '8760h', '9999999d', 0, 31_536_000_000),
  operation: fc.constantFrom(...Object.keys(service), 'token', 'authorize'),
  status: fc.constantFrom(400, 401, 403, 404, 409, 422, 429, 503),
  type: fc.constantFrom('experience.connection.created', 'provisioning.user.created', 'raw'),
  sortBy: fc.constantFrom('createdAt', 'updatedAt', 'firstName', 'lastName'),
  sortOrder: fc.constantFrom('asc', 'desc'),
  scope: fc.subarray(SCOPES.split(' '), { minLength: 1 }).map((scopes) => scopes.join(' ')),
  code_challenge: fc.constant('IZeA_Jei9Z5pO2ybwu0h1t2Tj_AUREcrmRIeiKh1z5E'),
  code_verifier: fc.constant('fuzz-fuzz-fuzz-fuzz-fuzz-fuzz-fuzz-fuzz-fuzz-fuzz'),
  // The claims, which are signed when the request is sent.
  client_assertion: fc.uuid().map((jti) => {
    const [id, audience] = [placeholder('clientIds', 0), placeholder('issuer', 0)];
    return { iss: id, sub: id, aud: audience, jti, iat: placeholder('seconds', 0), exp: placeholder('seconds', 60) };
  }),
  client_assertion_type: fc.constant('urn:ietf:params:oauth:client-assertion-type:jwt-bearer'),
  only: fc.constantFrom('requests', 'events,deliveries'),
  method: fc.constantFrom('GET', 'POST'),
  path: fc.constantFrom('/users/*', '/auth/oauth/token', '*'),
  limit: fc.integer({ min: 1, max: 1_000 }),
  ...Object.fromEntries(['latencyMs', 'timeoutMs', 'maxWaitMs'].map((name) => [name, fc.integer({ min: 0, max: 10 })])),
  latencyMaxMs: fc.integer({ min: 10, max: 20 }),
  ...Object.fromEntries(['times', 'count'].map((name) => [name, fc.integer({ min: 1, max: 3 })])),
};

/** Bodies whose members exclude each other, which their schema does not say. */
const EXAMPLES: Readonly<Record<string, Arbitrary<object>>> = {
  RawEvent: fc.record({ subscription: pooled('subscriptions'), body: fc.jsonValue({ maxDepth: 2 }), allowInvalid: fc.constant(true) }),
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
/** Optional members that would often decide alone how the request ends. */
const SELDOM = ['cursor', 'id', 'Last-Event-ID', 'subscriptionId'];
/** Without these a request may wait for long. */
const ALWAYS = ['timeoutMs', 'maxWaitMs', 'times', 'count'];

const TARGETS = { USER: 'users', PHONE_NUMBER: 'telephoneNumbers', ACCOUNT: 'accounts' };
const target = fc
  .tuple(fc.constantFrom(...Object.entries(TARGETS)), fc.nat(60))
  .map(([[type, pool], index]) => [type, placeholder(pool, index)] as const);

/** Values that a schema permits, as far as it says. */
export function valid(document: Json, schema: Json, name = ''): Arbitrary<unknown> {
  if (schema.pool) return pooled(schema.pool);
  const reference = (schema.$ref as string | undefined)?.split('/').at(-1) ?? '';
  const named = NAMED[name] ?? NAMED[reference];
  if (named && schema.const === undefined && schema.enum === undefined) return named;
  if (schema.$ref) {
    const any = valid(document, resolve(document, schema), name);
    return EXAMPLES[reference] ? fc.oneof(EXAMPLES[reference], any) : any;
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  const { type = schema.properties || schema.allOf ? 'object' : undefined } = schema;
  const alternatives: Json[] | undefined =
    schema.oneOf ?? schema.anyOf ?? (Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : undefined);
  if (alternatives) return fc.oneof(...alternatives.map((one) => valid(document, one, name)));
  return type === 'object' ? validObject(document, schema, name) : validScalar(document, { ...schema, type }, name);
}

function validScalar(document: Json, schema: Json, name: string): Arbitrary<unknown> {
  const { type, pattern, format, minimum = 0, maximum = Number.MAX_SAFE_INTEGER, minItems = 0, uniqueItems } = schema;
  if (type === 'array') {
    const items = valid(document, schema.items ?? {}, name);
    const bounds = { minLength: minItems, maxLength: 4 };
    return uniqueItems ? fc.uniqueArray(items, { ...bounds, selector: (one) => JSON.stringify(one) }) : fc.array(items, bounds);
  }
  if (type === 'integer' || type === 'number')
    return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: Math.min(maximum, 1e9) }));
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type !== 'string') return fc.jsonValue({ maxDepth: 2 });
  if (format === 'date-time') return fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'uri') return fc.constant('http://127.0.0.1:3000/callback');
  return pattern ? fc.stringMatching(new RegExp(pattern), { maxLength: 60 }) : fc.constantFrom('Ada', 'experience', 'x', 'Zoë', '1');
}

function validObject(document: Json, schema: Json, name: string): Arbitrary<object> {
  if (typeof schema.additionalProperties === 'object') {
    const key = name in KEYS ? pooled(KEYS[name]!) : fc.constantFrom('one', 'x-two', 'content-type');
    return fc.dictionary(key, valid(document, schema.additionalProperties), { maxKeys: 3, noNullPrototype: true });
  }
  const parts: Json[] = [schema, ...(schema.allOf ?? []).map((one: Json) => resolve(document, one))];
  const properties: Json = Object.assign({}, ...parts.map((part) => part.properties));
  const required: string[] = parts.flatMap((part) => part.required ?? []);
  const members = Object.entries(properties).map(([key, one]) => {
    const value = valid(document, one, key);
    const isSeldom = SELDOM.includes(key) && !required.includes(key);
    return [key, isSeldom ? fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, value) : value] as const;
  });
  const requiredKeys = Object.keys(properties).filter((key) => required.includes(key) || ALWAYS.includes(key));
  const record = fc.record<Json>(Object.fromEntries(members), { requiredKeys, noNullPrototype: true });
  const key = ['target', 'targetValue'].find((candidate) => candidate in properties) ?? '';
  if (!('targetType' in properties)) return record;
  return fc.tuple(record, target).map(([object, [type, value]]) => ({
    ...object,
    ...('targetType' in object && { targetType: type }),
    ...(key in object && { [key]: value }),
  }));
}
