import assert from 'node:assert/strict';
import type { OperationId, operations, PathForm } from '../../contract/generated/operations.ts';
import { inARow, type Reply } from './expect.ts';
import type { Lab, ServiceClient, Token } from './lab.ts';
import { ASSIGNABILITY, ASSIGNMENT, ASSIGNMENTS, assign, CONNECTION, CONNECTIONS, connect, experience, number } from './steps.ts';
import { idOf, NOBODY } from './world.ts';

/** The kit, seen through one form of the paths. */
export interface Door {
  readonly lab: Lab;
  readonly form: PathForm;
  as(token: Token): ServiceClient;
}

type StatusOf<Op extends OperationId> = (typeof operations)[Op]['statuses'][number];
/** How to get each documented status of each operation. A missing one does not compile. */
type Answers = { readonly [Op in OperationId]: { readonly [Status in StatusOf<Op>]: (door: Door) => Promise<Reply> } };

const FREE = number('+442079460105');
const STAGE = idOf('accounts', 'stage');
const READ_ONLY_ASSIGNMENT = { params: { path: { assignmentId: idOf('assignments', 'of-readable-experience') } } };
const NO_ASSIGNMENT = { params: { path: { assignmentId: NOBODY } } };
const READ_ONLY_CONNECTION = { params: { path: { experienceConnectionId: idOf('connections', 'of-readable-experience') } } };
const NO_CONNECTION = { params: { path: { experienceConnectionId: NOBODY } } };
const ADA = { params: { path: { userId: idOf('users', 'ada') } } };
const ACTIVE = { body: { state: 'ACTIVE' } } as const;
const connection = (experienceConnectionId: string) => ({ params: { path: { experienceConnectionId } } });
const flatly = {
  prefixed: { assignments: ASSIGNMENTS, connections: CONNECTIONS },
  flat: { assignments: '/experience-assignments', connections: '/experience-connections' },
};

const check = ({ as }: Door, alias: 'agent' | 'readable' | 'hidden', token: Token) =>
  as(token).GET(ASSIGNABILITY, { params: { path: { experienceId: experience(alias) }, query: FREE } });
const newAssignment = async ({ lab, as }: Door, value?: string) =>
  as('full').POST(ASSIGNMENTS, { body: { experienceId: experience('general'), ...number(value ?? lab.room().numbers[0]) } });
const newConnection = ({ as }: Door, accountId: string, token: Token = 'full') =>
  as(token).POST(CONNECTIONS, { body: { accountId, experienceId: experience('general') } });
const users = ({ as }: Door, token: Token, accountId = STAGE) => as(token).GET('/users', { params: { query: { accountId } } });
const user = ({ as }: Door, token: Token) => as(token).GET('/users/{userId}', ADA);

/** The answer while the operation fails on purpose. */
const failing = async (door: Door, operation: 'getUsers' | 'getUser', status: number) => {
  await door.lab.fault({ operation, fault: 'problem', status, times: 1 });
  return operation === 'getUsers' ? users(door, 'full') : user(door, 'full');
};

