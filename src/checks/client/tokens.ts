import { hash } from 'node:crypto';
import type { ClientRuleId } from '../rules.ts';
import type { Call } from './call.ts';
import {
  getArrivalMs,
  getResponseEndMs,
  type History,
  type IssuedToken,
  isSameRequest,
  isSentAfter,
  isSuccess,
  parseQuery,
} from './history.ts';
import { type Breach, type JudgeRule, judgeEach } from './judgement.ts';

const EARLY_REPLACEMENT_LIFETIME_FRACTION = 0.5;
/** The tolerance, in milliseconds, for network delays and clock differences. */
const LEEWAY_MS = 1000;
/** Tokens that expire within this time, in milliseconds, may always be replaced. */
const REPLACEMENT_MARGIN_MS = 300_000;
const NEEDS_TIMELY_REFRESH =
  "The client has to refresh a token before it expires. Make the test run longer than a token's lifetime, for example with --set oauth.access-token-lifetime=5, or advance the kit's clock.";
const NEEDS_TOKEN_REUSE =
  'The client logged in for each call instead of reusing its token. This is an error, unless each login belongs to a separate test.';
const LIST_FORMAT = new Intl.ListFormat('en');
const NEEDS_ISSUED_TOKEN = 'The client has to get a token from the authorization server, and to send requests with it.';

