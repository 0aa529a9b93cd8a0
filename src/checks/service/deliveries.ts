import { type EventType, eventTypes } from '../../contract/generated/events.ts';
import type { Answer } from '../../expect/answer.ts';
import { type Delivery, type Members, parseEvent, parseEventData } from '../../expect/event.ts';
import type { Call } from '../client/call.ts';
import { getArrivalMs, getResponseEndMs, sortByArrival } from '../client/history.ts';
import { normalize, readBody } from './exchange.ts';

/** A request to `/hooks/NAME` at a proxy, with the endpoint's answer or, if the endpoint did not answer, the proxy's. */
export interface PassedDelivery extends Delivery {
  readonly call: Call;
  readonly answer: Answer;
  /** `/hooks/NAME`. */
  readonly hook: string;
  /** Whether the whole body is known. */
  readonly isWhole: boolean;
  readonly webhookId: string | undefined;
  /** Undefined for a type that the specification does not list. */
  readonly type: EventType | undefined;
  readonly event: Members;
  readonly data: Members;
  /** The id of the connection, assignment or user that the event is about. Empty if unknown. */
  readonly entityId: string;
}

const HOOK = /^\/hooks\/[^/?]+/;
/** What the journal keeps of a body that may contain a secret, or that is compressed. */
const NOT_RECORDED = /^\[not recorded: /;

export const getProxyProblem = ({ problem }: Call): string | undefined => /^\/problems\/(proxy\..*)/.exec(problem?.type ?? '')?.[1];

/** @param calls entries of a journal, in any order; only a proxy's contains deliveries */
export function findDeliveries(calls: readonly Call[], baseUrl: string): readonly PassedDelivery[] {
  if (!calls.some((call) => call.step === 'forward' || getProxyProblem(call) !== undefined)) return [];
  return sortByArrival(calls).flatMap((call) => toDelivery(call, baseUrl) ?? []);
}

function toDelivery(call: Call, baseUrl: string): PassedDelivery | undefined {
  const { method, path, status = 0, request, response } = call;
  const [hook] = HOOK.exec(path) ?? [];
  if (hook === undefined) return undefined;
  const headers = request?.headers ?? {};
  const { text, json, isWhole } = readBody(request);
  const at = getArrivalMs(call);
  const delivery = { method, headers, text, json, at, ...(call.status !== undefined && { answeredAt: getResponseEndMs(call) }) };
  const event = parseEvent(delivery);
  const data = parseEventData(delivery);
  // Anybody can send requests to the proxy.
  const isEvent = method === 'POST' && typeof event.type === 'string' && ['data', 'scope', 'subscriptionId'].some((name) => name in event);
  if (!isEvent && headers['webhook-id'] === undefined && headers['webhook-timestamp'] === undefined) return undefined;
  const answered = readBody(response);
  return {
    ...delivery,
    call,
    hook,
    isWhole: isWhole && !NOT_RECORDED.test(text),
    webhookId: headers['webhook-id'] || undefined,
    type: eventTypes.find((type) => type === event.type),
    event,
    data,
    entityId: normalize(data.connectionId ?? data.assignmentId ?? data.userId),
    answer: {
      ...{ method, url: baseUrl + path, requestHeaders: headers, requestBody: text, status },
      ...{ headers: response?.headers ?? {}, text: answered.text, json: answered.json },
    },
  };
}
