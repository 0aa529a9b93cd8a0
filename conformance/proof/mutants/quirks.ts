import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { isUuid } from '../../../src/contract/uuid.ts';
import { LISTS } from './derived/schema.ts';
import {
  changeBody,
  changeEntities,
  changeMembers,
  changeQuery,
  createProblemReply,
  createSuccessReply,
  isSuccess,
  type Json,
  parseBody,
  type Reply,
  type Request,
} from './exchange.ts';
import { hash, MESSAGE_QUIRKS } from './message-quirks.ts';
import { changeRefusal, changeReply, changeRequest, changeSuccess, handleRequests, replaceReply, type StartMutant } from './mutant.ts';

const USER_OPERATIONS: readonly OperationId[] = ['getUser', 'getUsers'];
/** The operations that answer with connections. */
const CONNECTION_OPERATIONS: readonly OperationId[] = [
  'createExperienceConnection',
  'getExperienceConnection',
  'updateExperienceConnection',
  'getExperienceConnections',
];

const pickMembers = (names: readonly string[]) => (entity: Json) =>
  Object.fromEntries(Object.entries(entity).filter(([name]) => names.includes(name)));
const omitNull = (name: string) => (object: Json) => (object[name] === null ? { ...object, [name]: undefined } : object);

const INVALID_CURSOR = 'not a cursor';
const LONG_CURSOR_PREFIX = `+/=%2B&#? ~${'long'.repeat(200)}`;

/** A cursor is bound to its list, as the specification requires for users. */
const createEndCursor = ({ query: { accountId = '', sortBy, sortOrder } }: Request) =>
  `end.${hash(JSON.stringify([accountId.toLowerCase(), sortBy, sortOrder]))}`;

const createEmptyPage = handleRequests(LISTS, async (request, service) => {
  const isEnd = request.query.cursor?.startsWith('end.') ?? false;
  const reply = await service(isEnd ? changeQuery(request, { cursor: undefined }) : request);
  if (!isSuccess(reply)) return reply;
  if (isEnd)
    return request.query.cursor === createEndCursor(request)
      ? changeMembers(reply, { entities: [], cursor: null })
      : createProblemReply(400);
  const { entities = [], pageSize, cursor } = parseBody(reply);
  const isFull = cursor === null && pageSize > 0 && entities.length === pageSize;
  return isFull ? changeMembers(reply, { cursor: createEndCursor(request) }) : reply;
});

const answerUpdates = (status: number, body?: unknown) =>
  changeSuccess('updateExperienceConnection', () => createSuccessReply(status, body));

/** Refuses every 40th request before the service receives it. */
const limitUsers: StartMutant = () => {
  let count = 0;
  return replaceReply(USER_OPERATIONS, () => (++count % 40 === 0 ? createProblemReply(429) : undefined))();
};

function changeResources(operations: readonly OperationId[], change: (entity: Json) => Json): StartMutant {
  return changeSuccess(operations, (reply) => {
    const body = parseBody(reply);
    if (Array.isArray(body.entities)) return changeEntities(reply, (all) => all.map(change));
    return 'id' in Object(body) ? changeBody(reply, change) : undefined;
  });
}

function changeCursors({ encode, decode }: Readonly<Record<'encode' | 'decode', (cursor: string) => string>>): StartMutant {
  return handleRequests(LISTS, async (request, service) => {
    const { cursor } = request.query;
    const reply = await service(cursor === undefined ? request : changeQuery(request, { cursor: decode(cursor) }));
    const { cursor: next } = parseBody(reply);
    return typeof next === 'string' ? changeMembers(reply, { cursor: encode(next) }) : reply;
  });
}

/** Answers 202 to connection writes, and shows the previous state in the next read. */
const delayWrites: StartMutant = () => {
  let before: { readonly [Read in OperationId]?: Reply } = {};
  return handleRequests([...CONNECTION_OPERATIONS, 'deleteExperienceConnection'], async (request, service) => {
    if (request.method === 'GET') {
      const shown = before[request.operation!];
      if (shown) before = {};
      return shown ?? service(request);
    }
    const getExperienceConnection =
      request.method === 'POST'
        ? createProblemReply(404)
        : await service({ ...request, method: 'GET', operation: 'getExperienceConnection', text: '' });
    const reply = await service(request);
    if (!isSuccess(reply)) return reply;
    const getExperienceConnections = createSuccessReply(200, { entities: [], cursor: null, pageSize: 100 });
    before = { getExperienceConnection, ...(request.method === 'POST' && { getExperienceConnections }) };
    return { ...reply, status: 202 };
  })();
};

/** Each first page contains only a connection that another client deletes before the next request. */
const changeConnectionsBetweenRequests = handleRequests('getExperienceConnections', async (request, service) => {
  if (request.query.cursor === 'first') return service(changeQuery(request, { cursor: undefined }));
  const reply = await service(request);
  const { entities = [] } = parseBody(reply);
  if (request.query.cursor !== undefined || !isSuccess(reply) || entities.length === 0) return reply;
  return changeMembers(reply, { entities: [{ ...entities[0], id: randomUUID() }], cursor: 'first' });
});

