import { hash } from 'node:crypto';
import type { ClientRuleId } from '../rules.ts';
import type { Call } from './call.ts';
import { arrivalOf, endOf, type History, type IssuedToken, isSameRequest, isSentAfter, isSuccess, queryOf } from './history.ts';
import { type Finding, type JudgeRule, judgeEach } from './judgement.ts';

/** A token that is replaced before this fraction of its lifetime has passed is replaced early. */
const EARLY = 0.5;
/** A request may arrive this much later than the client sent it, because of the network and different clocks. In milliseconds. */
const LEEWAY_MS = 1000;
/** A client may replace a token that has less than this time left, whatever its lifetime is. In milliseconds. */
const MARGIN_MS = 300_000;
const IN_TIME =
  'The client has to refresh a token before it expires. Let the test take longer than the lifetime of a token, such as with --set oauth.access-token-lifetime=5, or advance the clock of the kit.';
/** A test suite that logs in for each of its tests causes the same calls. */
const LOGIN_PER_CALL =
  'The client logged in for each call, and used no token twice. This is an error, unless each login belongs to another test: keep the token.';
const LIST = new Intl.ListFormat('en');
const OWN_TOKENS = 'The client has to get a token from the authorization server, and to send requests with it.';

export const tokens = {
  'client.tokens.cached'({ tokens }) {
    const sessions = sessionsOf(tokens);
    const findings = sessions.flatMap((session): Finding[] => {
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
      needs: isEachByLogin ? LOGIN_PER_CALL : 'The client has to send several requests with a token from the authorization server.',
    };
  },

  'client.tokens.refreshed-before-expiry'(history) {
    const { tokens } = history;
    const judged = tokens.map((token) => judgeExpiry(token, history));
    const findings = judged.flatMap(({ finding }) => finding ?? []);
    const exercised = judged.flatMap(({ exercised }) => exercised);
    const isProvoked = tokens.some(({ uses }) => uses.some(({ status }) => status === 401));
    if (isProvoked) return { exercised, findings, needs: `A 401 does not show whether the client refreshes in time. ${IN_TIME}` };
    return { exercised, findings, needs: `${OWN_TOKENS} ${IN_TIME}` };
  },

  'client.token-in-header'({ api }) {
    const isSent = (call: Call) => call.credential !== undefined || hasTokenElsewhere(call);
    const withToken = api.filter(isSent);
    const judged = judgeEach(withToken, 'The client has to send a request with an access token.', (call) => {
      if (hasTokenElsewhere(call))
        return 'The access token is in the query, in the body or in another header. Send it in the header Authorization: Bearer <ACCESS_TOKEN>.';
      if (call.credential?.problem !== 'not bearer') return undefined;
      return 'The Authorization header is not of the form Bearer <ACCESS_TOKEN>. Send the access token in this form.';
    });
    // A test of the 401 sends no token to an operation to which other tests send one.
    const known = new Set(withToken.map(({ operationId }) => operationId));
    const doubtful = api.filter((call) => !isSent(call) && !known.has(call.operationId));
    if (doubtful.length === 0) return judged;
    const operations = LIST.format(new Set(doubtful.map(({ operationId = '' }) => operationId)));
    const reason = `The client sent no access token in any request of ${operations}. If these requests are not tests of the 401, this is an error: send the token in the Authorization header.`;
    return { ...judged, doubt: { reason, calls: doubtful } };
  },

  'client.scopes-requested'({ api, tokens }) {
    const own = new Set(tokens.map(({ fingerprint }) => fingerprint));
    const calls = api.filter(({ credential }) => credential !== undefined && own.has(credential.fingerprint));
    return judgeEach(calls, OWN_TOKENS, ({ credential }) =>
      credential?.problem?.includes('no scope')
        ? 'The access token lacks the scope of this operation. Request the scope when the user logs in.'
        : undefined,
    );
  },

  'client.no-secrets-in-urls': ({ calls }) =>
    judgeEach(calls, 'The client has to send a request.', (call) => {
      if (isVerifierTheState(call))
        return 'The state is the code_verifier, and logs keep URLs. Send a state that has nothing to do with the code_verifier.';
      if (!SECRET_IN_URL.test(call.path)) return undefined;
      return 'The URL contains a secret, and logs keep URLs. Send secrets in the header or in the body.';
    }),
} satisfies Partial<Record<ClientRuleId, JudgeRule>>;

/** The journal replaces the values of secret parameters. In other parameters, an access token is recognized by its form. */
const SECRET_IN_URL =
  /[?&](?:(?:access_?|refresh_?|id_?)?token|client_?secret|client_?assertion|code_?verifier)=\[redacted\]|=(?:Bearer(?:\+|%20))?eyJ[\w-]{10,}\.[\w-]+\./i;

function isVerifierTheState(call: Call): boolean {
  if (call.operationId !== 'authorize') return false;
  const query = queryOf(call);
  return hash('sha256', query.get('state') ?? '', 'base64url') === query.get('code_challenge');
}

const TOKEN_HEADER = /^(?:x-)?(?:(?:access|api|auth|bearer|id)-?token|token|authorization)$/;

function hasTokenElsewhere({ path, request, credential }: Call): boolean {
  const body = Object(request?.body) as Readonly<Record<string, unknown>>;
  return (
    /[?&](?:access_?)?token=/i.test(path) ||
    /[?&]authorization=/i.test(path) ||
    /=eyJ[\w-]{10,}\.[\w-]+\./.test(path) ||
    'access_token' in body ||
    (credential === undefined && Object.keys(request?.headers ?? {}).some((name) => TOKEN_HEADER.test(name)))
  );
}

/**
 * Returns the tokens of each session, in the order in which they were issued. A login starts a session, and a refresh continues it. So does a
 * login in the middle of a list, because the same part of the program sends the next page.
 */
function sessionsOf(tokens: readonly IssuedToken[]): IssuedToken[][] {
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
  return token.uses.some((use) => cursors.includes(queryOf(use).get('cursor') ?? ''));
}

/** Returns whether a client used a token once, and then got another token although the first one was still good for a while. */
function isReplacedAfterOneCall({ uses, request, lifetimeMs }: IssuedToken, next: IssuedToken | undefined): boolean {
  const [use] = uses;
  if (next === undefined || use === undefined || uses.length > 1 || use.status === 401) return false;
  // A test may advance the clock of the kit instead of waiting.
  const kitMs = Date.parse(next.request.at) - Date.parse(request.at);
  const ageMs = Math.max(arrivalOf(next.request) - endOf(request), kitMs);
  return arrivalOf(next.request) >= endOf(use) && ageMs < lifetimeMs * EARLY && lifetimeMs - ageMs > MARGIN_MS;
}

/** Judges what a client did when a token expired, when the service refused the token with 401, or when the client refreshed the token. */
function judgeExpiry({ request, expiresMs, uses }: IssuedToken, { tokens, tokenRequests, authorizations }: History) {
  const late = uses.filter((use) => arrivalOf(use) > expiresMs + LEEWAY_MS);
  if (late.length > 0) {
    const message = `The client sent an access token ${Math.round((arrivalOf(late[0]!) - expiresMs) / 1000)} s after it had expired. Get a new token before expires_in seconds have passed.`;
    return { exercised: [], finding: { message, calls: [request, ...late], breaking: late } };
  }
  const refusal = uses.find(({ status, credential, step }) => status === 401 && (credential?.problem === 'expired' || step === 'fault'));
  if (refusal === undefined) {
    const issued = request.oauth?.issued?.refreshToken;
    const refreshed = tokens.find((other) => issued !== undefined && other.request.oauth?.refreshToken === issued);
    const isInTime = refreshed !== undefined && arrivalOf(refreshed.request) < expiresMs && refreshed.uses.some(isSuccess);
    return { exercised: isInTime ? [request, refreshed.request, ...refreshed.uses.slice(0, 1)] : [] };
  }
  const isReaction = (call: Call) => arrivalOf(call) >= endOf(refusal) && call.oauth?.clientId === request.oauth?.clientId;
  const renewal = tokenRequests.find(isReaction);
  const until = renewal === undefined ? Infinity : endOf(renewal);
  // While one part of the program gets a new token, other parts may still send the old one.
  const asked = [...authorizations.map(({ call }) => call), ...tokenRequests].filter(isReaction).map(arrivalOf);
  const inFlightMs = isParallel(refusal, uses) ? LEEWAY_MS : 0;
  const again = inSequence(uses.filter((use) => arrivalOf(use) >= endOf(refusal) + inFlightMs));
  const before = again.filter((use) => arrivalOf(use) < Math.min(...asked));
  // If the client repeats the request with the new token, an earlier equal request on another connection was perhaps sent in parallel.
  const isRepeated = tokens.some((token) => token.uses.some((use) => arrivalOf(use) >= until && isSameRequest(use, refusal)));
  const isRepetition = (use: Call) =>
    isSentAfter(refusal, use) && isSameRequest(use, refusal) && (!isRepeated || use.connection?.number === refusal.connection?.number);
  const repeated = before.find(isRepetition);
  // Requests that the program prepared before the 401 may still arrive with the old token.
  const wrong = repeated ? [repeated] : before.length > 2 ? before : again.filter((use) => arrivalOf(use) >= until + LEEWAY_MS);
  if (wrong.length > 0) {
    const message = 'The service refused the access token as expired, and the client sent it again. Get a new token after such a 401.';
    return { exercised: [], finding: { message, calls: [request, refusal, ...wrong], breaking: wrong } };
  }
  // A client that only reacts to a 401 does not refresh before expiry.
  return { exercised: [] };
}

/**
 * Returns whether a client sends requests in parallel. Such requests may arrive after the refusal of a token although they were sent before,
 * because they waited for a connection, or because the kit is busy. A client that sends one request at a time uses one connection, or two in turn.
 */
function isParallel(refusal: Call, uses: readonly Call[]): boolean {
  const near = uses.filter((use) => arrivalOf(use) >= arrivalOf(refusal) && arrivalOf(use) < endOf(refusal) + LEEWAY_MS);
  const older = near.filter((use, index) => {
    const previous = near[index - 1];
    return use.connection && previous && arrivalOf(use) - use.connection.ageMs < endOf(previous);
  });
  return new Set([refusal, ...older].map(({ connection }) => connection?.number)).size > 2;
}

/** Returns the longest sequence from the first call on in which each request arrived after the response to the previous one. */
function inSequence(calls: readonly Call[]): Call[] {
  const sequence: Call[] = [];
  for (const call of calls) if (sequence.length === 0 || arrivalOf(call) >= endOf(sequence.at(-1)!)) sequence.push(call);
  return sequence;
}
