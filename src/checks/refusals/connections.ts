import {
  buildConnectionBody,
  buildCreateConnectionRequest,
  buildDeleteRequest,
  buildUpdateConnectionRequest,
  CONNECTIONS_PATH,
  NORTHWIND_FILTER,
  UNKNOWN_ID,
} from './demo-requests.ts';
import type { ControlCall, Scenarios } from './scenario.ts';

const READ_ONLY_CONNECTION = '{connections/northwind-directory}';
const HIDDEN_CONNECTION = '{connections/contoso-switchboard}';
const UNASSIGNED_CONNECTION = '{connections/contoso-scheduler}';

/** Creates an account with its own connection, because a deleted demo connection could not be restored with the same id. */
const withConnection = (state: 'ACTIVE' | 'INACTIVE'): { readonly before: ControlCall[]; readonly after: ControlCall[] } => ({
  before: [
    {
      method: 'POST',
      path: '/state/accounts',
      body: { alias: 'scenario', name: 'Scenario' },
      capture: { name: 'ACCOUNT', member: 'id' },
    },
    { method: 'PATCH', path: '/state/principals/manager', body: { accounts: { scenario: 'manage' } } },
    {
      method: 'POST',
      path: '/state/connections',
      body: { account: 'scenario', experience: 'reception', state },
      capture: { name: 'CONNECTION', member: 'id' },
    },
  ],
  // The id, because another client may meanwhile have created an account with this alias.
  after: [{ method: 'DELETE', path: '/state/accounts/$ACCOUNT' }],
});
const CREATED_CONNECTION = '$CONNECTION';