/** Each first page contains a user whom another client deletes before the next page. */
const changeUsersBetweenPages = handleRequests('getUsers', async (request, service) => {
  if (request.query.cursor !== undefined) return service(request);
  const pageSize = Number(request.query.pageSize ?? 100);
  const reply = await service(changeQuery(request, { pageSize: String(pageSize - 1) }));
  const { entities = [], count } = parseBody(reply);
  if (!isSuccess(reply) || entities.length === 0) return reply;
  return changeMembers(reply, { pageSize, count: count + 1, entities: [{ ...entities[0], id: randomUUID() }, ...entities] });
});

/** Ways in which a server may differ from the kit. The order is the order in which they are applied. */
export const QUIRKS = {
  'states refused with 400': changeRefusal('connections.update.invalid-value', 'updateExperienceConnection', () => createProblemReply(400)),
  'missing scope 404': changeRefusal('auth.missing-scope', 'any', () => createProblemReply(404)),
  'numbering plan': handleRequests('any', async (request, service) =>
    /\+999\d{1,12}(?![\d\w])/.test(`${decodeURIComponent(request.url)} ${request.text}`) ? createProblemReply(400) : service(request),
  ),
  'optional plus sign': changeRequest('getExperienceConnections', (request) => ({
    ...request,
    url: request.url.replaceAll(/(?<=[?&](telephoneNumber|tn)=)(\+|%20)?(?=[1-9]\d*(&|$))/g, '%2B'),
  })),
  'read-only 422': replaceReply('createExperienceAssignment', ({ text }) => (/updatedAt/.test(text) ? createProblemReply(422) : undefined)),
  'unknown users before failures': changeReply(
    USER_OPERATIONS,
    async (_, { request, kit }) => {
      const { operation, id, query } = request;
      // The kit does not find users by their native ids.
      if (operation === 'getUser') return !isUuid(id) || (await kit.exists('users', id)) ? undefined : createProblemReply(404);
      const { accountId = '' } = query;
      return !isUuid(accountId) || (await kit.exists('accounts', accountId))
        ? undefined
        : createSuccessReply(200, { entities: [], cursor: null, pageSize: 100 });
    },
    ({ status }) => [429, 500, 503].includes(status),
  ),
  'users limit': limitUsers,
  'update 202': answerUpdates(202, { accepted: true }),
  'update 204': answerUpdates(204),
  'update 200 "ok"': answerUpdates(200, 'ok'),
  'update 200 empty': answerUpdates(200),
  'late connection writes': delayWrites,
  'connections of another client': changeConnectionsBetweenRequests,
  'users of another client': changeUsersBetweenPages,
  'create without body': changeSuccess('createExperienceConnection', () => createSuccessReply(201)),
  'create 202 without members': changeSuccess('createExperienceConnection', () => createSuccessReply(202, {})),
  'delete 200 with body': changeSuccess('deleteExperienceConnection', () => createSuccessReply(200, { deleted: true })),
  'connections with id and state': changeResources(CONNECTION_OPERATIONS, pickMembers(['id', 'state'])),
  'connections without names and times': changeResources(CONNECTION_OPERATIONS, pickMembers(['id', 'state', 'accountId', 'experienceId'])),
  'users without null': changeResources(USER_OPERATIONS, omitNull('updatedAt')),
  'flat lists without updatedAt': changeSuccess('getExperienceAssignments', (reply, { request }) =>
    request.form === 'flat' ? changeEntities(reply, (all) => all.map((entity) => ({ ...entity, updatedAt: undefined }))) : undefined,
  ),
  'no count': changeSuccess('getUsers', (reply) => changeMembers(reply, { count: undefined })),
  'shuffled pages': changeSuccess(LISTS, (reply, { request }) =>
    request.query.sortBy === undefined && request.query.sortOrder === undefined
      ? changeEntities(reply, (all) => all.toSorted((a, b) => (hash(a.id) < hash(b.id) ? -1 : 1)))
      : undefined,
  ),
  'long cursors': changeCursors({
    encode: (cursor) => LONG_CURSOR_PREFIX + cursor,
    decode: (cursor) => (cursor.startsWith(LONG_CURSOR_PREFIX) ? cursor.slice(LONG_CURSOR_PREFIX.length) : INVALID_CURSOR),
  }),
  'empty last page': createEmptyPage,
  'no null cursor': changeSuccess(LISTS, (reply) => changeBody(reply, omitNull('cursor'))),
  ...MESSAGE_QUIRKS,
} satisfies Readonly<Record<string, StartMutant>>;

export type QuirkName = keyof typeof QUIRKS;
