import type { ClientRuleId } from '../rules.ts';
import type { Call } from './call.ts';
import {
  findFrom,
  getArrivalMs,
  getResponseEndMs,
  type History,
  type IssuedToken,
  isSameRequest,
  isSentAfter,
  isSuccess,
  sortByArrival,
  toRequestKey,
} from './history.ts';
import type { JudgeRule } from './judgement.ts';

/** The tolerance, in milliseconds, for network delays and clock differences. */
const LEEWAY_MS = 1000;
const NEEDS_TIMELY_REFRESH =
  "The client has to refresh a token before it expires. Make the test run longer than a token's lifetime; with a new kit, for example with --set oauth.access-token-lifetime=5, or with --provoke expiry alone.";

export const judgesForExpiryRules = {
  'client.tokens.refreshed-before-expiry'(history) {
    const { tokens } = history;
    const index = indexHistory(history);
    const judged = tokens.map((token) => judgeExpiry(token, index));
    const findings = judged.flatMap(({ finding }) => finding ?? []);
    const exercised = judged.flatMap(({ exercised }) => exercised);
    const isProvoked = tokens.some(({ uses }) => uses.some(({ status }) => status === 401));
    const reason = isProvoked
      ? 'A 401 does not show whether the client refreshes in time.'
      : 'The client has to get a token from the authorization server, and to send requests with it.';
    return { exercised, findings, needs: `${reason} ${NEEDS_TIMELY_REFRESH}` };
  },
} satisfies Partial<Record<ClientRuleId, JudgeRule>>;

const isExpired = ({ status, step, credential }: Call): boolean => status === 401 && step !== 'fault' && credential?.problem === 'expired';

function indexHistory({ tokens, tokenRequests, authorizations }: History) {
  return {
    tokenRequests,
    logins: authorizations.map(({ call }) => call),
    refreshes: Map.groupBy(tokens, ({ request }) => request.oauth?.refreshToken),
    repetitions: Map.groupBy(sortByArrival(tokens.flatMap(({ uses }) => uses)), toRequestKey),
    // If several tokens were refused, the client does not observe their lifetime.
    observesLifetime: tokens.filter(({ uses }) => uses.some(isExpired)).length < 2,
  };
}

function judgeExpiry({ request, expiresMs, uses }: IssuedToken, index: ReturnType<typeof indexHistory>) {
  const { tokenRequests, logins, refreshes, repetitions, observesLifetime } = index;
  // The client may have received the token as late as this. Its own measurement of the lifetime starts then.
  const receivedMs = uses[0] === undefined ? 0 : getArrivalMs(uses[0]) - getResponseEndMs(request);
  const refusedLeewayMs = observesLifetime ? Math.min(LEEWAY_MS, Math.max(LEEWAY_MS / 10, receivedMs)) : 0;
  const late = uses.filter((use) => getArrivalMs(use) > expiresMs + (isExpired(use) ? refusedLeewayMs : LEEWAY_MS));
  if (late.length > 0) {
    const message = `The client sent an access token ${Math.round((getArrivalMs(late[0]!) - expiresMs) / 1000)} s after it had expired. Get a new token before expires_in seconds have passed.`;
    return { exercised: [], finding: { message, calls: [request, ...late], breaking: late } };
  }
  const refusal = uses.find(({ status, credential, step }) => status === 401 && (credential?.problem === 'expired' || step === 'fault'));
  if (refusal === undefined) {
    const issued = request.oauth?.issued?.refreshToken;
    // Several tokens may come with the same refresh token.
    const isLater = (token: IssuedToken) => getArrivalMs(token.request) > getArrivalMs(request);
    const refreshed = issued === undefined ? undefined : refreshes.get(issued)?.find(isLater);
    const isInTime = refreshed !== undefined && getArrivalMs(refreshed.request) < expiresMs && refreshed.uses.some(isSuccess);
    return { exercised: isInTime ? [request, refreshed.request, ...refreshed.uses.slice(0, 1)] : [] };
  }
  const isSameClient = (call: Call) => call.oauth?.clientId === request.oauth?.clientId;
  const renewal = findFrom(tokenRequests, getResponseEndMs(refusal), isSameClient);
  const until = renewal === undefined ? Infinity : getResponseEndMs(renewal);
  // Parallel requests may still have the old token during a refresh.
  const login = findFrom(logins, getResponseEndMs(refusal), isSameClient);
  const askedMs = Math.min(...[login, renewal].map((call) => (call === undefined ? Infinity : getArrivalMs(call))));
  const inFlightMs = isParallel(refusal, uses) ? LEEWAY_MS : 0;
  const again = takeSequentialCalls(uses.filter((use) => getArrivalMs(use) >= getResponseEndMs(refusal) + inFlightMs));
  const before = again.filter((use) => getArrivalMs(use) < askedMs);
  // If the client also repeated the request with the new token, count only repetitions on the same TCP connection.
  const isRepeated = findFrom(repetitions.get(toRequestKey(refusal)), until) !== undefined;
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
