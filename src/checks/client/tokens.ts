import { hash } from 'node:crypto';
import type { ClientRuleId } from '../rules.ts';
import type { Call } from './call.ts';
import { getArrivalMs, getResponseEndMs, type History, type IssuedToken, isSentAfter, parseQuery, toRequestKey } from './history.ts';
import { type Breach, type JudgeRule, judgeEach } from './judgement.ts';

const EARLY_REPLACEMENT_LIFETIME_FRACTION = 0.5;
/** Tokens that expire within this time, in milliseconds, may always be replaced. */
const REPLACEMENT_MARGIN_MS = 300_000;
const NEEDS_ONE_SESSION =
  'The client logged in several times, and sent only one request with each token. This is an error, unless each login belongs to a separate test, user or worker. If all calls belong to one session, run the check with --one-session.';
const LIST_FORMAT = new Intl.ListFormat('en');
const NEEDS_ISSUED_TOKEN = 'The client has to get a token from the authorization server, and to send requests with it.';

export const judgesForTokenRules = {
  'client.tokens.cached'({ tokens, tokenRequests, authorizationOf }, { oneSession = false }) {
    const sessions = groupBySession(tokens, oneSession);
    const replaced = sessions.flatMap((session): Breach[] => {
      const wasted = session.filter((token, index) => isReplacedAfterOneCall(token, session[index + 1], oneSession));
      const reused = session.filter(({ uses }) => uses.length > 1).length;
      if (wasted.length < 2 || wasted.length <= reused) return [];
      const message = `The client got ${session.length} access tokens for the same client, principal and scopes, and replaced ${wasted.length} of them after a single call, long before they expired. Keep a token and use it until shortly before it expires.`;
      return [
        {
          message,
          calls: session.slice(0, 6).flatMap(({ request, uses }) => [request, ...uses.slice(0, 1)]),
          breaking: session.slice(1, 6).map(({ request }) => request),
        },
      ];
    });
    const unused = new Map(tokens.filter(({ uses }) => uses.length < 2).map(({ request, group }) => [request, group]));
    const requests = Map.groupBy(tokenRequests, (call) => call.oauth?.refreshToken ?? unused.get(call));
    requests.delete(undefined);
    // Several users or workers may log in at the same time once, but not again and again for a single call.
    const bursts = [...requests.values()]
      .map((calls) => findBursts(calls, authorizationOf))
      .filter((found) => found.length > 1 || found[0]?.[0]?.oauth?.refreshToken !== undefined);
    const parallel = bursts.flat().map((calls): Breach => {
      const message = `The client sent ${calls.length} token requests at once for the same session. Send one token request, and let all other calls wait for its token.`;
      return { message, calls, breaking: calls.slice(1) };
    });
    const exercised = tokens.flatMap(({ request, uses }) => (uses.length > 1 ? [request, ...uses] : []));
    const findings = [...replaced, ...parallel];
    const needs = 'The client has to send several requests with a token from the authorization server.';
    const single = sessions.flatMap(([token, ...others]) => (others.length === 0 && token!.uses.length === 1 ? [token!.request] : []));
    const isUncertain = single.length > 2 && findings.length === 0;
    return { exercised, findings, needs, ...(isUncertain && { uncertain: { reason: NEEDS_ONE_SESSION, calls: single } }) };
  },

  'client.token-in-header'({ api }) {
    const hasToken = (call: Call) => call.credential !== undefined || hasTokenElsewhere(call);
    const withToken = api.filter(hasToken);
    const judged = judgeEach(withToken, 'The client has to send a request with an access token.', (call) => {
      if (hasTokenElsewhere(call))
        return 'The access token is in the query, in the body or in another header. Send it in the Authorization header, as Bearer <ACCESS_TOKEN>.';
      if (call.credential?.problem !== 'not bearer') return undefined;
      return 'The Authorization header is not of the form Bearer <ACCESS_TOKEN>. Send the access token in this form.';
    });
    const repeated = api.filter((call, index) => !hasToken(call) && isRepeatedWithToken(call, api[index + 1]));
    if (repeated.length > 2 && repeated.length * 2 > withToken.length) {
      const reason = `The client first sent ${repeated.length} of its requests without an access token, and then again with one. Send the token in the first request.`;
      return { ...judged, uncertain: { reason, calls: repeated } };
    }
    // If an operation also gets requests with a token, its requests without a token are probably tests of the 401 response.
    const known = new Set(withToken.map(({ operationId }) => operationId));
    const withoutToken = api.filter((call) => !hasToken(call) && !known.has(call.operationId));
    if (withoutToken.length === 0) return judged;
    const operations = LIST_FORMAT.format(new Set(withoutToken.map(({ operationId = '' }) => operationId)));
    const reason = `The client sent no access token in any request of ${operations}. Unless these requests test the 401 response, this is an error: send the token in the Authorization header.`;
    return { ...judged, uncertain: { reason, calls: withoutToken } };
  },

  'client.scopes-requested'({ api, tokens }) {
    const own = new Set(tokens.map(({ fingerprint }) => fingerprint));
    const calls = api.filter(({ credential }) => credential !== undefined && own.has(credential.fingerprint));
    return judgeEach(calls, NEEDS_ISSUED_TOKEN, ({ credential }) =>
      credential?.problem?.includes('no scope')
        ? 'The access token lacks the scope that this operation requires. Request the scope when the user logs in.'
        : undefined,
    );
  },

  'client.grants-used-once'({ tokenRequests, tokens }) {
    const firstUses = new Map(tokens.map(({ request, uses: [use] }) => [request, use]));
    const grants = Map.groupBy(tokenRequests, ({ oauth }) => oauth?.code ?? oauth?.refreshToken);
    grants.delete(undefined);
    const findings = [...grants.values()].flatMap((calls): Breach[] => {
      const spent = calls.find(({ oauth }) => oauth?.issued && oauth.issued.refreshToken !== oauth.refreshToken);
      // Several parts of a client may refresh at the same time, until one of them has used the new token.
      const use = spent && firstUses.get(spent);
      const refreshedMs = (request: Call) => Math.min(getResponseEndMs(request) + 1000, use ? getResponseEndMs(use) : Infinity);
      const spentMs = spent && (spent.oauth?.code === undefined ? refreshedMs(spent) : getArrivalMs(spent));
      const again = calls.find((call) => call !== spent && spentMs !== undefined && getArrivalMs(call) >= spentMs);
      const grant = spent?.oauth?.code === undefined ? 'refresh token' : 'code';
      const message = `The client sent a ${grant} again that it had already exchanged. After each token request, use the new refresh token.`;
      return spent && again ? [{ message, calls: [spent, again], breaking: [again] }] : [];
    });
    return { exercised: tokenRequests, findings, needs: 'The client has to exchange a code or a refresh token.' };
  },

  'client.no-secrets-in-urls': ({ calls }) =>
    judgeEach(calls, 'The client has to send a request.', (call) => {
      if (isVerifierInState(call))
        return 'The state contains the code_verifier, and servers log URLs. Send a state that is unrelated to the code_verifier.';
      if (!SECRET_IN_URL_PATTERN.test(call.path)) return undefined;
      return 'The URL contains a secret, and servers log URLs. Send secrets in a header or in the body.';
    }),
} satisfies Partial<Record<ClientRuleId, JudgeRule>>;

