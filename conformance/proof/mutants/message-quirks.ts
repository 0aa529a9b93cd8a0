import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { changeBody, changeHeaders, changeMembers, isSuccess, type Json, type Reply } from './exchange.ts';
import { changeDelivery, changeReply, handleDeliveries, type StartMutant } from './mutant.ts';

/** Changes responses with a JSON body, and deliveries. */
function changeMessages(change: <Message extends Pick<Reply, 'headers' | 'text'>>(message: Message) => Message): StartMutant {
  return () => ({ ...changeReply('any', change, isJson)(), ...changeDelivery(change)() });
}
const changeTexts = (change: (text: string) => string) => changeMessages((message) => ({ ...message, text: change(message.text) }));
const isJson = ({ headers, text }: Reply): boolean => text !== '' && /json/.test(headers['content-type'] ?? '');

/** Changes objects at every depth. */
function changeObjects(change: (object: Json) => Json): StartMutant {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return change(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, visit(member)])));
  };
  return changeTexts((text) => JSON.stringify(visit(JSON.parse(text))));
}

const changeDates = (fraction: (digits: string) => string, zone = 'Z') =>
  changeTexts((text) =>
    text.replace(
      /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z"/g,
      (_, seconds, digits = '000') => `"${seconds}${fraction(digits)}${zone}"`,
    ),
  );

function changeProblems(change: (problem: Json, url: string) => Json): StartMutant {
  return changeReply(
    'any',
    (reply, { request }) => changeBody(reply, (problem) => change(problem, request.url)),
    ({ headers }) => headers['content-type']?.startsWith('application/problem+json') ?? false,
  );
}

const UUID_MEMBERS =
  /"((?:account|experience|connection|assignment|user)?[iI]d|targetValue)":"([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})"/g;
/** Adds a time to problem details. Like a time in whole seconds, it is the same in two refusals and then changes. */
const addTimeToProblems: StartMutant = () => {
  let count = 0;
  return changeProblems((problem) => ({ ...problem, timestamp: Math.floor(count++ / 2) }))();
};

export const hash = (text: unknown) => createHash('sha256').update(String(text)).digest('hex');

/** Sends the delivery again. The delivery counts as acknowledged only if the subscriber acknowledged both. */
const repeatDeliveries =
  (nth: number, afterMs: number): StartMutant =>
  () => {
    let count = 0;
    return handleDeliveries(async (delivery, subscriber) => {
      if (++count % nth > 0) return subscriber(delivery);
      const first = subscriber(delivery);
      if (afterMs > 0) await first.then(() => pause(afterMs));
      const replies = await Promise.all([first, subscriber(delivery)]);
      return replies.find((reply) => reply === undefined || !isSuccess(reply)) ?? replies[0];
    })();
  };

const ESCAPABLE = /\\u[\da-fA-F]{4}|\\.|[^\w\s]/g;
const escapeStrings = (text: string) =>
  text.replace(/"((?:[^"\\]|\\.)*)"/g, (_, content: string) => {
    const escaped = content.replace(ESCAPABLE, (found) =>
      found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    return `"${escaped}"`;
  });

/** The delay is long for a few requests or events only, so that runs of the suite are not too slow. */
const createDelay = (longestMs: number): number => longestMs * Math.random() ** 3;

/** Ways in which messages may look different, or arrive at other times. */
export const MESSAGE_QUIRKS = {
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
  'late events': handleDeliveries(async (delivery, subscriber) => {
    await pause(createDelay(2000), undefined, { ref: false });
    return subscriber(delivery);
  }),
  'attempts in the scope': changeDelivery((delivery) =>
    changeBody(delivery, ({ scope, ...event }) => ({ ...event, scope: { ...scope, attemptedAt: performance.now() } })),
  ),
  'simultaneous repeats': repeatDeliveries(3, 0),
  'later repeats': repeatDeliveries(2, 300),
  'other webhook ids': changeDelivery((delivery) =>
    changeHeaders(delivery, { 'webhook-id': `msg.${hash(delivery.headers['webhook-id'])}=/+` }),
  ),
} satisfies Readonly<Record<string, StartMutant>>;
