import {
  ASSIGNMENTS_PATH,
  buildAssignabilityRequest,
  buildAssignmentBody,
  buildConnectionBody,
  buildCreateAssignmentRequest,
  buildDeleteRequest,
  buildUpdateConnectionRequest,
  CONNECTIONS_PATH,
  FREE_NUMBER,
  NORTHWIND_FILTER,
  UNKNOWN_ID,
} from '../../../src/checks/refusals/demo-requests.ts';
import type { ApiRequest, ControlCall } from '../../../src/checks/refusals/scenario.ts';
import type { EventType } from '../../../src/contract/generated/events.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import type { Kit } from '../../../src/kit.ts';

/** A request that succeeds with the token `full` in a kit with the demo world. */
export interface Example {
  readonly name: string;
  readonly summary: string;
  readonly request: ApiRequest;
  readonly before?: readonly ControlCall[];
  /** Whether to request the second page, with the first page's cursor. */
  readonly continues?: true;
}

const PHONE = `targetType=PHONE_NUMBER&targetValue=${encodeURIComponent('+12065550100')}`;
const ADA = 'targetType=USER&targetValue={users/ada}';
const USERS = '/users?accountId={accounts/fabrikam}&pageSize=2&sortBy=lastName&sortOrder=desc';
const SCHEDULER_ASSIGNMENTS = `${ASSIGNMENTS_PATH}?${NORTHWIND_FILTER}&experienceId={experiences/concierge}&targetType=PHONE_NUMBER`;
const formatConnection = (alias: string) => `{connections/${alias}}`;
const formatAssignmentPath = (alias: string) => `${ASSIGNMENTS_PATH}/{assignments/${alias}}`;

