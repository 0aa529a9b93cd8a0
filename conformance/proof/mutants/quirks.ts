import { setTimeout as pause } from 'node:timers/promises';
import { isUuid } from '../../../src/contract/uuid.ts';
import {
  changeEntities,
  changeHeaders,
  changeMembers,
  changeQuery,
  createProblemReply,
  createSuccessReply,
  isSuccess,
  type Json,
  parseBody,
  type Request,
  setJsonBody,
} from './exchange.ts';
import { changeDelivery, changeRefusal, changeReply, changeSuccess, handleRequests, replaceReply, type StartMutant } from './mutant.ts';
import {
  changeConnectionsBetweenRequests,
  changeCursors,
  changeDates,
  changeMessages,
  changeObjects,
  changeProblems,
  changeResources,
  changeTexts,
  changeUsersBetweenPages,
  delayWrites,
  escapeStrings,
  hash,
  isJson,
  LISTS,
  repeatDeliveries,
} from './quirk-changes.ts';

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
const UUID_MEMBERS =
  /"((?:account|experience|connection|assignment|user)?[iI]d|targetValue)":"([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})"/g;
/** Adds a time to problem details. Like a time in whole seconds, it is the same in two refusals and then changes. */
const addTimeToProblems: StartMutant = () => {
  let count = 0;
  return changeProblems((problem) => ({ ...problem, timestamp: Math.floor(count++ / 2) }))();
};

/** Refuses every 40th request before the service receives it. */
const limitUsers: StartMutant = () => {
  let count = 0;
  return replaceReply(['getUsers', 'getUser'], () => (++count % 40 === 0 ? createProblemReply(429) : undefined))();
};

/** The delay is long for a few requests or events only, so that runs of the suite are not too slow. */
const createDelay = (longestMs: number): number => longestMs * Math.random() ** 3;

/** Ways in which a server may differ from the kit. The order is the order in which they are applied. */
export const QUIRKS = {
  'states refused with 400': changeRefusal('connections.update.invalid-value', 'updateExperienceConnection', () => createProblemReply(400)),
  'missing scope 404': changeRefusal('auth.missing-scope', 'any', () => createProblemReply(404)),
  'numbering plan': handleRequests('any', async (request, service) =>
    /\+999\d{1,12}(?![\d\w])/.test(`${decodeURIComponent(request.url)} ${request.text}`) ? createProblemReply(400) : service(request),
  ),
  'unknown users before failures': changeReply(
    ['getUsers', 'getUser'],
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
  'connections with id and state': changeResources('connection', pickMembers(['id', 'state'])),
  'connections without names and times': changeResources('connection', pickMembers(['id', 'state', 'accountId', 'experienceId'])),
  'users without null': changeResources('user', omitNull('updatedAt')),
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
  'no null cursor': changeSuccess(LISTS, (reply) => setJsonBody(reply, omitNull('cursor')(parseBody(reply)))),
  'short problems': changeProblems(({ title, status, detail, traceId }) => ({ title, status, traceId, ...(status === 500 && { detail }) })),
  'long problems': changeProblems((problem, url) => ({
    ...{
      type: 'https://errors.example.com/refused',
      instance: encodeURI(url.split('?', 1)[0] ?? ''),
      detail: 'It was refused.',
      ...problem,
    },
    errors: [{ code: 'E1', pointer: '/', more: { status: 0 } }],
  })),
  'time in problems': addTimeToProblems,
  'whole seconds': changeDates(() => ''),
  microseconds: changeDates((digits) => `.${digits.padEnd(6, '0')}`),
  'trimmed fractions': changeDates((digits) => `.${digits}`.replace(/\.?0*$/, '')),
  'plus zero': changeDates((digits) => `.${digits}`, '+00:00'),
  'decimal commas': changeDates((digits) => `,${digits}`),
  'upper-case ids': changeTexts((text) => text.replace(UUID_MEMBERS, (_, name, id) => `"${name}":"${id.toUpperCase()}"`)),
  'more members': changeObjects((object) => ({ revision: 7, tags: [], ...object, deletedAt: null, _links: { self: '/' } })),
  'members that change': changeReply(
    'any',
    (reply) => changeMembers(reply, { servedAt: performance.now() }),
    (reply) => isSuccess(reply) && isJson(reply),
  ),
  'members in another order': changeObjects((object) => Object.fromEntries(Object.entries(object).reverse())),
  'escaped JSON': changeTexts((text) => escapeStrings(JSON.stringify(JSON.parse(text), null, 2))),
  charset: changeMessages((message) =>
    changeHeaders(message, { 'content-type': `${message.headers['content-type']?.split(';', 1)[0]};Charset="UTF-8"` }),
  ),
  'more headers': changeReply('any', (reply) =>
    changeHeaders(reply, { etag: `"${hash(reply.text)}"`, 'set-cookie': 'a=b; Path=/', vary: '*' }),
  ),
  'headers that come and go': () => {
    let count = 0;
    return changeReply('any', (reply) => changeHeaders(reply, count++ % 3 === 0 ? { 'x-cache': 'HIT' } : {}))();
  },
  chunked: changeReply(
    'any',
    (reply) => changeHeaders(reply, { 'transfer-encoding': 'chunked' }),
    ({ text }) => text !== '',
  ),
  'closed connections': changeReply('any', (reply) => changeHeaders(reply, { connection: 'close' })),
  'upper-case header names': changeReply('any', (reply) => ({
    ...reply,
    headers: Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name.toUpperCase(), value])),
  })),
  latency: changeReply('any', async (reply) => {
    await pause(createDelay(150));
    return reply;
  }),
  'late events': () => ({
    async handleDelivery(delivery, subscriber) {
      await pause(createDelay(2000), undefined, { ref: false });
      return subscriber(delivery);
    },
  }),
  'simultaneous repeats': repeatDeliveries(3, 0),
  'later repeats': repeatDeliveries(2, 300),
  'other webhook ids': changeDelivery((delivery) =>
    changeHeaders(delivery, { 'webhook-id': `msg.${hash(delivery.headers['webhook-id'])}=/+` }),
  ),
} satisfies Readonly<Record<string, StartMutant>>;

export type QuirkName = keyof typeof QUIRKS;
