import { createHostilePageSizes, HOSTILE_NUMBERS, HOSTILE_STATES, HOSTILE_UUIDS, UNKNOWN_UUID, UNLISTED_STATE } from './hostile-values.ts';
import { both, createPlaceholder, demo, hostile, type Refusal, type RefusalTable } from './refusal.ts';

const [ACCOUNT, EXPERIENCE] = [createPlaceholder('account.any'), createPlaceholder('experience.any')];
const NUMBER = createPlaceholder('number.any');
const BY_ACCOUNT_AND_EXPERIENCE = { accountId: ACCOUNT, experienceId: EXPERIENCE };
const [A_UUID, A_NUMBER] = [HOSTILE_UUIDS[0]?.value, HOSTILE_NUMBERS[0]?.value];

const READ_ONLY_CONNECTION = '{connections/northwind-directory}';
const HIDDEN_CONNECTION = '{connections/contoso-switchboard}';
const CREATE = { operation: 'createExperienceConnection' } as const;
const UPDATE = { operation: 'updateExperienceConnection' } as const;

/** Creates an account with its own connection, because a deleted demo connection could not be restored with the same id. */
const withConnection = (state: 'ACTIVE' | 'INACTIVE', status: number) =>
  ({
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
    id: '$CONNECTION',
    status,
    answer: null,
  }) as const satisfies Refusal;

