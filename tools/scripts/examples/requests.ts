import type { EventType } from '../../../src/contract/generated/events.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import type { Kit } from '../../../src/kit.ts';
import { UNKNOWN_UUID } from '../../../src/refusals/hostile-values.ts';
import type { CallChange } from '../../../src/refusals/refusal.ts';
import type { ControlCall } from '../../../src/refusals/scenario.ts';

/** A change of the operation's demo call, which then succeeds. */
export interface Example extends CallChange {
  readonly name: string;
  readonly summary: string;
  readonly before?: readonly ControlCall[];
  /** Whether to request the second page, with the first page's cursor. */
  readonly continues?: true;
}

const ADA = { targetType: 'USER', targetValue: '{users/ada}' };
const OF_NORTHWIND = { accountId: '{accounts/northwind}' };
const FABRIKAM_USERS = { accountId: '{accounts/fabrikam}', pageSize: 2, sortBy: 'lastName', sortOrder: 'desc' };
const NUMBERS_OF_CONCIERGE = { ...OF_NORTHWIND, experienceId: '{experiences/concierge}', targetType: 'PHONE_NUMBER', pageSize: 1 };

/** Some tools send all parameters' first examples in one request, so these must fit together. */
export const examples: Readonly<Record<OperationId, readonly [Example, ...Example[]]>> = {
  getExperienceAssignability: [
    { name: 'user', summary: 'A user that the Experience can be assigned to.', values: ADA },
    { name: 'number', summary: 'A telephone number that the Experience can be assigned to.' },
    { name: 'unknown-user', summary: 'A user that does not exist.', values: { targetType: 'USER', targetValue: UNKNOWN_UUID } },
  ],
  getExperienceAssignments: [
    {
      name: 'users-of-account',
      summary: 'The users of an account that an Experience is assigned to.',
      values: { experienceId: '{experiences/scheduler}', targetType: 'USER', pageSize: 1 },
    },
    { name: 'user', summary: 'The assignments of one user.', valid: ADA },
    { name: 'number', summary: 'The assignments of one number.', valid: { targetType: 'PHONE_NUMBER', targetValue: '+12065550100' } },
    { name: 'next-page', summary: 'The second page.', valid: NUMBERS_OF_CONCIERGE, continues: true },
  ],
  createExperienceAssignment: [
    { name: 'number', summary: 'Assigns an Experience to a telephone number.' },
    {
      name: 'user',
      summary: 'Assigns an Experience to a user.',
      values: { targetType: 'USER', targetValue: '{users/grace}' },
    },
    {
      name: 'account',
      summary: 'Assigns an Experience to an account.',
      values: { targetType: 'ACCOUNT', targetValue: '{accounts/contoso}' },
    },
  ],
  getExperienceAssignment: [{ name: 'number', summary: 'The assignment of a number.' }],
  deleteExperienceAssignment: [{ name: 'number', summary: 'Unassigns a number.', id: '{assignments/scheduler-line}' }],
  getExperienceConnections: [
    {
      name: 'account',
      summary: 'The connection of an account to an Experience.',
      values: { experienceId: '{experiences/concierge}', pageSize: 1 },
    },
    {
      name: 'telephone-number',
      summary: 'A connection of the account that owns a number.',
      valid: { telephoneNumber: '+12065550100', pageSize: 1 },
    },
    {
      name: 'tn',
      summary: 'The same connection, selected with the deprecated parameter tn.',
      valid: { tn: '+12065550100', pageSize: 1 },
    },
    { name: 'next-page', summary: 'The second page.', values: { pageSize: 1 }, continues: true },
  ],
  createExperienceConnection: [
    {
      name: 'account',
      summary:
        'Connects an account to an Experience. In the demo world, the account and the Experience are connected, so delete this connection first.',
      values: { experienceId: '{experiences/reception}' },
      before: [{ method: 'DELETE', path: '/state/connections/contoso-reception' }],
    },
  ],
  getExperienceConnection: [{ name: 'active', summary: 'An ACTIVE connection.' }],
  updateExperienceConnection: [
    { name: 'activate', summary: 'Activates a connection.', id: '{connections/northwind-reception}', values: { state: 'ACTIVE' } },
    { name: 'deactivate', summary: 'Deactivates a connection.', id: '{connections/northwind-scheduler}' },
  ],
  deleteExperienceConnection: [{ name: 'no-numbers', summary: 'A connection without numbers.', id: '{connections/contoso-reception}' }],
  getUsers: [
    { name: 'first-page', summary: 'The first page.', values: FABRIKAM_USERS },
    { name: 'next-page', summary: 'The second page.', values: FABRIKAM_USERS, continues: true },
  ],
  getUser: [
    { name: 'unified', summary: 'By the unified id.' },
    { name: 'base62', summary: 'By a Base62 id.', id: '7Xk2_mQ9-bLw4ZtR' },
    { name: 'legacy-numeric', summary: 'By a legacy numeric id.', id: '2065550001' },
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
    kit.state.add('assignments', { experience: 'reception', targetType: 'PHONE_NUMBER', target: '+12065550103' }),
  'experience.assignment.deleted': (kit) => kit.state.delete('assignments', 'scheduler-line'),
  'provisioning.user.created': (kit) => kit.state.add('users', { account: 'northwind', firstName: 'Annie', lastName: 'Easley' }),
  'provisioning.user.deleted': (kit) => kit.state.delete('users', 'nameless'),
};