/** Maps an operation to its examples. Some tools send all parameters' first examples in one request, so these must fit together. */
export const examples: Readonly<Record<OperationId, readonly [Example, ...Example[]]>> = {
  getExperienceAssignability: [
    {
      name: 'user',
      summary: 'A user that the Experience can be assigned to.',
      request: buildAssignabilityRequest('{experiences/concierge}', ADA),
    },
    {
      name: 'number',
      summary: 'A telephone number that the Experience can be assigned to.',
      request: buildAssignabilityRequest('{experiences/concierge}'),
    },
    {
      name: 'unknown-user',
      summary: 'A user that does not exist.',
      request: buildAssignabilityRequest('{experiences/concierge}', `targetType=USER&targetValue=${UNKNOWN_ID}`),
    },
  ],
  getExperienceAssignments: [
    {
      name: 'users-of-account',
      summary: 'The users of an account that an Experience is assigned to.',
      request: { path: `${ASSIGNMENTS_PATH}?${NORTHWIND_FILTER}&experienceId={experiences/scheduler}&targetType=USER&pageSize=1` },
    },
    { name: 'user', summary: 'The assignments of one user.', request: { path: `${ASSIGNMENTS_PATH}?${ADA}` } },
    { name: 'number', summary: 'The assignments of one number.', request: { path: `${ASSIGNMENTS_PATH}?${PHONE}` } },
    { name: 'next-page', summary: 'The second page.', request: { path: `${SCHEDULER_ASSIGNMENTS}&pageSize=1` }, continues: true },
  ],
  createExperienceAssignment: [
    {
      name: 'number',
      summary: 'Assigns an Experience to a telephone number.',
      request: buildCreateAssignmentRequest(buildAssignmentBody(FREE_NUMBER)),
    },
    {
      name: 'user',
      summary: 'Assigns an Experience to a user.',
      request: buildCreateAssignmentRequest({ experienceId: '{experiences/reception}', targetType: 'USER', targetValue: '{users/grace}' }),
    },
    {
      name: 'account',
      summary: 'Assigns an Experience to an account.',
      request: buildCreateAssignmentRequest({
        experienceId: '{experiences/reception}',
        targetType: 'ACCOUNT',
        targetValue: '{accounts/contoso}',
      }),
    },
  ],
  getExperienceAssignment: [
    { name: 'number', summary: 'The assignment of a number.', request: { path: formatAssignmentPath('concierge-main-line') } },
  ],
  deleteExperienceAssignment: [
    { name: 'number', summary: 'Unassigns a number.', request: buildDeleteRequest(formatAssignmentPath('scheduler-line')) },
  ],
  getExperienceConnections: [
    {
      name: 'account',
      summary: 'The connection of an account to an Experience.',
      request: { path: `${CONNECTIONS_PATH}?${NORTHWIND_FILTER}&experienceId={experiences/concierge}&pageSize=1` },
    },
    {
      name: 'telephone-number',
      summary: 'A connection of the account that owns a number.',
      request: { path: `${CONNECTIONS_PATH}?telephoneNumber=${encodeURIComponent('+12065550100')}&pageSize=1` },
    },
    {
      name: 'tn',
      summary: 'The same connection, selected with the deprecated parameter tn.',
      request: { path: `${CONNECTIONS_PATH}?tn=${encodeURIComponent('+12065550100')}&pageSize=1` },
    },
    {
      name: 'next-page',
      summary: 'The second page.',
      request: { path: `${CONNECTIONS_PATH}?${NORTHWIND_FILTER}&pageSize=1` },
      continues: true,
    },
  ],
  createExperienceConnection: [
    {
      name: 'account',
      summary:
        'Connects an account to an Experience. In the demo world, the account and the Experience are connected, so delete this connection first.',
      request: { method: 'POST', path: CONNECTIONS_PATH, body: buildConnectionBody('contoso', 'reception') },
      before: [{ method: 'DELETE', path: '/state/connections/contoso-reception' }],
    },
  ],
  getExperienceConnection: [
    {
      name: 'active',
      summary: 'An ACTIVE connection.',
      request: { path: `${CONNECTIONS_PATH}/${formatConnection('northwind-concierge')}` },
    },
  ],
  updateExperienceConnection: [
    {
      name: 'activate',
      summary: 'Activates a connection.',
      request: buildUpdateConnectionRequest(formatConnection('northwind-reception'), { state: 'ACTIVE' }),
    },
    {
      name: 'deactivate',
      summary: 'Deactivates a connection.',
      request: buildUpdateConnectionRequest(formatConnection('northwind-scheduler'), { state: 'INACTIVE' }),
    },
  ],
  deleteExperienceConnection: [
    {
      name: 'no-numbers',
      summary: 'A connection without numbers.',
      request: buildDeleteRequest(`${CONNECTIONS_PATH}/${formatConnection('contoso-reception')}`),
    },
  ],
  getUsers: [
    { name: 'first-page', summary: 'The first page.', request: { path: USERS } },
    { name: 'next-page', summary: 'The second page.', request: { path: USERS }, continues: true },
  ],
  getUser: [
    { name: 'unified', summary: 'By the unified id.', request: { path: '/users/{users/ada}' } },
    { name: 'base62', summary: 'By a Base62 id.', request: { path: '/users/7Xk2_mQ9-bLw4ZtR' } },
    { name: 'legacy-numeric', summary: 'By a legacy numeric id.', request: { path: '/users/2065550001' } },
  ],
};

export const eventCauses: Readonly<Record<EventType, (kit: Kit) => Promise<unknown>>> = {
  'experience.connection.created': async (kit) => {
    await kit.state.delete('connections', 'contoso-reception');
    await kit.state.add('connections', { account: 'contoso', experience: 'reception' });
  },
  'experience.connection.activated': (kit) => kit.state.set('connections', 'northwind-reception', { state: 'ACTIVE' }),
  'experience.connection.deactivated': (kit) => kit.state.set('connections', 'northwind-scheduler', { state: 'INACTIVE' }),
  'experience.connection.deleted': (kit) => kit.state.delete('connections', 'contoso-reception'),
  'experience.assignment.created': (kit) =>
    kit.state.add('assignments', { experience: 'reception', targetType: 'PHONE_NUMBER', target: FREE_NUMBER }),
  'experience.assignment.deleted': (kit) => kit.state.delete('assignments', 'scheduler-line'),
  'provisioning.user.created': (kit) => kit.state.add('users', { account: 'northwind', firstName: 'Annie', lastName: 'Easley' }),
  'provisioning.user.deleted': (kit) => kit.state.delete('users', 'nameless'),
};
