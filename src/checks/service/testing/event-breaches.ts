import type { EventType } from '../../../contract/generated/events.ts';
import type { RuleId } from '../../../contract/generated/rules.ts';
import type { Call } from '../../client/call.ts';

// biome-ignore lint/suspicious/noExplicitAny: breaches change bodies of any shape
type Body = Record<string, any>;
export interface Sent {
  readonly call: { method: string; arrivedMs?: number };
  readonly headers: Record<string, string>;
  readonly body: Body;
}

type EventRule = RuleId extends infer Id ? (Id extends `events.${infer Rest}` ? Rest : never) : never;

/** Changes a delivery that `find` selects, which breaks these rules. */
export type EventBreach = readonly [
  name: string,
  find: (call: Call, body: Body, calls: readonly Call[]) => unknown,
  change: (sent: Sent, calls: readonly Call[]) => void,
  /** Without `events.`. */
  ...breaks: readonly EventRule[],
];

export const bodyOf = ({ request }: Call): Body => Object(request?.body) as Body;
const isDelivery = ({ path }: Call): boolean => path.startsWith('/hooks/');
const webhookIdOf = ({ request }: Call): string | undefined => request?.headers['webhook-id'];
const is =
  (type?: EventType) =>
  (call: Call, body: Body): boolean =>
    isDelivery(call) && (type === undefined || body.type === type);
/** Selects the last delivery of an event that was delivered once, so that a change breaks no rule about repeats. */
const isOnly =
  (type: EventType) =>
  (call: Call, body: Body, calls: readonly Call[]): boolean =>
    is(type)(call, body) && calls.filter((each) => webhookIdOf(each) === webhookIdOf(call)).length === 1;
const isRepeat = (call: Call, _: Body, calls: readonly Call[]): boolean =>
  isDelivery(call) && calls.some((each) => webhookIdOf(each) === webhookIdOf(call) && each.number < call.number);
const findFirst = (calls: readonly Call[], webhookId: string | undefined): Call => calls.find((call) => webhookIdOf(call) === webhookId)!;

const DELETED = 'experience.assignment.deleted';
const ASSIGNED = isOnly('experience.assignment.created');
const UNASSIGNED = isOnly(DELETED);
const CONNECTED = isOnly('experience.connection.created');
const JOINED = isOnly('provisioning.user.created');
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

const setHeader =
  (name: string, toValue: (value: string) => string) =>
  ({ headers }: Sent): void => {
    headers[name] = toValue(headers[name] ?? '');
  };
const setEvent =
  (members: Body) =>
  ({ body }: Sent): void =>
    void Object.assign(body, members);
const setData =
  (members: Body) =>
  ({ body }: Sent): void =>
    void Object.assign(body.data, members);
/** Responses prove something about a delivery only some time after it. */
const arriveEarly = ({ call }: Sent): void => void Object.assign(call, { arrivedMs: call.arrivedMs! - 20_000 });
const drop =
  (name: string) =>
  ({ body }: Sent): void => {
    delete body.data[name];
  };

