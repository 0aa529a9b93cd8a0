import type { OperationId } from '../../../contract/generated/operations.ts';
import type { RuleId } from '../../../contract/generated/rules.ts';
import type { Call } from '../../client/call.ts';

// biome-ignore lint/suspicious/noExplicitAny: breaches change bodies of any shape
type Body = Record<string, any>;
type MutableCall = { -readonly [Name in keyof Omit<Call, 'request' | 'response'>]: Call[Name] } & { request: Body; response: Body };

/** @param calls all recorded calls */
type Find = (call: Call, body: Body, calls: readonly Call[]) => unknown;
type Change = (call: MutableCall, body: Body, calls: readonly Call[]) => void;

/** Changes the first call that `find` selects, which breaks these rules. */
export type Breach = readonly [name: string, find: Find, change: Change, ...breaks: readonly RuleId[]];

export const bodyOf = ({ response }: Call): Body => Object(response?.body) as Body;
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

// ---- which call
const is =
  (operation: OperationId | 'token', status: number, ends = '', matches: Find = () => true): Find =>
  (call, body, calls) =>
    call.operationId === operation && call.status === status && call.path.includes(ends) && matches(call, body, calls);
const has =
  (count: number): Find =>
  (_, { entities }) =>
    entities?.length >= count;
const isProblem =
  (rule: string, matches: Find = () => true): Find =>
  (call, body, calls) =>
    call.problem?.type === `/problems/${rule}` && matches(call, body, calls);
/** Selects a call after another one with the same path has succeeded. */
const isAfter =
  (method: string, found: Find): Find =>
  (call, body, calls) =>
    found(call, body, calls) &&
    calls.some((each) => each.method === method && each.status! < 300 && each.path === call.path && each.number < call.number);
const isSameTarget = (first: Body, second: Body): boolean => ['experienceId', 'targetValue'].every((name) => first[name] === second[name]);
const findFirst = (calls: readonly Call[], find: Find): Call => calls.find((call) => find(call, bodyOf(call), calls))!;
const isNewAssignment = is('createExperienceAssignment', 201);
/** The first creation of an assignment with the same Experience and target. */
const findCreation = (calls: readonly Call[], body: Body): Call =>
  findFirst(calls, (each, other) => isNewAssignment(each, other, calls) && isSameTarget(other, body));
const isRepeatedCreation: Find = (call, body, calls) => isNewAssignment(call, body, calls) && findCreation(calls, body) !== call;
const isOfAccount: Find = (call, body, calls) => isNewAssignment(call, body, calls) && body.targetType === 'ACCOUNT';
const firstUsers: Find = (call) => call.operationId === 'getUsers' && call.path.endsWith('pageSize=7');
const firstConnections: Find = (call) => call.operationId === 'getExperienceConnections' && call.path.endsWith('pageSize=1');

// ---- what changes
const set =
  (members: Body): Change =>
  (_, body) => {
    for (const [name, value] of Object.entries(members)) {
      if (value === undefined) delete body[name];
      else body[name] = value;
    }
  };
const setItem =
  (members: Body): Change =>
  (call, { entities }, calls) =>
    set(members)(call, entities[0], calls);
const setHeader =
  (name: string, value?: string): Change =>
  ({ response }) => {
    if (value === undefined) delete response.headers[name];
    else response.headers[name] = value;
  };
const setStatus =
  (status: number): Change =>
  (call) => {
    call.status = status;
  };
const addItem: Change = (_, { entities }) => entities.push({ ...entities[0], id: UNKNOWN });
const replaceResponse =
  (status: number, response: Body = { headers: {} }): Change =>
  (call) =>
    void Object.assign(call, { status, problem: undefined, response });
const refuse = (status: number): Change =>
  replaceResponse(status, {
    body: { title: 'Refused', status, traceId: 'x' },
    bodyBytes: 50,
    headers: { 'content-type': 'application/problem+json' },
  });
