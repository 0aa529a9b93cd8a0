import { C, connect, NORTHWIND, pair, put, remove, UNKNOWN_ID } from './demo.ts';
import type { ControlCall, Scenarios } from './scenario.ts';

const READ_ONLY = '{connections/northwind-directory}';
const HIDDEN = '{connections/contoso-switchboard}';
const FREE = '{connections/contoso-scheduler}';

/** Creates an account with a connection. A connection of the demo world could not be restored with its id after a scenario deleted it. */
const withConnection = (state: 'ACTIVE' | 'INACTIVE'): { readonly before: ControlCall[]; readonly after: ControlCall[] } => ({
  before: [
    { method: 'POST', path: '/state/accounts', body: { alias: 'scenario', name: 'Scenario' } },
    { method: 'PATCH', path: '/state/principals/manager', body: { accounts: { scenario: 'manage' } } },
    {
      method: 'POST',
      path: '/state/connections',
      body: { account: 'scenario', experience: 'reception', state },
      capture: { name: 'CONNECTION', member: 'id' },
    },
  ],
  after: [{ method: 'DELETE', path: '/state/accounts/scenario' }],
});
const OWN = '$CONNECTION';

/** Scenarios of the operations on connections. */
export const connections = {
  'connections.list.selector-required': [{ title: 'The list request has neither accountId nor telephoneNumber.', request: { path: C } }],
  'connections.list.account-id-uuid': [{ title: 'The accountId is an alias.', request: { path: `${C}?accountId=northwind` } }],
  'connections.list.experience-id-uuid': [
    { title: 'The experienceId is an alias.', request: { path: `${C}?${NORTHWIND}&experienceId=concierge` } },
  ],
  'connections.list.telephone-number-format': [
    { title: 'The telephoneNumber has no plus sign.', request: { path: `${C}?telephoneNumber=12065550100` } },
    { title: 'The telephoneNumber is not a number.', request: { path: `${C}?telephoneNumber=x` } },
  ],
  'connections.list.tn-format': [
    { title: 'The plus sign of tn is not encoded, so it is a space.', request: { path: `${C}?tn=+12065550100` } },
  ],
  'connections.list.page-size-range': [{ title: 'The pageSize is 0.', request: { path: `${C}?${NORTHWIND}&pageSize=0` } }],
  'connections.create.malformed': [
    { title: 'The body is not valid JSON.', request: connect('{') },
    {
      title: 'The body is a form.',
      request: { ...connect('a=b'), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    },
  ],
  'connections.malformed-body': [
    { title: 'The body is an array.', request: connect([]), status: 400 },
    { title: 'The body is null.', request: put(FREE, 'null'), status: 400 },
  ],
  'connections.create.read-only': [
    { title: 'The principal may only read the account.', request: connect(pair('fabrikam', 'reception')) },
    { title: 'The provider may only read the Experience.', request: connect(pair('contoso', 'directory')) },
  ],
  'connections.create.exists': [
    { title: 'The account is connected to the Experience, with the state ACTIVE.', request: connect(pair('northwind', 'concierge')) },
    { title: 'The account is connected to the Experience, with the state INACTIVE.', request: connect(pair('contoso', 'reception')) },
  ],
  'connections.create.required-field': [{ title: 'The body has no experienceId.', request: connect({ accountId: '{accounts/contoso}' }) }],
  'connections.create.invalid-value': [
    { title: 'The experienceId is an alias.', request: connect({ ...pair('contoso', 'concierge'), experienceId: 'concierge' }) },
    { title: 'The state is in lower case.', request: connect({ ...pair('contoso', 'concierge'), state: 'active' }) },
  ],
  'connections.create.unknown-account-or-experience': [
    { title: 'The account does not exist.', request: connect({ ...pair('contoso', 'concierge'), accountId: UNKNOWN_ID }), status: 422 },
    {
      title: 'The Experience does not exist.',
      request: connect({ ...pair('contoso', 'concierge'), experienceId: UNKNOWN_ID }),
      status: 422,
    },
    { title: 'The provider has no access to the Experience.', request: connect(pair('northwind', 'switchboard')), status: 422 },
    { title: 'The principal has no access to the account.', request: connect(pair('tailspin', 'reception')), status: 422 },
  ],
  'connections.get.not-found': [
    { title: 'The connection does not exist.', request: { path: `${C}/${UNKNOWN_ID}` } },
    { title: 'The provider has no access to the Experience.', request: { path: `${C}/${HIDDEN}` } },
    { title: 'The principal has no access to the account.', request: { path: `${C}/{connections/tailspin-concierge}` } },
  ],
  'connections.update.malformed': [{ title: 'The body is not valid JSON.', request: put(FREE, '{"state":"INACTIVE",}') }],
  'connections.update.missing-field': [{ title: 'The body has no state.', request: put(FREE, {}), status: 422 }],
  'connections.update.invalid-value': [{ title: 'The state is in lower case.', request: put(FREE, { state: 'inactive' }) }],
  'connections.update.read-only': [
    { title: 'The provider may only read the Experience.', request: put(READ_ONLY, { state: 'INACTIVE' }) },
    {
      title: 'The principal may only read the account.',
      request: put('{connections/fabrikam-concierge}', { state: 'INACTIVE' }),
    },
  ],
  'connections.update.not-found': [
    { title: 'The connection does not exist.', request: put(UNKNOWN_ID, { state: 'ACTIVE' }) },
    { title: 'The caller has no access to the connection.', request: put(HIDDEN, { state: 'INACTIVE' }) },
  ],
  'connections.update.activates': [
    {
      title: 'The connection is INACTIVE, and the update requests ACTIVE.',
      ...withConnection('INACTIVE'),
      request: put(OWN, { state: 'ACTIVE' }),
      status: 200,
      answer: null,
    },
  ],
  'connections.update.deactivates': [
    {
      title: 'The connection is ACTIVE, and the update requests INACTIVE.',
      ...withConnection('ACTIVE'),
      request: put(OWN, { state: 'INACTIVE' }),
      status: 200,
      answer: null,
    },
  ],
  'connections.update.same-state': [
    { title: 'The connection is ACTIVE, and the update requests ACTIVE.', request: put(FREE, { state: 'ACTIVE' }) },
    {
      title: 'The connection is INACTIVE, and the update requests INACTIVE.',
      request: put('{connections/contoso-reception}', { state: 'INACTIVE' }),
    },
  ],
  'connections.update.same-state-unchanged': { metWith: 'connections.update.same-state' },
  'connections.delete.read-only': [{ title: 'The provider may only read the Experience.', request: remove(`${C}/${READ_ONLY}`) }],
  'connections.delete.not-found': [
    { title: 'The connection does not exist.', request: remove(`${C}/${UNKNOWN_ID}`) },
    { title: 'The caller has no access to the connection.', request: remove(`${C}/${HIDDEN}`) },
  ],
  'connections.delete.deleted': [
    {
      title: 'No telephone number of the account is assigned to the Experience.',
      ...withConnection('ACTIVE'),
      request: remove(`${C}/${OWN}`),
      status: 204,
      answer: null,
    },
  ],
  'connections.delete.numbers-assigned': [
    {
      title: 'A telephone number of the account is assigned to the Experience.',
      request: remove(`${C}/{connections/northwind-reception}`),
    },
    {
      title: 'Several telephone numbers of the account are assigned to the Experience.',
      request: remove(`${C}/{connections/northwind-concierge}`),
    },
  ],
  'connections.delete.refused-changes-nothing': { metWith: 'connections.delete.numbers-assigned' },
} as const satisfies Partial<Scenarios>;