export const judgesForTokenRules = {
  'client.tokens.cached'({ tokens }) {
    const sessions = groupBySession(tokens);
    const findings = sessions.flatMap((session): Breach[] => {
      const wasted = session.filter((token, index) => isReplacedAfterOneCall(token, session[index + 1]));
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
    const exercised = tokens.flatMap(({ request, uses }) => (uses.length > 1 ? [request, ...uses] : []));
    const isEachByLogin = sessions.length > 2;
    return {
      exercised,
      findings,
      needs: isEachByLogin ? NEEDS_TOKEN_REUSE : 'The client has to send several requests with a token from the authorization server.',
    };
  },

  'client.tokens.refreshed-before-expiry'(history) {
    const { tokens } = history;
    const judged = tokens.map((token) => judgeExpiry(token, history));
    const findings = judged.flatMap(({ finding }) => finding ?? []);
    const exercised = judged.flatMap(({ exercised }) => exercised);
    const isProvoked = tokens.some(({ uses }) => uses.some(({ status }) => status === 401));
    if (isProvoked)
      return { exercised, findings, needs: `A 401 does not show whether the client refreshes in time. ${NEEDS_TIMELY_REFRESH}` };
    return { exercised, findings, needs: `${NEEDS_ISSUED_TOKEN} ${NEEDS_TIMELY_REFRESH}` };
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

  'client.no-secrets-in-urls': ({ calls }) =>
    judgeEach(calls, 'The client has to send a request.', (call) => {
      if (isVerifierSentAsState(call))
        return 'The URL contains the code_verifier as the state, and servers log URLs. Send a state that is unrelated to the code_verifier.';
      if (!SECRET_IN_URL_PATTERN.test(call.path)) return undefined;
      return 'The URL contains a secret, and servers log URLs. Send secrets in a header or in the body.';
    }),
} satisfies Partial<Record<ClientRuleId, JudgeRule>>;

/** Matches a redacted secret or a JWT in a query parameter. */
const SECRET_IN_URL_PATTERN =
  /[?&](?:(?:access_?|refresh_?|id_?)?token|client_?secret|client_?assertion|code_?verifier)=\[redacted\]|=(?:Bearer(?:\+|%20))?eyJ[\w-]{10,}\.[\w-]+\./i;

function isVerifierSentAsState(call: Call): boolean {
  if (call.operationId !== 'authorize') return false;
  const query = parseQuery(call);
  return hash('sha256', query.get('state') ?? '', 'base64url') === query.get('code_challenge');
}

const TOKEN_HEADER_PATTERN = /^(?:x-)?(?:(?:access|api|auth|bearer|id)-?token|token|authorization)$/;

function hasTokenElsewhere({ path, request, credential }: Call): boolean {
  const body = Object(request?.body) as Readonly<Record<string, unknown>>;
  return (
    /[?&](?:access_?)?token=/i.test(path) ||
    /[?&]authorization=/i.test(path) ||
    /=eyJ[\w-]{10,}\.[\w-]+\./.test(path) ||
    'access_token' in body ||
    (credential === undefined && Object.keys(request?.headers ?? {}).some((name) => TOKEN_HEADER_PATTERN.test(name)))
  );
}

/**
 * Groups tokens by session. A token from a login starts a new session, unless the client uses it to read the next page of an earlier
 * session's list.
 */
function groupBySession(tokens: readonly IssuedToken[]): IssuedToken[][] {
  const sessions: IssuedToken[][] = [];
  for (const token of tokens) {
    const session = sessions.find((earlier) => earlier.some((other) => isSuccessor(token, other)));
    if (session) session.push(token);
    else sessions.push([token]);
  }
  return sessions;
}

function isSuccessor(token: IssuedToken, earlier: IssuedToken): boolean {
  if (token.group !== earlier.group) return false;
  const { refreshToken } = token.request.oauth ?? {};
  const { refreshToken: sent, issued } = earlier.request.oauth ?? {};
  if (refreshToken !== undefined) return refreshToken === issued?.refreshToken || refreshToken === sent;
  const cursors = earlier.uses.flatMap(({ nextCursor }) => nextCursor ?? []);
  return token.uses.some((use) => cursors.includes(parseQuery(use).get('cursor') ?? ''));
}

function isReplacedAfterOneCall({ uses, request, lifetimeMs }: IssuedToken, next: IssuedToken | undefined): boolean {
  const [use] = uses;
  if (next === undefined || use === undefined || uses.length > 1 || use.status === 401) return false;
  // A test may advance the kit clock instead of waiting.
  const kitMs = Date.parse(next.request.at) - Date.parse(request.at);
  const ageMs = Math.max(getArrivalMs(next.request) - getResponseEndMs(request), kitMs);
  return (
    getArrivalMs(next.request) >= getResponseEndMs(use) &&
    ageMs < lifetimeMs * EARLY_REPLACEMENT_LIFETIME_FRACTION &&
    lifetimeMs - ageMs > REPLACEMENT_MARGIN_MS
  );
}

function judgeExpiry({ request, expiresMs, uses }: IssuedToken, { tokens, tokenRequests, authorizations }: History) {
  const late = uses.filter((use) => getArrivalMs(use) > expiresMs + LEEWAY_MS);
  if (late.length > 0) {
    const message = `The client sent an access token ${Math.round((getArrivalMs(late[0]!) - expiresMs) / 1000)} s after it had expired. Get a new token before expires_in seconds have passed.`;
    return { exercised: [], finding: { message, calls: [request, ...late], breaking: late } };
  }
  const refusal = uses.find(({ status, credential, step }) => status === 401 && (credential?.problem === 'expired' || step === 'fault'));
  if (refusal === undefined) {
    const issued = request.oauth?.issued?.refreshToken;
    const refreshed = tokens.find((other) => issued !== undefined && other.request.oauth?.refreshToken === issued);
    const isInTime = refreshed !== undefined && getArrivalMs(refreshed.request) < expiresMs && refreshed.uses.some(isSuccess);
    return { exercised: isInTime ? [request, refreshed.request, ...refreshed.uses.slice(0, 1)] : [] };
  }
  const isReaction = (call: Call) => getArrivalMs(call) >= getResponseEndMs(refusal) && call.oauth?.clientId === request.oauth?.clientId;
  const renewal = tokenRequests.find(isReaction);
  const until = renewal === undefined ? Infinity : getResponseEndMs(renewal);
  // Parallel requests may still have the old token during a refresh.
  const asked = [...authorizations.map(({ call }) => call), ...tokenRequests].filter(isReaction).map(getArrivalMs);
  const inFlightMs = isParallel(refusal, uses) ? LEEWAY_MS : 0;
  const again = takeSequentialCalls(uses.filter((use) => getArrivalMs(use) >= getResponseEndMs(refusal) + inFlightMs));
  const before = again.filter((use) => getArrivalMs(use) < Math.min(...asked));
  // If the client also repeated the request with the new token, count only repetitions on the same TCP connection.
  const isRepeated = tokens.some((token) => token.uses.some((use) => getArrivalMs(use) >= until && isSameRequest(use, refusal)));
  const isRepetition = (use: Call) =>
    isSentAfter(refusal, use) && isSameRequest(use, refusal) && (!isRepeated || use.connection?.number === refusal.connection?.number);
  const repeated = before.find(isRepetition);
  // Requests that the client prepared before the 401 may have the old token.
  const wrong = repeated ? [repeated] : before.length > 2 ? before : again.filter((use) => getArrivalMs(use) >= until + LEEWAY_MS);
  if (wrong.length > 0) {
    const message = 'The service refused the access token as expired, and the client sent it again. Get a new token after this response.';
    return { exercised: [], finding: { message, calls: [request, refusal, ...wrong], breaking: wrong } };
  }
  // A refresh after a 401 does not prove that the client refreshes tokens before they expire.
  return { exercised: [] };
}

function isParallel(refusal: Call, uses: readonly Call[]): boolean {
  const near = uses.filter(
    (use) => getArrivalMs(use) >= getArrivalMs(refusal) && getArrivalMs(use) < getResponseEndMs(refusal) + LEEWAY_MS,
  );
  const older = near.filter((use, index) => {
    const previous = near[index - 1];
    return use.connection && previous && getArrivalMs(use) - use.connection.ageMs < getResponseEndMs(previous);
  });
  return new Set([refusal, ...older].map(({ connection }) => connection?.number)).size > 2;
}

function takeSequentialCalls(calls: readonly Call[]): Call[] {
  const sequence: Call[] = [];
  for (const call of calls) if (sequence.length === 0 || getArrivalMs(call) >= getResponseEndMs(sequence.at(-1)!)) sequence.push(call);
  return sequence;
}
