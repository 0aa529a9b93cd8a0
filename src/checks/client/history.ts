import type { Call } from './call.ts';

/** The calls of a client, arranged for the rules. All lists are in the order in which the requests arrived. */
export interface History {
  readonly calls: readonly Call[];
  /** Requests to the operations of the service. */
  readonly api: readonly Call[];
  readonly authorizations: readonly Authorization[];
  readonly tokenRequests: readonly Call[];
  readonly tokens: readonly IssuedToken[];
}

/** An authorization request. */
export interface Authorization {
  readonly call: Call;
  readonly parameters: URLSearchParams;
  /** The successful or refused exchanges of its code. */
  readonly exchanges: readonly Call[];
}

/** An access token that the authorization server issued to the client. */
export interface IssuedToken {
  readonly request: Call;
  readonly fingerprint: string;
  /** The client, the principal and the scopes of the token. Tokens with an equal group can replace each other. */
  readonly group: string;
  /** The end of the lifetime, in milliseconds of wall time. */
  readonly expiresMs: number;
  readonly lifetimeMs: number;
  readonly uses: readonly Call[];
}

export const arrivalOf = ({ arrivedMs, at }: Call): number => arrivedMs ?? Date.parse(at);
/** Returns the time of the response, in milliseconds of wall time. */
export const endOf = (call: Call): number => arrivalOf(call) + call.durationMs;
export const queryOf = ({ path }: Call): URLSearchParams => new URLSearchParams(path.split(/\?(.*)/s)[1] ?? '');
/** Returns whether two requests have the same method, path and body. The access token is not compared. */
export const isSameRequest = (one: Call, other: Call): boolean =>
  one.operationId === other.operationId && requestKey(one) === requestKey(other);

/** Returns a text that is equal for equal requests: the path form, the order of the parameters and their encoding make no difference. */
export function requestKey(call: Call): string {
  const [path = ''] = call.path.split('?', 1);
  const query = queryOf(call);
  query.sort();
  // The two path forms of an operation begin with /experience/ and /experience-, or one of them has no prefix.
  return `${call.method} ${path.replace(/^\/experience[/-]/, '/')}?${query} ${JSON.stringify(call.request?.body)}`;
}

/** A request that arrives less than this time after a response may have been sent before the client received the response. In milliseconds. */
export const AT_ONCE_MS = 20;

/**
 * Returns whether a client sent a request after it had received the response to another request. A request that arrives at once may have
 * been sent in parallel, unless it came on the connection of the response, or on a connection that was opened later.
 */
export function isSentAfter(answered: Call, call: Call): boolean {
  const waitMs = arrivalOf(call) - endOf(answered);
  if (waitMs >= AT_ONCE_MS) return true;
  if (waitMs < 0 || answered.connection === undefined || call.connection === undefined) return waitMs >= 0;
  return call.connection.number === answered.connection.number || call.connection.ageMs < waitMs;
}

/** Returns the client that sent a request to the service. */
export const clientOf = ({ credential }: Call): string => credential?.clientId ?? credential?.fingerprint ?? '';
export const isSuccess = ({ status = 0 }: Call): boolean => status >= 200 && status < 300;

export function historyOf(entries: readonly Call[]): History {
  const calls = withCredentials(entries).sort((one, other) => arrivalOf(one) - arrivalOf(other));
  const api = calls.filter(({ door, operationId }) => door === 'service' && operationId !== undefined);
  const tokenRequests = calls.filter(({ operationId }) => operationId === 'token');
  const usesOf = Map.groupBy(api, ({ credential }) => credential?.fingerprint);
  return {
    calls,
    api,
    tokenRequests,
    authorizations: authorizationsIn(calls, tokenRequests),
    tokens: tokenRequests.flatMap((request) => issuedToken(request, usesOf)),
  };
}

/**
 * Adds the data of a token to calls whose entry has only its fingerprint, because the kit responded before it read the token. The data is that
 * of other calls with the token, or of the response that issued the token.
 */
function withCredentials(entries: readonly Call[]): Call[] {
  const known = entries.flatMap(({ credential, oauth }) => credential ?? oauth?.issued?.accessToken ?? []);
  const byFingerprint = new Map(known.filter(({ clientId }) => clientId !== undefined).map((each) => [each.fingerprint, each]));
  return entries.map((call) => {
    const { fingerprint = '', clientId } = call.credential ?? {};
    const data = byFingerprint.get(fingerprint);
    return clientId === undefined && data ? { ...call, credential: { ...data, ...call.credential } } : call;
  });
}

function authorizationsIn(calls: readonly Call[], tokenRequests: readonly Call[]): Authorization[] {
  const exchangesOf = Map.groupBy(tokenRequests, ({ oauth }) => oauth?.code);
  const requests = calls.filter(({ operationId, method }) => operationId === 'authorize' && method === 'GET');
  const byState = Map.groupBy(requests, (call) => queryOf(call).get('state'));
  return requests.map((call) => {
    const parameters = queryOf(call);
    const state = parameters.get('state');
    // A login on the page ends with a redirect from another address. The state connects that redirect with the request.
    const redirect = call.oauth?.issued ?? (byState.get(state)?.length === 1 ? redirectWith(calls, state) : undefined);
    return { call, parameters, exchanges: (redirect?.code && exchangesOf.get(redirect.code)) || [] };
  });
}

const redirectWith = (calls: readonly Call[], state: string | null) =>
  calls.find(({ oauth }) => oauth?.issued?.code !== undefined && oauth.issued.state === state)?.oauth?.issued;

function issuedToken(request: Call, usesOf: ReadonlyMap<string | undefined, readonly Call[]>): IssuedToken[] {
  const { accessToken, expiresIn = Infinity } = request.oauth?.issued ?? {};
  if (accessToken === undefined) return [];
  const { fingerprint, clientId, principalId, scopes = [] } = accessToken;
  const lifetimeMs = expiresIn * 1000;
  const group = JSON.stringify([clientId, principalId, [...scopes].sort()]);
  const uses = usesOf.get(fingerprint) ?? [];
  return [{ request, fingerprint, group, lifetimeMs, expiresMs: endOf(request) + lifetimeMs, uses }];
}
