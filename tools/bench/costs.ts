import type { OperationId } from '../../src/contract/generated/operations.ts';
import { ACCOUNT_ID, EXPERIENCE_ID, NUMBER } from './world.ts';

export type Call = readonly [method: string, path: string, body?: object];

interface Cost {
  readonly operation: OperationId;
  /** `{id}` is the previous response's id. */
  readonly call: Call;
  /** The number of SQL statements on SQLite. */
  readonly statements: number;
  /** Statements that are sent before an earlier one is answered share its round trip. */
  readonly onPostgres: { readonly statements: number; readonly roundTrips: number };
}

export const CHECK_PATH = `/experiences/${EXPERIENCE_ID}/assignability?${new URLSearchParams({ targetType: 'PHONE_NUMBER', targetValue: NUMBER })}`;
export const PAGE_PATH = `/experience-assignments?accountId=${ACCOUNT_ID}`;
const NEW_ASSIGNMENT = { experienceId: EXPERIENCE_ID, targetType: 'PHONE_NUMBER', targetValue: NUMBER };
const NEW_CONNECTION = { accountId: ACCOUNT_ID, experienceId: EXPERIENCE_ID };

const cost = (operation: OperationId, call: Call, statements: number, onPostgres: number, roundTrips: number): Cost => ({
  ...{ operation, call, statements },
  onPostgres: { statements: onPostgres, roundTrips },
});

/** What each operation costs at most, in the order in which the calls are sent. */
export const COSTS: readonly Cost[] = [
  cost('getExperienceAssignability', ['GET', CHECK_PATH], 3, 5, 5),
  cost('getExperienceAssignments', ['GET', PAGE_PATH], 2, 3, 3),
  cost('createExperienceAssignment', ['POST', '/experience-assignments', NEW_ASSIGNMENT], 8, 14, 14),
  cost('getExperienceAssignment', ['GET', '/experience-assignments/{id}'], 1, 2, 2),
  cost('deleteExperienceAssignment', ['DELETE', '/experience-assignments/{id}'], 7, 11, 11),
  cost('createExperienceConnection', ['POST', '/experience-connections', NEW_CONNECTION], 8, 13, 13),
  cost('getExperienceConnections', ['GET', `/experience-connections?accountId=${ACCOUNT_ID}`], 2, 3, 3),
  cost('getExperienceConnection', ['GET', '/experience-connections/{id}'], 1, 2, 2),
  cost('updateExperienceConnection', ['PUT', '/experience-connections/{id}', { state: 'ACTIVE' }], 6, 12, 12),
  cost('deleteExperienceConnection', ['DELETE', '/experience-connections/{id}'], 7, 13, 13),
  cost('getUsers', ['GET', `/users?accountId=${ACCOUNT_ID}`], 3, 6, 6),
  cost('getUser', ['GET', '/users/{user}'], 1, 2, 2),
];
