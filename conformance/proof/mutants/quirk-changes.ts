import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import {
  changeEntities,
  changeMembers,
  changeQuery,
  createProblemReply,
  createSuccessReply,
  isSuccess,
  type Json,
  parseBody,
  type Reply,
  setJsonBody,
} from './exchange.ts';
import { changeDelivery, changeReply, changeSuccess, type DeliveryHandler, handleRequests, type StartMutant } from './mutant.ts';

export const LISTS = ['getExperienceAssignments', 'getExperienceConnections', 'getUsers'] as const;

/** Changes responses with a JSON body, and deliveries. */
export function changeMessages(change: <Message extends Pick<Reply, 'headers' | 'text'>>(message: Message) => Message): StartMutant {
  return () => ({ ...changeReply('any', change, isJson)(), ...changeDelivery(change)() });
}
export const changeTexts = (change: (text: string) => string) => changeMessages((message) => ({ ...message, text: change(message.text) }));
export const isJson = ({ headers, text }: Reply): boolean => text !== '' && /json/.test(headers['content-type'] ?? '');
const changeJson = (change: (value: unknown) => unknown) => changeTexts((text) => JSON.stringify(change(JSON.parse(text))));

/** Changes objects at every depth. */
export function changeObjects(change: (object: Json) => Json): StartMutant {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return change(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, visit(member)])));
  };
  return changeJson(visit);
}

export const changeDates = (fraction: (digits: string) => string, zone = 'Z') =>
  changeTexts((text) =>
    text.replace(
      /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z"/g,
      (_, seconds, digits = '000') => `"${seconds}${fraction(digits)}${zone}"`,
    ),
  );

export function changeResources(kind: 'connection' | 'user' | 'assignment', change: (entity: Json) => Json): StartMutant {
  const operations = {
    connection: ['createExperienceConnection', 'getExperienceConnection', 'updateExperienceConnection', 'getExperienceConnections'],
    user: ['getUser', 'getUsers'],
    assignment: ['getExperienceAssignments'],
  } as const satisfies Record<typeof kind, readonly OperationId[]>;
  return changeSuccess(operations[kind], (reply) => {
    const body = parseBody(reply);
    if (Array.isArray(body.entities)) return changeEntities(reply, (all) => all.map(change));
    return 'id' in Object(body) ? setJsonBody(reply, change(body)) : undefined;
  });
}

export function changeProblems(change: (problem: Json, url: string) => Json): StartMutant {
  return changeReply(
    'any',
    (reply, { request }) => setJsonBody(reply, change(parseBody(reply), request.url)),
    ({ headers }) => headers['content-type']?.startsWith('application/problem+json') ?? false,
  );
}

export function changeCursors({ encode, decode }: Readonly<Record<'encode' | 'decode', (cursor: string) => string>>): StartMutant {
  return handleRequests(LISTS, async (request, service) => {
    const { cursor } = request.query;
    const reply = await service(cursor === undefined ? request : changeQuery(request, { cursor: decode(cursor) }));
    const { cursor: next } = parseBody(reply);
    return typeof next === 'string' ? changeMembers(reply, { cursor: encode(next) }) : reply;
  });
}
export const hash = (text: unknown) => createHash('sha256').update(String(text)).digest('hex');

/** Sends the delivery again. The delivery counts as acknowledged only if the subscriber acknowledged both. */
export const repeatDeliveries =
  (nth: number, afterMs: number): StartMutant =>
  () => {
    let count = 0;
    const handleDelivery: DeliveryHandler = async (delivery, subscriber) => {
      if (++count % nth > 0) return subscriber(delivery);
      const first = subscriber(delivery);
      if (afterMs > 0) await first.then(() => pause(afterMs));
      const replies = await Promise.all([first, subscriber(delivery)]);
      return replies.find((reply) => reply === undefined || !isSuccess(reply)) ?? replies[0];
    };
    return { handleDelivery };
  };

const ESCAPABLE = /\\u[\da-fA-F]{4}|\\.|[^\w\s]/g;
export const escapeStrings = (text: string) =>
  text.replace(/"((?:[^"\\]|\\.)*)"/g, (_, content: string) => {
    const escaped = content.replace(ESCAPABLE, (found) =>
      found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    return `"${escaped}"`;
  });

const READ_OPERATIONS = ['getExperienceConnection', 'getExperienceConnections'] as const;
const WRITE_OPERATIONS = ['createExperienceConnection', 'updateExperienceConnection', 'deleteExperienceConnection'] as const;

/** Answers 202 to connection writes, and shows the previous state in the next read. */
export const delayWrites: StartMutant = () => {
  let before: { readonly [Read in (typeof READ_OPERATIONS)[number]]?: Reply } = {};
  return handleRequests([...READ_OPERATIONS, ...WRITE_OPERATIONS], async (request, service) => {
    if (request.method === 'GET') {
      const shown = before[request.operation as (typeof READ_OPERATIONS)[number]];
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
export const changeConnectionsBetweenRequests = handleRequests('getExperienceConnections', async (request, service) => {
  if (request.query.cursor === 'first') return service(changeQuery(request, { cursor: undefined }));
  const reply = await service(request);
  const { entities = [] } = parseBody(reply);
  if (request.query.cursor !== undefined || !isSuccess(reply) || entities.length === 0) return reply;
  return changeMembers(reply, { entities: [{ ...entities[0], id: randomUUID() }], cursor: 'first' });
});

/** Each first page contains a user whom another client deletes before the next page. */
export const changeUsersBetweenPages = handleRequests('getUsers', async (request, service) => {
  if (request.query.cursor !== undefined) return service(request);
  const pageSize = Number(request.query.pageSize ?? 100);
  const reply = await service(changeQuery(request, { pageSize: String(pageSize - 1) }));
  const { entities = [], count } = parseBody(reply);
  if (!isSuccess(reply) || entities.length === 0) return reply;
  return changeMembers(reply, { pageSize, count: count + 1, entities: [{ ...entities[0], id: randomUUID() }, ...entities] });
});