/** Matches a redacted secret or a JWT in a query parameter. A `state` or a cursor may be a JWT without being a secret. */
const SECRET_IN_URL_PATTERN =
  /[?&](?:(?:access_?|refresh_?|id_?)?token|client_?secret|client_?assertion|code_?verifier)=\[redacted\]|[?&](?!state=|cursor=)[^=&]*=(?:Bearer(?:\+|%20))?eyJ[\w-]{10,}\.[\w-]+\./i;

/** A client without a session may encode the code_verifier, with other values, in the state. */
function isVerifierInState(call: Call): boolean {
  if (call.operationId !== 'authorize') return false;
  const query = parseQuery(call);
  const state = query.get('state') ?? '';
  const parts = [state, Buffer.from(state, 'base64url').toString()].flatMap((text) => [...text.split(/[^\w.~-]+/), ...text.split('.')]);
  return parts.some((part) => hash('sha256', part, 'base64url') === query.get('code_challenge'));
}

const TOKEN_HEADER_PATTERN = /^(?:x-)?(?:(?:access|api|auth|bearer|id)-?token|token|authorization)$/;

const isRepeatedWithToken = (call: Call, next: Call | undefined): boolean =>
  next?.credential !== undefined && toRequestKey(next) === toRequestKey(call);

function hasTokenElsewhere({ path, request, credential }: Call): boolean {
  const body = Object(request?.body) as Readonly<Record<string, unknown>>;
  return (
    /[?&](?:access_?)?token=/i.test(path) ||
    /[?&]authorization=/i.test(path) ||
    /[?&](?!cursor=)[^=&]*=eyJ[\w-]{10,}\.[\w-]+\./.test(path) ||
    'access_token' in body ||
    (credential === undefined && Object.keys(request?.headers ?? {}).some((name) => TOKEN_HEADER_PATTERN.test(name)))
  );
}

