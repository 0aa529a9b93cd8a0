import type { controlOperations } from '../../../src/contract/generated/control-operations.ts';
import { createChallenge, getClientId, MANAGER_NUMBER, REDIRECT_URI } from '../../../src/testing/oauth-flow.ts';
import { type Collection, getSchemaName } from '../../../src/world/world.ts';

/** In its strings, `$EVENT`, `$DELIVERY`, `$FAULT` and `$CHECK` stand for ids, and `$CODE` for an authorization code. */
export interface OtherExample {
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  /** Calls to the control API after the calls in `preparation`. */
  readonly before?: readonly PreparingCall[];
}

export type PreparingCall = readonly [method: string, path: string, body?: object];

export const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

/** Calls to the control API before every example. */
export const preparation: readonly PreparingCall[] = [
  ['POST', '/reset', { to: 'seed' }],
  ['PUT', '/snapshots/before-checkout'],
  ['PATCH', '/state/users/ada', { firstName: 'Augusta' }],
  ['PATCH', '/state/connections/northwind-reception', { state: 'ACTIVE' }],
  ['POST', '/faults', { fault: 'latency', operation: 'getUsers', latencyMs: 5 }],
];

/** Values of parameters by name. An example of an operation can contain others. */
export const commonParameters: NonNullable<OtherExample['parameters']> = {
  as: 'platform',
  limit: 10,
  subscription: 'acme-everything',
  subscriptionId: 'acme-everything',
  type: 'experience.connection.activated',
  entity: 'northwind-reception',
  provider: 'acme',
  account: 'northwind',
  experience: 'concierge',
  target: '+12065550100',
  traceId: TRACE_ID,
  deliveryId: '$DELIVERY',
  faultId: '$FAULT',
  checkId: '$CHECK',
  scenario: 'slow',
};

const world = { world: 'small', providers: { ours: { name: 'Our Company' } }, accounts: { customer: { name: 'A Customer' } } };
const deliveryMode = { hold: true };
const hold: PreparingCall = ['PUT', '/subscriptions/acme-everything/delivery-mode', deliveryMode];
const check: PreparingCall = ['POST', '/checks', { check: 'client', rules: ['client.token-in-header'] }];
/** Positions before and after every event. */
const FIRST = '019b76da-a800-7000-8000-000000000000';
const LAST = 'ffffffff-ffff-7fff-bfff-ffffffffffff';

/** An operation needs an example only for a body, or for parameters that are not in `commonParameters`. */
const examples: { readonly [Name in keyof typeof controlOperations | 'authorize' | 'token']?: OtherExample } = {
  mintToken: { body: { client: 'acme-web', principal: 'manager', scopes: ['users:manage'], expiresIn: 600 } },
  listWorlds: {
    before: [
      ['DELETE', '/worlds/checkout-test'],
      ['POST', '/worlds', { name: 'checkout-test', label: 'checkout' }],
    ],
  },
  createWorld: { body: { name: 'pull-request-12', label: 'Pull request 12' }, before: [['DELETE', '/worlds/pull-request-12']] },
  listEndedWorldRequests: {
    parameters: { name: 'last-test' },
    before: [
      ['POST', '/worlds', { name: 'last-test' }],
      ['DELETE', '/worlds/last-test'],
    ],
  },
  deleteWorld: { parameters: { name: 'ended-test' }, before: [['POST', '/worlds', { name: 'ended-test' }]] },
  uploadWorld: { body: { name: 'small.yaml', yaml: 'world: small\nproviders: { ours: { name: Our Company } }\n' } },
  loadState: { body: world },
  createEntities: { body: { accounts: { annex: { name: 'Annex' } }, users: { hedy: { account: 'annex', firstName: 'Hedy' } } } },
  undo: { parameters: { change: '$CHANGE' } },
  findNames: { body: { text: getClientId('acme-web') } },
  listChanges: { parameters: { entity: 'ada', before: LAST } },
  reset: { body: { to: 'before-checkout' } },
  saveSnapshot: { parameters: { name: 'after-checkout' }, before: [['DELETE', '/snapshots/after-checkout']] },
  deleteSnapshot: { parameters: { name: 'before-checkout' } },
  advanceClock: { body: { by: '1h' } },
  listDeliveries: { parameters: { state: 'acknowledged', order: 'newest-first' } },
  waitForDeliveries: { body: { subscription: 'acme-everything', type: 'experience.connection.activated', count: 1 } },
  readEvent: { parameters: { event: '$EVENT' } },
  triggerEvent: { parameters: { event: 'provisioning.user.created' }, body: { subscription: 'acme-everything' } },
  createSubscription: { body: { alias: 'checkout', provider: 'acme', types: ['provisioning.user.created'] } },
  patchSubscription: { body: { types: ['provisioning.user.created', 'provisioning.user.deleted'] } },
  recover: { body: { since: '2026-03-01T09:00:00Z', acknowledged: true } },
  setDeliveryMode: { body: deliveryMode },
  readDeliveryMode: { before: [hold] },
  releaseDeliveries: {
    body: { order: 'oldest-first', count: 1 },
    before: [hold, ['PATCH', '/state/connections/northwind-reception', { state: 'INACTIVE' }]],
  },
  addFault: { body: { fault: 'problem', operation: 'getUser', rule: 'users.get.not-found', times: 1 } },
  listRequests: {
    parameters: {
      operation: 'getUser',
      status: '404',
      method: 'GET',
      path: '/users/*',
      credential: 'acme-web',
      rule: 'users.get.not-found',
      text: 'get /users/',
      since: 0,
      before: 1_000_000,
      view: 'full',
    },
  },
  waitForRequest: { body: { operation: 'getUser', status: '4xx' } },
  listEvents: { parameters: { before: LAST, state: 'acknowledged' } },
  checkSignature: { body: { deliveryId: '$DELIVERY' } },
  readFindings: { parameters: { since: 0, lists: 'parts' } },
  readReport: { parameters: { name: 'conformance-report' } },
  listChecks: { before: [check] },
  startCheck: { body: { check: 'webhook', url: 'http://127.0.0.1:3000/events', stateUrl: 'http://127.0.0.1:3000/state' } },
  readCheck: { parameters: { waitMs: 60_000 }, before: [check] },
  stopCheck: { before: [check] },
  sendRawEvent: {
    body: { subscription: 'acme-everything', type: 'experience.connection.moved', data: { to: 'here' }, allowInvalid: true },
  },
  answerDelivery: { parameters: { attemptId: '5e0fd8f4-7a4b-4f0e-9a5e-0a4b8f0c2d11' }, body: { status: 204 } },
  listen: { before: [['PATCH', '/subscriptions/acme-everything', { destinationUrl: 'https://xpk-listen.invalid/' }]] },
  streamEverything: { parameters: { only: 'events', 'Last-Event-ID': `${FIRST}.0.${FIRST}.${FIRST}` } },
  explainEvents: { parameters: { since: FIRST } },
  authorize: {
    parameters: {
      response_type: 'code',
      client_id: getClientId('acme-web'),
      redirect_uri: REDIRECT_URI,
      scope: 'users:manage offline_access',
      state: 'af0ifjsldkj',
      code_challenge: createChallenge(VERIFIER),
      code_challenge_method: 'S256',
      login_hint: MANAGER_NUMBER,
    },
  },
  token: {
    body: {
      grant_type: 'authorization_code',
      code: '$CODE',
      redirect_uri: REDIRECT_URI,
      client_id: getClientId('acme-web'),
      code_verifier: VERIFIER,
      client_secret: 'demo-secret-acme-web',
    },
  },
};

