import type { Call } from './call.ts';

/** All lists are in order of arrival. */
export interface History {
  readonly calls: readonly Call[];
  /** Requests to the service. */
  readonly api: readonly Call[];
  readonly authorizations: readonly Authorization[];
  /** The authorization whose code a token request contains. */
  readonly authorizationOf: ReadonlyMap<Call, Authorization>;
  readonly tokenRequests: readonly Call[];
  readonly tokens: readonly IssuedToken[];
}

export interface Authorization {
  readonly call: Call;
  readonly parameters: URLSearchParams;
  /** The token requests with this authorization's code, including refused requests. */
  readonly exchanges: readonly Call[];
}

export interface IssuedToken {
  readonly request: Call;
  readonly fingerprint: string;
  /** The token's client, principal and scopes, as one string. */
  readonly group: string;
  /** The wall time, in milliseconds, at which the token expires. */
  readonly expiresMs: number;
  readonly lifetimeMs: number;
  readonly uses: readonly Call[];
}

export const getArrivalMs = ({ arrivedMs, at }: Call): number => arrivedMs ?? Date.parse(at);
export const getResponseEndMs = (call: Call): number => getArrivalMs(call) + call.durationMs;
/** The time, in milliseconds, between a response and a later request. A test may advance the kit clock instead of waiting. */
export const getPauseMs = (first: Call, next: Call): number =>
  Math.max(getArrivalMs(next) - getResponseEndMs(first), Date.parse(next.at) - Date.parse(first.at) - first.durationMs);
export const parseQuery = ({ path }: Call): URLSearchParams => new URLSearchParams(path.split(/\?(.*)/s)[1] ?? '');
export const sortByArrival = (calls: readonly Call[]): Call[] =>
  calls.toSorted((first, second) => getArrivalMs(first) - getArrivalMs(second));
export const isSameRequest = (first: Call, second: Call): boolean =>
  first.operationId === second.operationId && toRequestKey(first) === toRequestKey(second);

const requestKeys = new WeakMap<Call, string>();

/** Remembers the key, because a call is compared with many others. */
export function toRequestKey(call: Call): string {
  const known = requestKeys.get(call);
  if (known !== undefined) return known;
  const [path = ''] = call.path.split('?', 1);
  const query = parseQuery(call);
  query.sort();
  // An operation's prefixed and flat paths have the same key.
  const key = `${call.method} ${path.replace(/^\/experience[/-]/, '/')}?${query} ${JSON.stringify(call.request?.body)}`;
  requestKeys.set(call, key);
  return key;
}

/** Returns the first call that arrived at this time or later and matches. The calls must be in order of arrival. */
export function findFrom(calls: readonly Call[] = [], ms: number, matches: (call: Call) => boolean = () => true): Call | undefined {
  let [start, end] = [0, calls.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    if (getArrivalMs(calls[middle]!) < ms) start = middle + 1;
    else end = middle;
  }
  while (start < calls.length && !matches(calls[start]!)) start++;
  return calls[start];
}

/** If a request arrives less than this many milliseconds after a response, the client may have sent it without waiting for the response. */
export const AT_ONCE_MS = 20;

/**
 * Whether the client sent `call` after it got the response to `earlier`. Within AT_ONCE_MS of the response, only requests on the same
 * connection, or on one that was opened after the response, count.
 */
export function isSentAfter(earlier: Call, call: Call): boolean {
  const waitMs = getArrivalMs(call) - getResponseEndMs(earlier);
  if (waitMs >= AT_ONCE_MS) return true;
  if (waitMs < 0 || earlier.connection === undefined || call.connection === undefined) return waitMs >= 0;
  return call.connection.number === earlier.connection.number || call.connection.ageMs < waitMs;
}

export const getClient = ({ credential }: Call): string => credential?.clientId ?? credential?.fingerprint ?? '';
export const isSuccess = ({ status = 0 }: Call): boolean => status >= 200 && status < 300;

export function buildHistory(entries: readonly Call[]): History {
  const calls = sortByArrival(entries);
  const api = calls.filter(({ door, operationId }) => door === 'service' && operationId !== undefined);
  const tokenRequests = calls.filter(({ operationId }) => operationId === 'token');
  const usesOf = Map.groupBy(api, ({ credential }) => credential?.fingerprint);
  const authorizations = findAuthorizations(calls, tokenRequests);
  return {
    calls,
    api,
    tokenRequests,
    authorizations,
    authorizationOf: new Map(authorizations.flatMap((each) => each.exchanges.map((exchange) => [exchange, each]))),
    tokens: tokenRequests.flatMap((request) => findIssuedToken(request, usesOf)),
  };
}

function findAuthorizations(calls: readonly Call[], tokenRequests: readonly Call[]): Authorization[] {
  const exchangesOf = Map.groupBy(tokenRequests, ({ oauth }) => oauth?.code);
  const requests = calls.filter(({ operationId, method }) => operationId === 'authorize' && method === 'GET');
  const byState = Map.groupBy(requests, (call) => parseQuery(call).get('state'));
  const redirects = Map.groupBy(
    calls.flatMap(({ oauth }) => (oauth?.issued?.code === undefined ? [] : oauth.issued)),
    ({ state = null }) => state,
  );
  return requests.map((call) => {
    const parameters = parseQuery(call);
    const state = parameters.get('state');
    // After a login page, the response to a later request contains the code, so find the redirect by its `state`.
    const redirect = call.oauth?.issued ?? (byState.get(state)?.length === 1 ? redirects.get(state)?.[0] : undefined);
    return { call, parameters, exchanges: (redirect?.code && exchangesOf.get(redirect.code)) || [] };
  });
}

function findIssuedToken(request: Call, usesOf: ReadonlyMap<string | undefined, readonly Call[]>): IssuedToken[] {
  const { accessToken, expiresIn = Infinity } = request.oauth?.issued ?? {};
  if (accessToken === undefined) return [];
  const { fingerprint, clientId, principalId, scopes = [] } = accessToken;
  const lifetimeMs = expiresIn * 1000;
  const group = JSON.stringify([clientId, principalId, [...scopes].sort()]);
  const uses = usesOf.get(fingerprint) ?? [];
  return [{ request, fingerprint, group, lifetimeMs, expiresMs: getResponseEndMs(request) + lifetimeMs, uses }];
}
