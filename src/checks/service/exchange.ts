import { type OperationId, operations } from '../../contract/generated/operations.ts';
import { schemaReferences } from '../../contract/generated/schema-references.ts';
import { type MatchedPath, matchPath } from '../../contract/match-path.ts';
import { getValidator, type SchemaViolation } from '../../contract/validators.ts';
import type { Answer } from '../../expect/answer.ts';
import { isSuccess } from '../../expect/response.ts';
import type { Call } from '../client/call.ts';
import { getArrivalMs, getResponseEndMs, parseQuery } from '../client/history.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A request to an operation, and the service's answer to it. */
export interface Exchange extends Pick<MatchedPath, 'operation' | 'form' | 'id'> {
  readonly call: Call;
  readonly query: URLSearchParams;
  readonly answer: Answer;
  /** Whether the whole body of the response is known. It is not if the journal or the file has only a part of it. */
  readonly isWhole: boolean;
  /** Whether the headers of the response are known. */
  readonly hasHeaders: boolean;
  /** The access token's fingerprint. */
  readonly token: string | undefined;
}

const INJECTED = '/problems/http.injected-fault';
/** A kit behind a proxy injects them as a service fails. Other injected statuses fit neither the request nor the world. */
const FAILURES: ReadonlySet<number> = new Set([429, 500, 503]);

/** @returns undefined if the entry is not an answer of the service to an operation's request */
export function toExchange(call: Call, baseUrl: string): Exchange | undefined {
  const { status, step, response, request, problem } = call;
  const [path = ''] = call.path.split('?', 1);
  const found = matchPath(call.method, path);
  const isInjected = step === 'fault' || (problem?.type === INJECTED && !FAILURES.has(status ?? 0));
  // The users have no prefixed path.
  const isOtherPath = found?.form === undefined && found?.prefix === '/experience';
  if (call.door !== 'service' || !found || status === undefined || isInjected || isOtherPath) return undefined;
  const { text, json, isWhole } = readBody(response);
  const body = request?.body;
  return {
    ...found,
    call,
    query: parseQuery(call),
    token: call.credential?.fingerprint,
    isWhole,
    hasHeaders: response?.headers !== undefined && Object.keys(response.headers).length > 0,
    answer: {
      operationId: found.operation,
      method: call.method,
      url: baseUrl + call.path,
      requestHeaders: request?.headers ?? {},
      requestBody: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      status,
      headers: response?.headers ?? {},
      text,
      json,
    },
  };
}

type RecordedBody = Pick<NonNullable<Call['response']>, 'body' | 'bodyBytes' | 'truncated'>;

/** The journal has a JSON body as a value, and any other body as a text. */
export function readBody(recorded: RecordedBody | undefined): { readonly text: string; readonly json: unknown; readonly isWhole: boolean } {
  const { body, truncated = false } = recorded ?? {};
  if (body === undefined || truncated) return { text: typeof body === 'string' ? body : '', json: undefined, isWhole: !truncated };
  return isRawText(recorded)
    ? { text: body as string, json: undefined, isWhole: true }
    : { text: JSON.stringify(body), json: body, isWhole: true };
}

/** Whether a body is a text that is not JSON. The text of a JSON string is longer than the string. */
export const isRawText = ({ body, bodyBytes }: RecordedBody = {}): boolean =>
  typeof body === 'string' && (bodyBytes === undefined || Buffer.byteLength(body) === bodyBytes);

export const succeeds = ({ answer }: Exchange): boolean => isSuccess(answer);
export const isOneOf =
  (...ids: readonly OperationId[]) =>
  ({ operation }: Exchange): boolean =>
    ids.includes(operation);
export const getJson = ({ answer }: Pick<Exchange, 'answer'>): Json => Object(answer.json) as Json;
export const getEntities = (exchange: Exchange): readonly Json[] => {
  const { entities } = getJson(exchange);
  return succeeds(exchange) && Array.isArray(entities) ? entities.map((entity) => Object(entity) as Json) : [];
};
/** `String` would throw an error for an object with a member `toString`. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
/** A server may return an id in other letter case. */
export const normalize = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');

/**
 * Whether the second exchange began after the first one had ended. Of an exchange of unknown duration, or from a
 * cache, the order is not known.
 * @param ms how long after it, in milliseconds
 */
export function isAfter(first: Exchange, second: Exchange, ms = 0): boolean {
  const arrivedMs = getArrivalMs(second.call);
  // A file has times in whole milliseconds.
  const marginMs = Number.isInteger(arrivedMs) ? 1 : 0;
  const isTimed = first.call.durationMs > 0 && second.call.durationMs > 0;
  return isTimed && arrivedMs - getResponseEndMs(first.call) >= ms + marginMs && first.call.at <= second.call.at;
}

const violations = new WeakMap<Exchange, readonly SchemaViolation[]>();

/** Returns what is wrong in the body of a documented success; undefined if the contract or the record does not have the body. */
export function findViolations(exchange: Exchange): readonly SchemaViolation[] | undefined {
  const { operation, answer, isWhole } = exchange;
  const { successStatus } = operations[operation];
  const reference = (schemaReferences.responses[operation] as Readonly<Record<string, string>>)[successStatus];
  if (!isWhole || !succeeds(exchange) || successStatus === '2XX' || reference === undefined || answer.json === undefined) return undefined;
  let found = violations.get(exchange);
  if (!found) {
    found = getValidator(reference)(answer.json);
    violations.set(exchange, found);
  }
  return found;
}