/**
 * Groups tokens by session. A token from a login starts a new session, unless the client uses it to read the next page of an earlier
 * session's list.
 */
function groupBySession(tokens: readonly IssuedToken[], oneSession: boolean): IssuedToken[][] {
  const sessions: IssuedToken[][] = [];
  /** The sessions, by what their next token has in common with an earlier one. */
  const sessionOf = new Map<string, IssuedToken[]>();
  for (const token of tokens) {
    const { refreshToken, issued } = token.request.oauth ?? {};
    const toKeys = (values: readonly (string | null | undefined)[]) => values.flatMap((value) => (value ? `${token.group} ${value}` : []));
    const cursors = token.uses.map((use) => parseQuery(use).get('cursor'));
    const keys = toKeys(oneSession ? ['one session'] : refreshToken === undefined ? cursors : [refreshToken]);
    const session = keys.map((key) => sessionOf.get(key)).find((found) => found !== undefined);
    if (session) session.push(token);
    else sessions.push([token]);
    const nextKeys = toKeys(['one session', issued?.refreshToken, refreshToken, ...token.uses.map(({ nextCursor }) => nextCursor)]);
    for (const key of nextKeys) if (!sessionOf.has(key)) sessionOf.set(key, session ?? sessions.at(-1)!);
  }
  return sessions;
}

/** Returns groups of refreshes or logins of which each started before the previous one ended. Two may be a race in the client. */
function findBursts(requests: readonly Call[], authorizationOf: History['authorizationOf']): Call[][] {
  const bursts: Call[][] = [];
  for (const request of requests) {
    const burst = bursts.at(-1);
    const start = authorizationOf.get(request)?.call ?? request;
    if (burst && !isSentAfter(burst.at(-1)!, start)) burst.push(request);
    else bursts.push([request]);
  }
  return bursts.filter(({ length }) => length > 2);
}

/** @param oneSession whether another token is wrong even if the client requested it before the call */
function isReplacedAfterOneCall({ uses, request, lifetimeMs }: IssuedToken, next: IssuedToken | undefined, oneSession: boolean): boolean {
  const [use] = uses;
  if (next === undefined || use === undefined || uses.length > 1 || use.status === 401) return false;
  // A test may advance the kit clock instead of waiting.
  const kitMs = Date.parse(next.request.at) - Date.parse(request.at);
  const ageMs = Math.max(getArrivalMs(next.request) - getResponseEndMs(request), kitMs);
  return (
    (oneSession || getArrivalMs(next.request) >= getResponseEndMs(use)) &&
    ageMs < lifetimeMs * EARLY_REPLACEMENT_LIFETIME_FRACTION &&
    lifetimeMs - ageMs > REPLACEMENT_MARGIN_MS
  );
}