/** Answers as another call was answered. */
const answerAs =
  (find: Find): Change =>
  (call, body, calls) => {
    const other = findFirst(calls, find);
    replaceResponse(other.status!, structuredClone(other.response))(call, body, calls);
  };
const answerAsBefore: Change = (call, body, calls) =>
  answerAs((each) => each.method === 'GET' && each.path === call.path && each.status === 200)(call, body, calls);
const answerWithList: Change = (call, body, calls) =>
  answerAs((each, list) => each.operationId === call.operationId && list.entities?.length > 0)(call, body, calls);
const takeItems =
  (find: Find): Change =>
  (call, body, calls) =>
    set({ entities: structuredClone(bodyOf(findFirst(calls, find)).entities) })(call, body, calls);

const ACCEPTED_LISTS = [
  'users.list.page-size-range',
  'users.list.account-id-required',
  'assignments.list.type-alone',
  'assignments.list.experience-needs-account',
] as const;
const WRONG_STATUSES = [
  ['users.list.page-size-range', 422],
  ['users.list.account-id-uuid', 422],
  ['assignments.list.filter-required', 422],
  ['connections.list.selector-required', 422],
  ['assignability.target-type-not-allowed', 422],
  ['assignments.create.required-field', 400],
  ['connections.update.malformed', 422],
] as const;

/** Selects a request for an entity that was found before, and is found or changed afterwards. */
const isBetweenSuccesses: Find = ({ path, number }, _, calls) =>
  [-1, 1].every((side) => calls.some((each) => each.path === path && each.status! < 300 && Math.sign(each.number - number) === side));
/** Selects a page whose first user was listed before. */
const isListedAgain: Find = ({ number }, { entities }, calls) =>
  entities?.[0]?.updatedAt === null &&
  calls.some((each) => each.number < number && bodyOf(each).entities?.some(({ id }: Body) => id === entities[0].id));
const hasNext: Find = ({ path }) => path.includes('cursor=') && !path.includes('cursor=not');

