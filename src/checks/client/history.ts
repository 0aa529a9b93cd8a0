import type { Call } from './call.ts';

/** All lists are in order of arrival. */
export interface History {
  readonly calls: readonly Call[];
  /** Requests to the service. */
  readonly api: readonly Call[];
  readonly authorizations: readonly Authorization[];
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
export const parseQuery = ({ path }: Call): URLSearchParams => new URLSearchParams(path.split(/\?(.*)/s)[1] ?? '');
export const isSameRequest = (first: Call, second: Call): boolean =>
  first.operationId === second.operationId && toRequestKey(first) === toRequestKey(second);

export function toRequestKey(call: Call): string {
  const [path = ''] = call.path.split('?', 1);
  const query = parseQuery(call);
  query.sort();
  // An operation's prefixed and flat paths have the same key.
  return `${call.method} ${path.replace(/^\/experience[/-]/, '/')}?${query} ${JSON.stringify(call.request?.body)}`;
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
  const calls = addCredentials(entries).sort((first, second) => getArrivalMs(first) - getArrivalMs(second));
  const api = calls.filter(({ door, operationId }) => door === 'service' && operationId !== undefined);
  const tokenRequests = calls.filter(({ operationId }) => operationId === 'token');
  const usesOf = Map.groupBy(api, ({ credential }) => credential?.fingerprint);
  return {
    calls,
    api,
    tokenRequests,
    authorizations: findAuthorizations(calls, tokenRequests),
    tokens: tokenRequests.flatMap((request) => findIssuedToken(request, usesOf)),
  };
}

/**
 * Adds the client, principal and scopes to calls that lack them, from other calls with the same token. A call lacks them if the kit
 * responded before it read the token.
 */
function addCredentials(entries: readonly Call[]): Call[] {
  const known = entries.flatMap(({ credential, oauth }) => credential ?? oauth?.issued?.accessToken ?? []);
  const byFingerprint = new Map(known.filter(({ clientId }) => clientId !== undefined).map((each) => [each.fingerprint, each]));
  return entries.map((call) => {
    const { fingerprint = '', clientId } = call.credential ?? {};
    const data = byFingerprint.get(fingerprint);
    return clientId === undefined && data ? { ...call, credential: { ...data, ...call.credential } } : call;
  });
}

function findAuthorizations(calls: readonly Call[], tokenRequests: readonly Call[]): Authorization[] {
  const exchangesOf = Map.groupBy(tokenRequests, ({ oauth }) => oauth?.code);
  const requests = calls.filter(({ operationId, method }) => operationId === 'authorize' && method === 'GET');
  const byState = Map.groupBy(requests, (call) => parseQuery(call).get('state'));
  return requests.map((call) => {
    const parameters = parseQuery(call);
    const state = parameters.get('state');
    // After a login page, the response to a later request contains the code, so find the redirect by its `state`.
    const redirect = call.oauth?.issued ?? (byState.get(state)?.length === 1 ? findRedirect(calls, state) : undefined);
    return { call, parameters, exchanges: (redirect?.code && exchangesOf.get(redirect.code)) || [] };
  });
}

const findRedirect = (calls: readonly Call[], state: string | null) =>
  calls.find(({ oauth }) => oauth?.issued?.code !== undefined && oauth.issued.state === state)?.oauth?.issued;

function findIssuedToken(request: Call, usesOf: ReadonlyMap<string | undefined, readonly Call[]>): IssuedToken[] {
  const { accessToken, expiresIn = Infinity } = request.oauth?.issued ?? {};
  if (accessToken === undefined) return [];
  const { fingerprint, clientId, principalId, scopes = [] } = accessToken;
  const lifetimeMs = expiresIn * 1000;
  const group = JSON.stringify([clientId, principalId, [...scopes].sort()]);
  const uses = usesOf.get(fingerprint) ?? [];
  return [{ request, fingerprint, group, lifetimeMs, expiresMs: getResponseEndMs(request) + lifetimeMs, uses }];
}
