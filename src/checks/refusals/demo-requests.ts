import type { OperationId } from '../../contract/generated/operations.ts';
import type { ApiRequest } from './scenario.ts';

export const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
/** A telephone number without an assignment. */
export const FREE_NUMBER = '+12065550103';
export const UNKNOWN_NUMBER = '+12065559999';

export const ASSIGNMENTS_PATH = '/experience/assignments';
export const CONNECTIONS_PATH = '/experience-connections';
export const NORTHWIND_FILTER = 'accountId={accounts/northwind}';
export const USERS_PATH = `/users?${NORTHWIND_FILTER}`;
export const ADA_PATH = '/users/{users/ada}';

const NUMBER_FILTER = `targetType=PHONE_NUMBER&targetValue=${encodeURIComponent(FREE_NUMBER)}`;
export const buildAssignabilityRequest = (experience: string, query = NUMBER_FILTER): ApiRequest => ({
  path: `/experiences/${experience}/assignability?${query}`,
});
export const buildCreateAssignmentRequest = (body: unknown): ApiRequest => ({ method: 'POST', path: ASSIGNMENTS_PATH, body });
export const buildCreateConnectionRequest = (body: unknown): ApiRequest => ({ method: 'POST', path: CONNECTIONS_PATH, body });
export const buildUpdateConnectionRequest = (connection: string, body: unknown): ApiRequest => ({
  method: 'PUT',
  path: `${CONNECTIONS_PATH}/${connection}`,
  body,
});
export const buildDeleteRequest = (path: string): ApiRequest => ({ method: 'DELETE', path });
export const buildAssignmentBody = (targetValue: string, experience = 'reception') => ({
  experienceId: `{experiences/${experience}}`,
  targetType: 'PHONE_NUMBER',
  targetValue,
});
export const buildConnectionBody = (account: string, experience: string) => ({
  accountId: `{accounts/${account}}`,
  experienceId: `{experiences/${experience}}`,
});

/** Maps an operation to a request with a valid path and body. Scenarios send it only with an invalid token. */
export const sampleRequests: Readonly<Record<OperationId, ApiRequest>> = {
  getExperienceAssignability: buildAssignabilityRequest('{experiences/concierge}'),
  getExperienceAssignments: { path: `${ASSIGNMENTS_PATH}?${NORTHWIND_FILTER}` },
  createExperienceAssignment: buildCreateAssignmentRequest(buildAssignmentBody(FREE_NUMBER)),
  getExperienceAssignment: { path: `${ASSIGNMENTS_PATH}/{assignments/concierge-main-line}` },
  deleteExperienceAssignment: buildDeleteRequest(`${ASSIGNMENTS_PATH}/{assignments/concierge-main-line}`),
  getExperienceConnections: { path: `${CONNECTIONS_PATH}?${NORTHWIND_FILTER}` },
  createExperienceConnection: buildCreateConnectionRequest(buildConnectionBody('northwind', 'concierge')),
  getExperienceConnection: { path: `${CONNECTIONS_PATH}/{connections/northwind-concierge}` },
  updateExperienceConnection: buildUpdateConnectionRequest('{connections/northwind-concierge}', { state: 'INACTIVE' }),
  deleteExperienceConnection: buildDeleteRequest(`${CONNECTIONS_PATH}/{connections/northwind-concierge}`),
  getUsers: { path: USERS_PATH },
  getUser: { path: ADA_PATH },
};