export const BREACHES: readonly Breach[] = [
  ['a 410 for an unknown user', is('getUser', 404), refuse(410), 'users.get.not-found'],
  [
    'a redirect with a code and an error',
    ({ oauth }) => oauth?.issued?.code !== undefined,
    (call) => Object.assign(call, { problem: { title: 'access_denied' } }),
    'oauth.callback.code',
  ],
  [
    'an empty access token',
    ({ oauth }) => oauth?.code !== undefined && oauth.issued?.accessToken !== undefined,
    (call) => Object.assign(call, { oauth: { ...call.oauth, issued: {} } }),
    'oauth.token.type',
  ],
  [
    'a connection without members',
    is('getExperienceConnection', 200),
    ({ response }) => Object.assign(response, { body: {} }),
    'connections.get.shape',
  ],
  [
    'a connection that is lost for a moment',
    is('getExperienceConnection', 200, '', isBetweenSuccesses),
    refuse(404),
    'connections.get.found',
  ],
  [
    'the updatedAt of the request',
    isNewAssignment,
    ({ request }, { updatedAt }) => Object.assign(request, { body: { ...request.body, updatedAt } }),
    'assignments.create.read-only-members',
  ],
  ['an empty cursor', is('getUsers', 200, '', (_, { cursor }) => cursor === null), set({ cursor: '' }), 'http.pages.cursor-null-at-end'],
  ['a new cursor that is refused', is('getExperienceAssignments', 200, '', hasNext), refuse(400), 'assignments.list.cursor'],
  [
    'the time of the creation instead of null',
    is('getUsers', 200, '', isListedAgain),
    (call, { entities }, calls) => setItem({ updatedAt: entities[0].createdAt })(call, { entities }, calls),
    'users.updated-at-null',
  ],
  ['a user without createdAt', is('getUser', 200), set({ createdAt: undefined }), 'users.get.shape'],
  ['a user whose firstName is a number', is('getUser', 200), set({ firstName: 7 }), 'users.get.shape'],
  ['a listed user without accountId', is('getUsers', 200, '', has(1)), setItem({ accountId: undefined }), 'users.list.shape'],
  [
    'an assignment without targetType',
    is('getExperienceAssignment', 200),
    set({ targetType: undefined }),
    'assignments.get.shape',
    'assignments.get.same-as-created',
  ],
  [
    'an unknown targetType',
    is('getExperienceAssignments', 200, 'pageSize=2', has(1)),
    setItem({ targetType: 'FAX' }),
    'assignments.list.shape',
  ],
  [
    'a prefixed list without updatedAt',
    is('getExperienceAssignments', 200, '/experience/', has(1)),
    setItem({ updatedAt: undefined }),
    'assignments.list.updated-at-prefixed',
  ],
  ['a new assignment without an id', isNewAssignment, set({ id: undefined }), 'assignments.create.created'],
  ['a new assignment with a local time', isNewAssignment, set({ updatedAt: '2026-03-01T12:00:00' }), 'assignments.create.updated-at-utc'],
  [
    'a new assignment of another Experience',
    isNewAssignment,
    set({ experienceId: UNKNOWN }),
    'assignments.create.echo',
    'assignments.get.same-as-created',
  ],
  ['a new assignment with 200', isNewAssignment, setStatus(200), 'assignments.create.created'],
  ['an assignment of an account in another account', isOfAccount, set({ accountId: UNKNOWN }), 'assignments.create.account-of-target'],
  [
    'a new assignment with the id of the request',
    isOfAccount,
    (call, body, calls) => set({ id: call.request.body.id })(call, body, calls),
    'assignments.create.read-only-members',
  ],
  ['a connection in an unknown state', is('getExperienceConnection', 200), set({ state: 'PAUSED' }), 'connections.get.shape'],
  [
    'a connection of an account whose id is not a UUID',
    is('getExperienceConnections', 200, '', has(1)),
    setItem({ accountId: 'x' }),
    'connections.list.shape',
    'connections.list.by-account',
  ],
  ['assignable as a string', is('getExperienceAssignability', 200), set({ assignable: 'true' }), 'assignability.shape'],
  [
    'the assignability of another target',
    is('getExperienceAssignability', 200),
    set({ targetValue: '+12065550104' }),
    'assignability.echo',
  ],
  ['another user', is('getUser', 200, '-'), set({ id: UNKNOWN }), 'users.get.by-unified-id'],
  ['another assignment', is('getExperienceAssignment', 200), set({ id: UNKNOWN }), 'assignments.get.shape'],
  [
    'a native id instead of the unified one',
    is('getUser', 200, '/2065550001'),
    set({ id: '2065550001' }),
    'users.get.unified-id',
    'users.get.shape',
  ],
  [
    'an updatedAt of 1970 instead of null',
    is('getUsers', 200, 'pageSize=7', has(1)),
    setItem({ updatedAt: '1970-01-01T00:00:00Z' }),
    'users.updated-at-null',
  ],

  ['a user as text', is('getUser', 200), setHeader('content-type', 'text/plain'), 'http.bodies-are-json'],
  [
    'a page in HTML',
    is('getUsers', 200, '', has(1)),
    replaceResponse(200, { body: '<html>', bodyBytes: 6, headers: { 'content-type': 'text/html' } }),
    'http.bodies-are-json',
    'http.pages.entities-array',
    'http.pages.page-size-integer',
    'users.list.shape',
  ],
  ['a problem as application/json', is('getUser', 404), setHeader('content-type', 'application/json'), 'http.problem.content-type'],
  ['a 401 without a challenge', is('getUser', 401), setHeader('www-authenticate'), 'auth.challenge'],
  [
    'a deletion with a body',
    is('deleteExperienceAssignment', 204),
    replaceResponse(204, { body: {}, bodyBytes: 2, headers: { 'content-type': 'application/json' } }),
    'assignments.delete.no-body',
  ],
  ['a token response that may be cached', is('token', 200), setHeader('cache-control'), 'oauth.token.no-store'],
  ['a token response without token_type', is('token', 200), set({ token_type: undefined }), 'oauth.token.type'],
  ['a token that expires in 0 seconds', is('token', 200), set({ expires_in: 0 }), 'oauth.token.expires-in'],
  ['a problem without a traceId', is('getExperienceConnection', 404), set({ traceId: undefined }), 'http.problem.trace-id'],
  ['a problem without a title', is('getUsers', 400), set({ title: undefined }), 'http.problem.title'],
  ['a problem with another status', is('getUsers', 400), set({ status: 422 }), 'http.problem.status'],
  ['a problem whose type is no URI reference', is('getUsers', 400), set({ type: 'not a uri' }), 'http.problem.type-uri'],
  ['a problem whose instance is no URI reference', is('getUsers', 400), set({ instance: 'a b' }), 'http.problem.instance-uri'],
  ['a problem whose detail is an object', is('getUser', 404), set({ detail: {} }), 'http.problem.detail-string'],
  ['a problem whose errors are a string', is('getUsers', 400), set({ errors: 'x' }), 'http.problem.errors-array'],

  ['a page without pageSize', is('getExperienceConnections', 200), set({ pageSize: undefined }), 'http.pages.page-size-integer'],
  [
    'a pageSize that is neither asked for nor held',
    is('getUsers', 200, 'pageSize=7', has(7)),
    set({ pageSize: 100 }),
    'http.pages.page-size-of-page',
  ],
  ['a page without entities', is('getUsers', 200, 'accountId=0000'), set({ entities: undefined }), 'http.pages.entities-array'],
  [
    'a cursor that is a number',
    is('getUsers', 200, '', (_, { cursor }) => cursor === null),
    set({ cursor: 7 }),
    'http.pages.cursor-null-at-end',
  ],
  ['a page that is too long', is('getUsers', 200, 'pageSize=7', has(7)), addItem, 'users.list.page-size', 'http.pages.at-most-page-size'],
  [
    'a page of 101 users',
    (call, { entities }) => call.operationId === 'getUsers' && entities?.length === 100,
    addItem,
    'users.list.default-page-size',
    'http.pages.at-most-page-size',
  ],
  ['a user of another account', is('getUsers', 200, 'pageSize=7', has(7)), setItem({ accountId: UNKNOWN }), 'users.list.by-account'],
  [
    'an assignment of another Experience',
    is('getExperienceAssignments', 200, 'experienceId=', has(1)),
    setItem({ experienceId: UNKNOWN }),
    'assignments.list.by-account-and-experience',
  ],
  [
    'an assignment of another target',
    is('getExperienceAssignments', 200, 'targetValue=', has(1)),
    setItem({ targetValue: '+12065550104' }),
    'assignments.list.by-target',
  ],
  [
    'a connection of another account',
    is('getExperienceConnections', 200, 'pageSize=1', has(1)),
    setItem({ accountId: UNKNOWN }),
    'connections.list.by-account',
  ],
  [
    'a connection of the number, not of the account',
    is('getExperienceConnections', 200, 'telephoneNumber=x', has(1)),
    setItem({ accountId: UNKNOWN }),
    'connections.list.account-wins',
  ],
  [
    'a valid list request that is refused',
    is('getExperienceAssignments', 200, 'targetType=USER'),
    refuse(400),
    'assignments.list.by-account-and-type',
  ],
  [
    'users in the wrong order',
    is('getUsers', 200, 'sortOrder=desc', has(50)),
    (_, { entities }) => entities.reverse(),
    'users.list.sorted',
  ],
  ['users without a count', is('getUsers', 200, 'pageSize=7', has(1)), set({ count: undefined }), 'users.list.count-present'],
  [
    'a cursor that returns the same page again',
    is('getUsers', 200, 'pageSize=7&cursor='),
    takeItems(firstUsers),
    'users.list.traversal',
    'http.pages.traversal-complete',
  ],
  [
    'a cursor that repeats one connection',
    is('getExperienceConnections', 200, 'pageSize=1&cursor='),
    takeItems(firstConnections),
    'http.pages.traversal-complete',
  ],
  ['a malformed cursor that is accepted', is('getUsers', 400, 'cursor=x'), answerAs(firstUsers), 'users.list.cursor-malformed'],
  [
    'a cursor of another account that is accepted',
    isProblem('users.list.cursor-other-account'),
    answerAs(firstUsers),
    'users.list.cursor-other-account',
    'users.list.by-account',
  ],

  ...WRONG_STATUSES.map(([rule, status]): Breach => [`${status} for a request that breaks ${rule}`, isProblem(rule), refuse(status), rule]),
  ...ACCEPTED_LISTS.map((rule): Breach => [`a list for a request that breaks ${rule}`, isProblem(rule), answerWithList, rule]),
  [
    'a list for a malformed number',
    isProblem('connections.list.telephone-number-format', ({ path }) => path.endsWith('=x')),
    answerWithList,
    'connections.list.telephone-number-format',
  ],
  [
    'an assignment to a fax',
    isProblem('assignments.create.invalid-value'),
    answerAs(isNewAssignment),
    'assignments.create.invalid-value',
    'assignments.create.echo',
  ],
  [
    'an assignment to a user whose id is not a UUID',
    isProblem('assignments.create.target-value-format', ({ request }) => JSON.stringify(request?.body).includes('ada')),
    answerAs(isNewAssignment),
    'assignments.create.target-value-format',
    'assignments.create.echo',
  ],
  [
    'an assignment without a target',
    isProblem('assignments.create.required-field'),
    answerAs(isNewAssignment),
    'assignments.create.required-field',
  ],
  [
    'a user for a request without a token',
    is('getUser', 401, '', ({ request }) => request?.headers.authorization === undefined),
    answerAs(is('getUser', 200)),
    'auth.token.missing',
    'users.get.by-unified-id',
  ],
  [
    'a user for Basic credentials',
    is('getUser', 401, '', ({ request }) => request?.headers.authorization?.startsWith('Basic')),
    answerAs(is('getUser', 200)),
    'auth.token.any-client',
    'users.get.by-unified-id',
  ],
  ['a 403 for a user', is('getUser', 200, '/2065550001'), refuse(403), 'users.get.not-found', 'users.forbidden-only-by-scope'],
  ['a 400 for an assignment that does not exist', is('getExperienceAssignment', 404, UNKNOWN), refuse(400), 'assignments.get.not-found'],

  ['a deleted assignment that is found', isAfter('DELETE', is('getExperienceAssignment', 404)), answerAsBefore, 'assignments.delete.gone'],
  ['a deleted connection that is found', isAfter('DELETE', is('getExperienceConnection', 404)), answerAsBefore, 'connections.delete.gone'],
  [
    'an assignment that is deleted twice',
    isAfter('DELETE', is('deleteExperienceAssignment', 404)),
    replaceResponse(204),
    'assignments.delete.not-found',
  ],
  [
    'a connection that is deleted despite its number',
    isAfter('PUT', is('deleteExperienceConnection', 409)),
    replaceResponse(204),
    'connections.delete.numbers-assigned',
    'connections.delete.gone',
    'connections.delete.not-found',
  ],
  [
    'an assignment that differs from the created one',
    is('getExperienceAssignment', 200),
    set({ targetValue: '+12065550104' }),
    'assignments.get.same-as-created',
  ],
  [
    'a new assignment with the id of the deleted one',
    isRepeatedCreation,
    (call, body, calls) => set({ id: bodyOf(findCreation(calls, body)).id })(call, body, calls),
    'assignments.create.again',
  ],
  [
    'an updatedAt that goes back',
    isAfter('PUT', is('getExperienceConnection', 200)),
    set({ updatedAt: '2026-01-01T00:00:00.000Z' }),
    'connections.update.updated-at-grows',
  ],
];
