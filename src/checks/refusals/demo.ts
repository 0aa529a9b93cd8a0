import type { OperationId } from '../../contract/generated/operations.ts';
import type { ApiRequest } from './scenario.ts';

/** The paths and bodies of requests about entities of the demo world. */

export const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
/** A telephone number that is assigned to no Experience. */
export const FREE = '+12065550103';
/** A telephone number that the demo world does not contain. */
export const UNKNOWN_NUMBER = '+12065559999';

export const A = '/experience/assignments';
export const C = '/experience-connections';
export const NORTHWIND = 'accountId={accounts/northwind}';
export const USERS = `/users?${NORTHWIND}`;
export const ADA = '/users/{users/ada}';

const NUMBER = `targetType=PHONE_NUMBER&targetValue=${encodeURIComponent(FREE)}`;
export const check = (experience: string, search = NUMBER): ApiRequest => ({
  path: `/experiences/${experience}/assignability?${search}`,
});
export const assign = (body: unknown): ApiRequest => ({ method: 'POST', path: A, body });
export const connect = (body: unknown): ApiRequest => ({ method: 'POST', path: C, body });
export const put = (connection: string, body: unknown): ApiRequest => ({ method: 'PUT', path: `${C}/${connection}`, body });
export const remove = (path: string): ApiRequest => ({ method: 'DELETE', path });
/** The body that assigns a telephone number to an Experience. */
export const number = (targetValue: string, experience = 'reception') => ({
  experienceId: `{experiences/${experience}}`,
  targetType: 'PHONE_NUMBER',
  targetValue,
});
export const pair = (account: string, experience: string) => ({
  accountId: `{accounts/${account}}`,
  experienceId: `{experiences/${experience}}`,
});

/** For each operation, a request that is valid with the token `full`. Scenarios send it with other tokens, so that it changes nothing. */
export const sampleRequests: Readonly<Record<OperationId, ApiRequest>> = {
  getExperienceAssignability: check('{experiences/concierge}'),
  getExperienceAssignments: { path: `${A}?${NORTHWIND}` },
  createExperienceAssignment: assign(number(FREE)),
  getExperienceAssignment: { path: `${A}/{assignments/concierge-main-line}` },
  deleteExperienceAssignment: remove(`${A}/{assignments/concierge-main-line}`),
  getExperienceConnections: { path: `${C}?${NORTHWIND}` },
  createExperienceConnection: connect(pair('northwind', 'concierge')),
  getExperienceConnection: { path: `${C}/{connections/northwind-concierge}` },
  updateExperienceConnection: put('{connections/northwind-concierge}', { state: 'INACTIVE' }),
  deleteExperienceConnection: remove(`${C}/{connections/northwind-concierge}`),
  getUsers: { path: USERS },
  getUser: { path: ADA },
};
