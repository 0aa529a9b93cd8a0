// Machine-written by `npm run generate` from openapi/openapi.yaml. Do not edit.

/** One operation of the service (Endpoints). */
export interface Operation {
  method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  /** The paths as written in the OpenAPI document, such as `/users/{userId}`. */
  paths: readonly string[];
  /** The `paths` in the syntax of Express, such as `/users/:userId`. */
  routes: readonly string[];
  /** The name of the schema that validates the query as a whole. */
  query: string | undefined;
  pathParameters: readonly string[];
  queryParameters: readonly string[];
  hasBody: boolean;
  bodyRequired: boolean;
  /** The status of a success. '2XX' if the specification does not document the status. */
  successStatus: number | string;
  statuses: readonly (number | string)[];
  scope: string;
  /** The path in both forms (Endpoints › Path forms). The two forms are equal for operations on users. */
  forms: Readonly<Record<PathForm, string>>;
  routeForms: Readonly<Record<PathForm, string>>;
}

export type PathForm = 'prefixed' | 'flat';

export const operations = {
  getExperienceAssignability: {
    method: 'get',
    paths: ['/experience/experiences/{experienceId}/assignability', '/experiences/{experienceId}/assignability'],
    routes: ['/experience/experiences/:experienceId/assignability', '/experiences/:experienceId/assignability'],
    scope: 'experience-assignability:check',
    forms: { prefixed: '/experience/experiences/{experienceId}/assignability', flat: '/experiences/{experienceId}/assignability' },
    routeForms: { prefixed: '/experience/experiences/:experienceId/assignability', flat: '/experiences/:experienceId/assignability' },
    query: 'AssignabilityQuery',
    pathParameters: ['experienceId'],
    queryParameters: ['targetType', 'targetValue'],
    hasBody: false,
    bodyRequired: false,
    successStatus: 200,
    statuses: [200, 400, 401, 403, 404, 429],
  },
  getExperienceAssignments: {
    method: 'get',
    paths: ['/experience/assignments', '/experience-assignments'],
    routes: ['/experience/assignments', '/experience-assignments'],
    scope: 'experience-assignments:manage',
    forms: { prefixed: '/experience/assignments', flat: '/experience-assignments' },
    routeForms: { prefixed: '/experience/assignments', flat: '/experience-assignments' },
    query: 'AssignmentsListQuery',
    pathParameters: [],
    queryParameters: ['targetType', 'targetValue', 'accountId', 'experienceId', 'cursor', 'pageSize'],
    hasBody: false,
    bodyRequired: false,
    successStatus: 200,
    statuses: [200, 400, 401],
  },
  createExperienceAssignment: {
    method: 'post',
    paths: ['/experience/assignments', '/experience-assignments'],
    routes: ['/experience/assignments', '/experience-assignments'],
    scope: 'experience-assignments:manage',
    forms: { prefixed: '/experience/assignments', flat: '/experience-assignments' },
    routeForms: { prefixed: '/experience/assignments', flat: '/experience-assignments' },
    query: undefined,
    pathParameters: [],
    queryParameters: [],
    hasBody: true,
    bodyRequired: true,
    successStatus: 201,
    statuses: [201, 401, 409, 422],
  },
  getExperienceAssignment: {
    method: 'get',
    paths: ['/experience/assignments/{assignmentId}', '/experience-assignments/{assignmentId}'],
    routes: ['/experience/assignments/:assignmentId', '/experience-assignments/:assignmentId'],
    scope: 'experience-assignments:manage',
    forms: { prefixed: '/experience/assignments/{assignmentId}', flat: '/experience-assignments/{assignmentId}' },
    routeForms: { prefixed: '/experience/assignments/:assignmentId', flat: '/experience-assignments/:assignmentId' },
    query: undefined,
    pathParameters: ['assignmentId'],
    queryParameters: [],
    hasBody: false,
    bodyRequired: false,
    successStatus: 200,
    statuses: [200, 401, 404],
  },
  deleteExperienceAssignment: {
    method: 'delete',
    paths: ['/experience/assignments/{assignmentId}', '/experience-assignments/{assignmentId}'],
    routes: ['/experience/assignments/:assignmentId', '/experience-assignments/:assignmentId'],
    scope: 'experience-assignments:manage',
    forms: { prefixed: '/experience/assignments/{assignmentId}', flat: '/experience-assignments/{assignmentId}' },
    routeForms: { prefixed: '/experience/assignments/:assignmentId', flat: '/experience-assignments/:assignmentId' },
    query: undefined,
    pathParameters: ['assignmentId'],
    queryParameters: [],
    hasBody: false,
    bodyRequired: false,
    successStatus: 204,
    statuses: [204, 401, 403, 404],
  },
  getExperienceConnections: {
    method: 'get',
    paths: ['/experience/connections', '/experience-connections'],
    routes: ['/experience/connections', '/experience-connections'],
    scope: 'experience-connections:manage',
    forms: { prefixed: '/experience/connections', flat: '/experience-connections' },
    routeForms: { prefixed: '/experience/connections', flat: '/experience-connections' },
    query: 'ConnectionsListQuery',
    pathParameters: [],
    queryParameters: ['accountId', 'telephoneNumber', 'tn', 'experienceId', 'cursor', 'pageSize'],
    hasBody: false,
    bodyRequired: false,
    successStatus: 200,
    statuses: [200, 400, 401],
  },
  createExperienceConnection: {
    method: 'post',
    paths: ['/experience/connections', '/experience-connections'],
    routes: ['/experience/connections', '/experience-connections'],
    scope: 'experience-connections:manage',
    forms: { prefixed: '/experience/connections', flat: '/experience-connections' },
    routeForms: { prefixed: '/experience/connections', flat: '/experience-connections' },
    query: undefined,
    pathParameters: [],
    queryParameters: [],
    hasBody: true,
    bodyRequired: true,
    successStatus: '2XX',
    statuses: [400, 401, 403, 409, 422, '2XX'],
  },
  getExperienceConnection: {
    method: 'get',
    paths: ['/experience/connections/{experienceConnectionId}', '/experience-connections/{experienceConnectionId}'],
    routes: ['/experience/connections/:experienceConnectionId', '/experience-connections/:experienceConnectionId'],
    scope: 'experience-connections:manage',
    forms: { prefixed: '/experience/connections/{experienceConnectionId}', flat: '/experience-connections/{experienceConnectionId}' },
    routeForms: { prefixed: '/experience/connections/:experienceConnectionId', flat: '/experience-connections/:experienceConnectionId' },
    query: undefined,
    pathParameters: ['experienceConnectionId'],
    queryParameters: [],
    hasBody: false,
    bodyRequired: false,
    successStatus: 200,
    statuses: [200, 401, 404],
  },
  updateExperienceConnection: {
    method: 'put',
    paths: ['/experience/connections/{experienceConnectionId}', '/experience-connections/{experienceConnectionId}'],
    routes: ['/experience/connections/:experienceConnectionId', '/experience-connections/:experienceConnectionId'],
    scope: 'experience-connections:manage',
    forms: { prefixed: '/experience/connections/{experienceConnectionId}', flat: '/experience-connections/{experienceConnectionId}' },
    routeForms: { prefixed: '/experience/connections/:experienceConnectionId', flat: '/experience-connections/:experienceConnectionId' },
    query: undefined,
    pathParameters: ['experienceConnectionId'],
    queryParameters: [],
    hasBody: true,
    bodyRequired: true,
    successStatus: '2XX',
    statuses: [400, 401, 403, 404, 409, 422, '2XX'],
  },
  deleteExperienceConnection: {
    method: 'delete',
    paths: ['/experience/connections/{experienceConnectionId}', '/experience-connections/{experienceConnectionId}'],
    routes: ['/experience/connections/:experienceConnectionId', '/experience-connections/:experienceConnectionId'],
    scope: 'experience-connections:manage',
    forms: { prefixed: '/experience/connections/{experienceConnectionId}', flat: '/experience-connections/{experienceConnectionId}' },
    routeForms: { prefixed: '/experience/connections/:experienceConnectionId', flat: '/experience-connections/:experienceConnectionId' },
    query: undefined,
    pathParameters: ['experienceConnectionId'],
    queryParameters: [],
    hasBody: false,
    bodyRequired: false,
    successStatus: '2XX',
    statuses: [401, 403, 404, 409, '2XX'],
  },
  getUsers: {
    method: 'get',
    paths: ['/users'],
    routes: ['/users'],
    scope: 'users:manage',
    forms: { prefixed: '/users', flat: '/users' },
    routeForms: { prefixed: '/users', flat: '/users' },
    query: 'UsersListQuery',
    pathParameters: [],
    queryParameters: ['accountId', 'cursor', 'pageSize', 'sortBy', 'sortOrder'],
    hasBody: false,
    bodyRequired: false,
    successStatus: 200,
    statuses: [200, 400, 401, 403, 429, 500, 503],
  },
  getUser: {
    method: 'get',
    paths: ['/users/{userId}'],
    routes: ['/users/:userId'],
    scope: 'users:manage',
    forms: { prefixed: '/users/{userId}', flat: '/users/{userId}' },
    routeForms: { prefixed: '/users/:userId', flat: '/users/:userId' },
    query: undefined,
    pathParameters: ['userId'],
    queryParameters: [],
    hasBody: false,
    bodyRequired: false,
    successStatus: 200,
    statuses: [200, 401, 403, 404, 429, 500, 503],
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