export const connectionRefusals = {
  'connections.list.scope': [{ as: 'without-scope' }],
  'connections.list.selector-required': [
    both('The list request has neither accountId nor telephoneNumber.', { values: { accountId: undefined } }),
    { valid: BY_ACCOUNT_AND_EXPERIENCE, values: { accountId: undefined } },
  ],
  'connections.list.account-id-uuid': [
    demo('The accountId is an alias.', { values: { accountId: 'northwind' } }),
    hostile(HOSTILE_UUIDS, 'accountId'),
    { valid: { telephoneNumber: NUMBER }, values: { accountId: A_UUID } },
  ],
  'connections.list.experience-id-uuid': [
    demo('The experienceId is an alias.', { values: { experienceId: 'concierge' } }),
    hostile(HOSTILE_UUIDS, 'experienceId', BY_ACCOUNT_AND_EXPERIENCE),
    { valid: { telephoneNumber: NUMBER, experienceId: EXPERIENCE }, values: { experienceId: A_UUID } },
  ],
  'connections.list.telephone-number-format': [
    demo('The telephoneNumber has no plus sign.', { valid: { telephoneNumber: NUMBER }, values: { telephoneNumber: '12065550100' } }),
    demo('The telephoneNumber is not a number.', { valid: { telephoneNumber: NUMBER }, values: { telephoneNumber: 'x' } }),
    hostile(HOSTILE_NUMBERS, 'telephoneNumber', { telephoneNumber: NUMBER }),
    // The malformed telephoneNumber takes precedence over the valid tn.
    { valid: { tn: NUMBER }, values: { telephoneNumber: A_NUMBER } },
  ],
  'connections.list.tn-format': [
    demo('The plus sign in tn is not encoded, so it is decoded as a space.', {
      request: { path: '/experience-connections?tn=+12065550100' },
    }),
    hostile(HOSTILE_NUMBERS, 'tn', { tn: NUMBER }),
  ],
  'connections.list.page-size-range': [
    demo('The pageSize is 0.', { values: { pageSize: 0 } }),
    hostile(createHostilePageSizes(100), 'pageSize', { accountId: ACCOUNT, pageSize: 100 }),
  ],

  'connections.create.scope': [{ as: 'without-scope' }],
  'connections.create.malformed': [
    both('The body is not valid JSON.', { rawBody: '{' }),
    demo('The body is a form.', { rawBody: 'a=b', request: { headers: { 'content-type': 'application/x-www-form-urlencoded' } } }),
  ],
  'connections.malformed-body': [
    both('The body is an array.', { rawBody: '[]', ...CREATE }),
    { rawBody: 'null', ...CREATE },
    { rawBody: '"text"', ...CREATE },
    { rawBody: '[]', ...UPDATE },
    both('The body is null.', { rawBody: 'null', ...UPDATE }),
    { rawBody: '"text"', ...UPDATE },
  ],
  'connections.create.read-only': [
    demo('The principal may only read the account.', {
      values: { accountId: '{accounts/fabrikam}', experienceId: '{experiences/reception}' },
    }),
    demo('The provider may only read the Experience.', { values: { experienceId: '{experiences/directory}' } }),
    { as: 'reader' },
  ],
  'connections.create.exists': [
    demo('The account is connected to the Experience, with the state ACTIVE.', { values: { accountId: '{accounts/northwind}' } }),
    demo('The account is connected to the Experience, with the state INACTIVE.', { values: { experienceId: '{experiences/reception}' } }),
  ],
  'connections.create.required-field': [
    both('The body has no experienceId.', { values: { experienceId: undefined } }),
    { values: { accountId: undefined } },
  ],
  'connections.create.invalid-value': [
    demo('The experienceId is an alias.', { values: { experienceId: 'concierge' } }),
    demo('The state is in lower case.', { values: { state: 'active' } }),
    hostile(HOSTILE_UUIDS, 'accountId'),
    hostile(HOSTILE_UUIDS, 'experienceId'),
    { values: { state: UNLISTED_STATE } },
    hostile(
      HOSTILE_STATES.filter(({ value }) => typeof value === 'string'),
      'state',
    ),
    // A server may take null for an absent state, and a value of another type for a malformed request.
    {
      ...hostile(
        HOSTILE_STATES.filter(({ value }) => typeof value !== 'string' && value !== null),
        'state',
      ),
      statuses: [422, 400],
    },
  ],
  'connections.create.unknown-account-or-experience': [
    both('The account does not exist.', { values: { accountId: UNKNOWN_UUID }, ...CREATE }),
    both('The Experience does not exist.', { values: { experienceId: UNKNOWN_UUID }, ...CREATE }),
    // The scenarios name other pairs, because the demo world has connections of these.
    demo('The provider has no access to the Experience.', {
      values: { accountId: '{accounts/northwind}', experienceId: '{experiences/switchboard}' },
      ...CREATE,
    }),
    demo('The principal has no access to the account.', {
      values: { accountId: '{accounts/tailspin}', experienceId: '{experiences/reception}' },
      ...CREATE,
    }),
    { values: { experienceId: createPlaceholder('experience.hidden') }, ...CREATE },
    { values: { accountId: createPlaceholder('account.hidden') }, ...CREATE },
  ],
  'connections.create.unknown-account-or-experience-refused': [{ as: 'outsider' }],

  'connections.get.scope': [{ as: 'without-scope' }],
  'connections.get.not-found': [
    both('The connection does not exist.', { id: UNKNOWN_UUID }),
    demo('The provider has no access to the Experience.', { id: HIDDEN_CONNECTION }),
    demo('The principal has no access to the account.', { id: '{connections/tailspin-concierge}' }),
    { as: 'outsider' },
    { id: 'no-such-connection', statuses: [404, 400] },
  ],

  'connections.update.scope': [{ as: 'without-scope' }],
  'connections.update.malformed': [
    demo('The body is not valid JSON.', { rawBody: '{"state":"INACTIVE",}' }),
    { rawBody: '{"state": "ACTIVE"' },
  ],
  'connections.update.missing-field': [both('The body has no state.', { values: { state: undefined }, ...UPDATE })],
  'connections.update.missing-field-refused': [{ values: { state: undefined }, statuses: [400, 422] }],
  'connections.update.invalid-value': [
    demo('The state is in lower case.', { values: { state: 'inactive' } }),
    { ...hostile(HOSTILE_STATES, 'state'), statuses: [422, 400] },
  ],
  'connections.update.read-only': [
    demo('The provider may only read the Experience.', { id: READ_ONLY_CONNECTION }),
    demo('The principal may only read the account.', { id: '{connections/fabrikam-concierge}' }),
    { as: 'reader' },
  ],
  'connections.update.not-found': [
    both('The connection does not exist.', { id: UNKNOWN_UUID }),
    demo('The caller has no access to the connection.', { id: HIDDEN_CONNECTION }),
    { as: 'outsider' },
    { id: 'no-such-connection', statuses: [404, 400] },
  ],
  'connections.update.activates': [
    demo('The connection is INACTIVE, and the update requests ACTIVE.', {
      ...withConnection('INACTIVE', 200),
      values: { state: 'ACTIVE' },
    }),
  ],
  'connections.update.deactivates': [
    demo('The connection is ACTIVE, and the update requests INACTIVE.', { ...withConnection('ACTIVE', 200) }),
  ],
  'connections.update.same-state': [
    demo('The connection is ACTIVE, and the update requests ACTIVE.', { values: { state: 'ACTIVE' } }),
    demo('The connection is INACTIVE, and the update requests INACTIVE.', { id: '{connections/contoso-reception}' }),
  ],
  'connections.update.same-state-unchanged': { metWith: 'connections.update.same-state' },

  'connections.delete.scope': [{ as: 'without-scope' }],
  'connections.delete.read-only': [demo('The provider may only read the Experience.', { id: READ_ONLY_CONNECTION }), { as: 'reader' }],
  'connections.delete.not-found': [
    both('The connection does not exist.', { id: UNKNOWN_UUID }),
    demo('The caller has no access to the connection.', { id: HIDDEN_CONNECTION }),
    { as: 'outsider' },
    { id: 'no-such-connection', statuses: [404, 400] },
  ],
  'connections.delete.deleted': [
    demo("None of the account's telephone numbers is assigned to the Experience.", { ...withConnection('ACTIVE', 204) }),
  ],
  'connections.delete.numbers-assigned': [
    demo("One of the account's telephone numbers is assigned to the Experience.", { id: '{connections/northwind-reception}' }),
    demo("Several of the account's telephone numbers are assigned to the Experience."),
  ],
  'connections.delete.refused-changes-nothing': { metWith: 'connections.delete.numbers-assigned' },
} as const satisfies Partial<RefusalTable>;