/** An existing entity's alias, a new entity with its alias, and a change of the existing entity. */
type EntityExample = readonly [existing: string, name: string, created: object, change: object];

const entities: Readonly<Record<Collection, EntityExample>> = {
  providers: ['acme', 'initech', { name: 'Initech Voice' }, { name: 'Acme Voice & Video' }],
  experiences: ['concierge', 'greeter', { provider: 'acme', name: 'Acme Greeter', type: 'AGENT' }, { name: 'Acme Butler' }],
  accounts: ['northwind', 'annex', { name: 'Annex' }, { name: 'Northwind' }],
  telephoneNumbers: ['+12065550100', '+12065550160', { account: 'northwind' }, {}],
  users: ['ada', 'hedy', { account: 'northwind', firstName: 'Hedy', lastName: 'Lamarr' }, { lastName: null }],
  principals: ['manager', 'auditor', { name: 'Ana Auditor', accounts: { northwind: 'read' } }, { accounts: { fabrikam: 'manage' } }],
  clients: [
    'acme-web',
    'acme-app',
    { provider: 'acme', name: 'Acme App', secret: 'a-secret-of-acme-app', redirectUris: [REDIRECT_URI] },
    { name: 'Acme Website' },
  ],
  assignments: [
    'concierge-main-line',
    'reception-free-line',
    { experience: 'reception', targetType: 'PHONE_NUMBER', target: '+12065550103' },
    {},
  ],
  connections: ['northwind-concierge', 'fabrikam-reception', { account: 'fabrikam', experience: 'reception' }, { state: 'INACTIVE' }],
  subscriptions: [
    'acme-concierge-lines',
    'checkout',
    { provider: 'acme', types: ['provisioning.user.created'] },
    { types: ['experience.assignment.created'] },
  ],
};

const entityExamples = Object.entries(entities).flatMap(([collection, [existing, name, created, change]]): [string, OtherExample][] => {
  const noun = `${getSchemaName(collection as Collection)}Entit`;
  const ofExisting = { parameters: { id: existing } };
  return [
    [`list${noun}ies`, { parameters: { after: existing.slice(0, 1), search: existing } }],
    [`create${noun}y`, { body: { alias: name, ...created } }],
    [`read${noun}y`, ofExisting],
    [`put${noun}y`, { parameters: { id: name }, body: created }],
    [`patch${noun}y`, { ...ofExisting, body: change }],
    [`delete${noun}y`, { parameters: { id: name }, before: [['PUT', `/state/${collection}/${name}`, created]] }],
  ];
});

/** Maps an operationId in the published documents to its example. */
export const otherExamples: Readonly<Record<string, OtherExample>> = { ...examples, ...Object.fromEntries(entityExamples) };