export const answers: Answers = {
  getExperienceAssignability: {
    200: (door) => check(door, 'agent', 'full'),
    400: ({ as }) =>
      as('full').GET(ASSIGNABILITY, {
        params: { path: { experienceId: experience('agent') }, query: { targetType: 'USER', targetValue: 'ada' } },
      }),
    401: (door) => check(door, 'agent', 'none'),
    403: (door) => check(door, 'readable', 'full'),
    404: (door) => check(door, 'hidden', 'full'),
    429: async (door) => {
      const token = await door.lab.loadToken();
      await inARow(100, () => check(door, 'agent', token));
      return check(door, 'agent', token);
    },
  },
  getExperienceAssignments: {
    200: ({ as }) => as('full').GET(ASSIGNMENTS, { params: { query: { accountId: STAGE } } }),
    400: ({ as }) => as('full').GET(ASSIGNMENTS),
    401: ({ as }) => as('none').GET(ASSIGNMENTS, { params: { query: { accountId: STAGE } } }),
  },
  createExperienceAssignment: {
    201: (door) => newAssignment(door),
    401: ({ as }) => as('none').POST(ASSIGNMENTS, { body: { experienceId: experience('general'), ...FREE } }),
    409: async (door) => {
      const [taken] = door.lab.room().numbers;
      await assign(door.lab, 'general', number(taken));
      return newAssignment(door, taken);
    },
    422: (door) => newAssignment(door, 'no-number'),
  },
  getExperienceAssignment: {
    200: ({ as }) => as('full').GET(ASSIGNMENT, READ_ONLY_ASSIGNMENT),
    401: ({ as }) => as('none').GET(ASSIGNMENT, READ_ONLY_ASSIGNMENT),
    404: ({ as }) => as('full').GET(ASSIGNMENT, NO_ASSIGNMENT),
  },
  deleteExperienceAssignment: {
    204: async ({ lab, as }) => {
      const { id } = await assign(lab, 'general', number(lab.room().numbers[0]));
      return as('full').DELETE(ASSIGNMENT, { params: { path: { assignmentId: id } } });
    },
    401: ({ as }) => as('none').DELETE(ASSIGNMENT, READ_ONLY_ASSIGNMENT),
    403: ({ as }) => as('full').DELETE(ASSIGNMENT, READ_ONLY_ASSIGNMENT),
    404: ({ as }) => as('full').DELETE(ASSIGNMENT, NO_ASSIGNMENT),
  },
  getExperienceConnections: {
    200: ({ as }) => as('full').GET(CONNECTIONS, { params: { query: { accountId: STAGE } } }),
    400: ({ as }) => as('full').GET(CONNECTIONS),
    401: ({ as }) => as('none').GET(CONNECTIONS, { params: { query: { accountId: STAGE } } }),
  },
  createExperienceConnection: {
    '2XX': (door) => newConnection(door, door.lab.room().accountId),
    400: ({ lab, form }) => lab.send('POST', flatly[form].connections, { token: 'full', body: '{' }),
    401: (door) => newConnection(door, door.lab.room().accountId, 'none'),
    403: (door) => newConnection(door, idOf('accounts', 'readable')),
    409: async (door) => {
      const { accountId } = door.lab.room();
      await connect(door.lab, 'general', accountId);
      return newConnection(door, accountId);
    },
    422: (door) => newConnection(door, 'no-uuid'),
  },
  getExperienceConnection: {
    200: ({ as }) => as('full').GET(CONNECTION, READ_ONLY_CONNECTION),
    401: ({ as }) => as('none').GET(CONNECTION, READ_ONLY_CONNECTION),
    404: ({ as }) => as('full').GET(CONNECTION, NO_CONNECTION),
  },
  updateExperienceConnection: {
    '2XX': async ({ lab, as }) =>
      as('full').PUT(CONNECTION, { ...connection((await connect(lab, 'general', lab.room().accountId)).id), ...ACTIVE }),
    400: ({ lab, form }) => lab.send('PUT', `${flatly[form].connections}/${NOBODY}`, { token: 'full', body: '{' }),
    401: ({ as }) => as('none').PUT(CONNECTION, { ...READ_ONLY_CONNECTION, ...ACTIVE }),
    403: ({ as }) => as('full').PUT(CONNECTION, { ...READ_ONLY_CONNECTION, ...ACTIVE }),
    404: ({ as }) => as('full').PUT(CONNECTION, { ...NO_CONNECTION, ...ACTIVE }),
    409: async ({ lab, as }) =>
      as('full').PUT(CONNECTION, { ...connection((await connect(lab, 'general', lab.room().accountId, 'ACTIVE')).id), ...ACTIVE }),
    422: ({ as }) => as('full').PUT(CONNECTION, { ...NO_CONNECTION, body: { state: 'PENDING' as 'ACTIVE' } }),
  },
  deleteExperienceConnection: {
    '2XX': async ({ lab, as }) => as('full').DELETE(CONNECTION, connection((await connect(lab, 'general', lab.room().accountId)).id)),
    401: ({ as }) => as('none').DELETE(CONNECTION, READ_ONLY_CONNECTION),
    403: ({ as }) => as('full').DELETE(CONNECTION, READ_ONLY_CONNECTION),
    404: ({ as }) => as('full').DELETE(CONNECTION, NO_CONNECTION),
    409: async ({ lab, as }) => {
      const { accountId, numbers } = lab.room();
      await assign(lab, 'general', number(numbers[0]));
      return as('full').DELETE(CONNECTION, connection((await connect(lab, 'general', accountId)).id));
    },
  },
  getUsers: {
    200: (door) => users(door, 'full'),
    400: (door) => users(door, 'full', 'no-uuid'),
    401: (door) => users(door, 'no-principal'),
    403: (door) => users(door, 'no-users'),
    429: (door) => failing(door, 'getUsers', 429),
    500: (door) => failing(door, 'getUsers', 500),
    503: (door) => failing(door, 'getUsers', 503),
  },
  getUser: {
    200: (door) => user(door, 'full'),
    401: (door) => user(door, 'no-principal'),
    403: (door) => user(door, 'no-users'),
    404: (door) => user(door, 'outsider'),
    429: (door) => failing(door, 'getUser', 429),
    500: (door) => failing(door, 'getUser', 500),
    503: (door) => failing(door, 'getUser', 503),
  },
};

/** Gets a documented status through a form of the paths. @throws AssertionError when it is another. */
export async function expectAnswer(door: Door, operationId: OperationId, status: string): Promise<void> {
  const { response, error } = await (answers[operationId] as Record<string, (door: Door) => Promise<Reply>>)[status]!(door);
  const where = `${operationId} under the ${door.form} form: ${response.url} ${JSON.stringify(error)}`;
  if (status === '2XX') assert.ok(response.ok, where);
  else assert.equal(response.status, Number(status), where);
  const { pathname } = new URL(response.url);
  const flat = operationId === 'getUsers' || operationId === 'getUser' || !pathname.startsWith('/experience/');
  assert.equal(flat, door.form === 'flat' || operationId === 'getUsers' || operationId === 'getUser', where);
}