export const EVENT_BREACHES: readonly EventBreach[] = [
  ['a delivery as a PUT', ASSIGNED, ({ call }) => void Object.assign(call, { method: 'PUT' }), 'delivery.post'],
  ['another content type', ASSIGNED, setHeader('content-type', () => 'text/plain'), 'delivery.json-content-type'],
  ['no webhook-id', ASSIGNED, ({ headers }) => void delete headers['webhook-id'], 'headers.webhook-id'],
  ['webhook-timestamp in milliseconds', ASSIGNED, setHeader('webhook-timestamp', (text) => `${text}000`), 'headers.webhook-timestamp'],
  [
    'webhook-timestamp of an hour ago',
    ASSIGNED,
    setHeader('webhook-timestamp', (text) => String(Number(text) - 3600)),
    'headers.webhook-timestamp-when-sent',
  ],
  [
    'the webhook-id of another event',
    JOINED,
    ({ headers }, calls) =>
      setHeader('webhook-id', () => webhookIdOf(calls.find((call) => is(DELETED)(call, bodyOf(call)))!)!)({ headers } as Sent),
    'headers.webhook-id-unique',
    'delivery.repeat-is-same-event',
  ],
  [
    'other data in a repeat',
    isRepeat,
    setData({ experienceName: 'Another' }),
    'headers.webhook-id-unique',
    'delivery.repeat-is-same-event',
  ],
  [
    'another webhook-id in a repeat',
    isRepeat,
    setHeader('webhook-id', () => UNKNOWN),
    'headers.webhook-id-kept',
    'publish.once-per-change',
  ],
  [
    'the webhook-timestamp of the first delivery in a late repeat',
    isRepeat,
    ({ call, headers }, calls) => {
      const first = findFirst(calls, headers['webhook-id']);
      headers['webhook-timestamp'] = first.request!.headers['webhook-timestamp']!;
      call.arrivedMs = first.arrivedMs! + 20_000;
    },
    'headers.webhook-timestamp-of-repeat',
  ],
  ['a type with two parts', JOINED, setEvent({ type: 'provisioning.created' }), 'envelope.type'],
  [
    'a timestamp with an offset',
    ASSIGNED,
    setEvent({ timestamp: '2026-03-01T10:00:00+02:00' }),
    'envelope.timestamp',
    'envelope.timestamp-of-event',
  ],
  ['the timestamp of another day', ASSIGNED, setEvent({ timestamp: '2020-03-01T10:00:00Z' }), 'envelope.timestamp-of-event'],
  ['no subscriptionId', ASSIGNED, ({ body }) => void delete body.subscriptionId, 'envelope.subscription-id'],
  ['no scope', ASSIGNED, ({ body }) => void delete body.scope, 'envelope.scope'],
  ['another scope', ASSIGNED, setEvent({ scope: { experienceId: UNKNOWN } }), 'envelope.scope-experience'],
  ['no data', JOINED, ({ body }) => void delete body.data, 'envelope.data'],
  ['no experienceName', ASSIGNED, drop('experienceName'), 'assignment.data.experience-name'],
  ['no providerId', CONNECTED, drop('providerId'), 'connection.data.provider-id'],
  ['a connectionId that is no UUID', CONNECTED, setData({ connectionId: 'x' }), 'connection.data.connection-id'],
  ['a userId that is no UUID', JOINED, setData({ userId: 'x' }), 'provisioning.data.user-id'],
  ['an unknown targetType', ASSIGNED, setData({ targetType: 'TEAM' }), 'assignment.data.target-type', 'assignment.data.of-assignment'],
  [
    'a number without a plus',
    ASSIGNED,
    setData({ targetValue: '12065550103' }),
    'assignment.data.target-value',
    'assignment.data.of-assignment',
  ],
  ['another account', ASSIGNED, setData({ accountId: UNKNOWN }), 'assignment.data.of-assignment'],
  ['another updatedAt', ASSIGNED, setData({ updatedAt: '2026-01-01T00:00:00Z' }), 'assignment.data.updated-at-of-assignment'],
  ['a deletion before the creation', UNASSIGNED, setData({ updatedAt: '2020-01-01T00:00:00Z' }), 'assignment.data.updated-at-grows'],
  [
    'a deletion of what is found later',
    (call, body, calls) =>
      ASSIGNED(call, body, calls) &&
      calls.some(({ method, path, status }) => method === 'GET' && status === 200 && path.endsWith(`/${body.data.assignmentId}`)),
    (sent) => {
      arriveEarly(sent);
      Object.assign(sent.body, { type: DELETED });
    },
    'publish.only-changes',
    'publish.once-per-change',
  ],
  [
    'an updatedAt after that of a later response',
    CONNECTED,
    (sent) => {
      arriveEarly(sent);
      Object.assign(sent.body.data, { updatedAt: '2100-01-01T00:00:00Z' });
    },
    'connection.data.updated-at-of-connection',
    'connection.data.updated-at-grows',
  ],
];