export const connectionScenarios = {
  'connections.list.selector-required': [
    { title: 'The list request has neither accountId nor telephoneNumber.', request: { path: CONNECTIONS_PATH } },
  ],
  'connections.list.account-id-uuid': [
    { title: 'The accountId is an alias.', request: { path: `${CONNECTIONS_PATH}?accountId=northwind` } },
  ],
  'connections.list.experience-id-uuid': [
    { title: 'The experienceId is an alias.', request: { path: `${CONNECTIONS_PATH}?${NORTHWIND_FILTER}&experienceId=concierge` } },
  ],
  'connections.list.telephone-number-format': [
    { title: 'The telephoneNumber has no plus sign.', request: { path: `${CONNECTIONS_PATH}?telephoneNumber=12065550100` } },
    { title: 'The telephoneNumber is not a number.', request: { path: `${CONNECTIONS_PATH}?telephoneNumber=x` } },
  ],
  'connections.list.tn-format': [
    { title: 'The plus sign in tn is not encoded, so it is decoded as a space.', request: { path: `${CONNECTIONS_PATH}?tn=+12065550100` } },
  ],
  'connections.list.page-size-range': [
    { title: 'The pageSize is 0.', request: { path: `${CONNECTIONS_PATH}?${NORTHWIND_FILTER}&pageSize=0` } },
  ],
  'connections.create.malformed': [
    { title: 'The body is not valid JSON.', request: buildCreateConnectionRequest('{') },
    {
      title: 'The body is a form.',
      request: { ...buildCreateConnectionRequest('a=b'), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    },
  ],
  'connections.malformed-body': [
    { title: 'The body is an array.', request: buildCreateConnectionRequest([]), status: 400 },
    { title: 'The body is null.', request: buildUpdateConnectionRequest(UNASSIGNED_CONNECTION, 'null'), status: 400 },
  ],
  'connections.create.read-only': [
    {
      title: 'The principal may only read the account.',
      request: buildCreateConnectionRequest(buildConnectionBody('fabrikam', 'reception')),
    },
    {
      title: 'The provider may only read the Experience.',
      request: buildCreateConnectionRequest(buildConnectionBody('contoso', 'directory')),
    },
  ],
  'connections.create.exists': [
    {
      title: 'The account is connected to the Experience, with the state ACTIVE.',
      request: buildCreateConnectionRequest(buildConnectionBody('northwind', 'concierge')),
    },
    {
      title: 'The account is connected to the Experience, with the state INACTIVE.',
      request: buildCreateConnectionRequest(buildConnectionBody('contoso', 'reception')),
    },
  ],
  'connections.create.required-field': [
    { title: 'The body has no experienceId.', request: buildCreateConnectionRequest({ accountId: '{accounts/contoso}' }) },
  ],
  'connections.create.invalid-value': [
    {
      title: 'The experienceId is an alias.',
      request: buildCreateConnectionRequest({ ...buildConnectionBody('contoso', 'concierge'), experienceId: 'concierge' }),
    },
    {
      title: 'The state is in lower case.',
      request: buildCreateConnectionRequest({ ...buildConnectionBody('contoso', 'concierge'), state: 'active' }),
    },
  ],
  'connections.create.unknown-account-or-experience': [
    {
      title: 'The account does not exist.',
      request: buildCreateConnectionRequest({ ...buildConnectionBody('contoso', 'concierge'), accountId: UNKNOWN_ID }),
      status: 422,
    },
    {
      title: 'The Experience does not exist.',
      request: buildCreateConnectionRequest({ ...buildConnectionBody('contoso', 'concierge'), experienceId: UNKNOWN_ID }),
      status: 422,
    },
    {
      title: 'The provider has no access to the Experience.',
      request: buildCreateConnectionRequest(buildConnectionBody('northwind', 'switchboard')),
      status: 422,
    },
    {
      title: 'The principal has no access to the account.',
      request: buildCreateConnectionRequest(buildConnectionBody('tailspin', 'reception')),
      status: 422,
    },
  ],
  'connections.get.not-found': [
    { title: 'The connection does not exist.', request: { path: `${CONNECTIONS_PATH}/${UNKNOWN_ID}` } },
    { title: 'The provider has no access to the Experience.', request: { path: `${CONNECTIONS_PATH}/${HIDDEN_CONNECTION}` } },
    { title: 'The principal has no access to the account.', request: { path: `${CONNECTIONS_PATH}/{connections/tailspin-concierge}` } },
  ],
  'connections.update.malformed': [
    { title: 'The body is not valid JSON.', request: buildUpdateConnectionRequest(UNASSIGNED_CONNECTION, '{"state":"INACTIVE",}') },
  ],
  'connections.update.missing-field': [
    { title: 'The body has no state.', request: buildUpdateConnectionRequest(UNASSIGNED_CONNECTION, {}), status: 422 },
  ],
  'connections.update.invalid-value': [
    { title: 'The state is in lower case.', request: buildUpdateConnectionRequest(UNASSIGNED_CONNECTION, { state: 'inactive' }) },
  ],
  'connections.update.read-only': [
    {
      title: 'The provider may only read the Experience.',
      request: buildUpdateConnectionRequest(READ_ONLY_CONNECTION, { state: 'INACTIVE' }),
    },
    {
      title: 'The principal may only read the account.',
      request: buildUpdateConnectionRequest('{connections/fabrikam-concierge}', { state: 'INACTIVE' }),
    },
  ],
  'connections.update.not-found': [
    { title: 'The connection does not exist.', request: buildUpdateConnectionRequest(UNKNOWN_ID, { state: 'ACTIVE' }) },
    {
      title: 'The caller has no access to the connection.',
      request: buildUpdateConnectionRequest(HIDDEN_CONNECTION, { state: 'INACTIVE' }),
    },
  ],
  'connections.update.activates': [
    {
      title: 'The connection is INACTIVE, and the update requests ACTIVE.',
      ...withConnection('INACTIVE'),
      request: buildUpdateConnectionRequest(CREATED_CONNECTION, { state: 'ACTIVE' }),
      status: 200,
      answer: null,
    },
  ],
  'connections.update.deactivates': [
    {
      title: 'The connection is ACTIVE, and the update requests INACTIVE.',
      ...withConnection('ACTIVE'),
      request: buildUpdateConnectionRequest(CREATED_CONNECTION, { state: 'INACTIVE' }),
      status: 200,
      answer: null,
    },
  ],
  'connections.update.same-state': [
    {
      title: 'The connection is ACTIVE, and the update requests ACTIVE.',
      request: buildUpdateConnectionRequest(UNASSIGNED_CONNECTION, { state: 'ACTIVE' }),
    },
    {
      title: 'The connection is INACTIVE, and the update requests INACTIVE.',
      request: buildUpdateConnectionRequest('{connections/contoso-reception}', { state: 'INACTIVE' }),
    },
  ],
  'connections.update.same-state-unchanged': { metWith: 'connections.update.same-state' },
  'connections.delete.read-only': [
    { title: 'The provider may only read the Experience.', request: buildDeleteRequest(`${CONNECTIONS_PATH}/${READ_ONLY_CONNECTION}`) },
  ],
  'connections.delete.not-found': [
    { title: 'The connection does not exist.', request: buildDeleteRequest(`${CONNECTIONS_PATH}/${UNKNOWN_ID}`) },
    { title: 'The caller has no access to the connection.', request: buildDeleteRequest(`${CONNECTIONS_PATH}/${HIDDEN_CONNECTION}`) },
  ],
  'connections.delete.deleted': [
    {
      title: "None of the account's telephone numbers is assigned to the Experience.",
      ...withConnection('ACTIVE'),
      request: buildDeleteRequest(`${CONNECTIONS_PATH}/${CREATED_CONNECTION}`),
      status: 204,
      answer: null,
    },
  ],
  'connections.delete.numbers-assigned': [
    {
      title: "One of the account's telephone numbers is assigned to the Experience.",
      request: buildDeleteRequest(`${CONNECTIONS_PATH}/{connections/northwind-reception}`),
    },
    {
      title: "Several of the account's telephone numbers are assigned to the Experience.",
      request: buildDeleteRequest(`${CONNECTIONS_PATH}/{connections/northwind-concierge}`),
    },
  ],
  'connections.delete.refused-changes-nothing': { metWith: 'connections.delete.numbers-assigned' },
} as const satisfies Partial<Scenarios>;
