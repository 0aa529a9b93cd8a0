// Tokens and scopes.
import { type OperationId, operations } from '../../contract/generated/operations.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { isUuid } from '../../contract/uuid.ts';
import { must } from '../../expect/rule-broken.ts';
import { getArrivalMs } from '../client/history.ts';
import { judgeDeletedTwice } from './deletions.ts';
import { type Exchange, getJson, isAfter, isOneOf, normalize, succeeds } from './exchange.ts';
import { isPlainlyValid } from './refusals.ts';
import { ACCESS_MS, ASSIGNMENTS, CONNECTIONS, groupById, type Resource } from './resources.ts';
import { type JudgeRule, judgeEach, type RuleJudges, type Shown, show, showThat } from './shown.ts';
import { findProof, getScope, hasScope, readScopes, type Traffic } from './traffic.ts';

/** The server may round the time at which a token expires. */
const EXPIRY_MARGIN_MS = 5000;

const getAuthorization = ({ call }: Exchange): string | undefined => call.request?.headers.authorization;
/** Whether the service itself answers a valid request without a token with another status than 401. */
const isOtherRefusal = (each: Exchange): boolean =>
  isOwnProblem(each) && (each.answer.status === 403 || (each.answer.status === 400 && isPlainlyValid(each)));
/** A gateway sends no problem details. */
const isOwnProblem = (each: Exchange): boolean => typeof getJson(each).title === 'string';
const hasOtherScheme = (each: Exchange): boolean => /^(?!bearer )\S+ /i.test(getAuthorization(each) ?? '');
const sendsTokenInQuery = ({ query }: Exchange): boolean => query.has('access_token');

/** The scopes that the client requested for the tokens whose login is in the traffic, by the token's fingerprint. */
function findRequestedScopes({ history: { tokens, authorizationOf } }: Traffic): ReadonlyMap<string | undefined, readonly string[]> {
  return new Map(
    tokens.flatMap(({ fingerprint, request }) => {
      const scope = authorizationOf.get(request)?.parameters.get('scope');
      return scope == null ? [] : [[fingerprint, scope.split(' ')] as const];
    }),
  );
}

/** Judges requests whose token lacks the operation's scope. */
const judgeScope =
  (
    isAbout: (each: Exchange) => boolean,
    statuses: readonly number[],
    readClaims: typeof readScopes = readScopes,
    wrong: readonly number[] = [],
  ): JudgeRule =>
  (traffic) => {
    const requested = findRequestedScopes(traffic);
    return traffic.exchanges.filter(isAbout).flatMap((each): Shown[] => {
      const scopes = requested.get(each.token) ?? readClaims(each);
      const isWrong = succeeds(each) || wrong.includes(each.answer.status);
      if (scopes === undefined || scopes.includes(getScope(each)) || !(isWrong || statuses.includes(each.answer.status))) return [];
      return [showThat(!isWrong, `the request gets ${statuses.join(' or ')}, because the token lacks the scope ${getScope(each)}`, each)];
    });
  };

const judgesOfScopes: RuleJudges = Object.fromEntries(
  (Object.keys(rules) as RuleId[])
    .filter((id) => id.endsWith('.scope') && rules[id].operations?.length === 1)
    .map((id) => {
      const isAbout = isOneOf(rules[id].operations![0] as OperationId);
      return [id, id.startsWith('users.') ? judgeScope(isAbout, [403], readScopes, [404]) : judgeScope(isAbout, [401, 403])];
    }),
);

/** Judges an answer that is only for a token without the scope. */
const judgeForbidden =
  (
    ids: readonly OperationId[],
    statuses: readonly number[],
    expected: string,
    isRight: (each: Exchange) => boolean = () => false,
  ): JudgeRule =>
  (traffic) =>
    traffic.of(...ids).flatMap((each): Shown[] => {
      if (isRight(each)) return [show(each)];
      const isWrong = statuses.includes(each.answer.status) && isOwnProblem(each) && hasScope(each, traffic);
      const expectation = `${expected}. The token has the scope, according to its claims or to earlier and later successes`;
      return isWrong ? [showThat(false, expectation, each, ...findProof(each, traffic).slice(0, 1))] : [];
    });

const isStatus =
  (status: number) =>
  ({ answer, token }: Exchange): boolean =>
    answer.status === status && token !== undefined;
const NOT_FOUND = 'an entity that the caller may not see gets 404, not 403';

/** Judges statuses that nothing in the request explains. */
const judgeWrongStatus =
  (operation: OperationId, statuses: readonly number[]): JudgeRule =>
  ({ of }) => {
    // The specification leaves open what happens to unknown parameters.
    const hasQuery = operations[operation].query !== undefined;
    const accepted = new Set(hasQuery ? of(operation).flatMap((each) => (succeeds(each) ? `${each.query}` : [])) : []);
    const hasPlainId = ({ id = '' }: Exchange) => isUuid(id) || (operation === 'getUser' && /^[\w.~-]{1,64}$/.test(id));
    const isPlain = (each: Exchange) =>
      hasPlainId(each) && (hasQuery ? isPlainlyValid(each) || accepted.has(`${each.query}`) : each.query.size === 0);
    const isWrong = (each: Exchange) =>
      isOwnProblem(each) && ((statuses.includes(each.answer.status) && isPlain(each)) || each.answer.status === 410);
    const expected = 'an entity that does not exist, or that the caller may not see, gets 404';
    return of(operation).flatMap((each) => (isWrong(each) ? [showThat(false, expected, each)] : []));
  };

/**
 * Judges changes of an entity that the caller was not permitted to change a moment before. Somebody may have given the permission in between,
 * but nobody gives, takes and gives it again.
 */
const judgePermission =
  (operation: OperationId, { get }: Resource): JudgeRule =>
  (traffic) => {
    const { scope } = operations[operation];
    const reads = groupById(traffic, get);
    const isRefused = (each: Exchange) => each.token !== undefined && each.answer.status === 403 && isOwnProblem(each);
    const withScope = new Set(traffic.exchanges.flatMap((each) => (succeeds(each) && getScope(each) === scope ? (each.token ?? []) : [])));
    const getPlace = ({ token, id }: Exchange) => {
      const read = reads.get(normalize(id))?.find(succeeds);
      return read && [token, getJson(read).accountId, getJson(read).experienceId].map(normalize).join(' ');
    };
    const refusals = Map.groupBy(traffic.of(operation).filter(isRefused), ({ id }) => normalize(id));
    const permitted = traffic.of(operation).flatMap((each) => {
      const refusal = refusals.get(normalize(each.id))?.find((other) => other.token === each.token && isAfter(other, each));
      return refusal && succeeds(each) && !isAfter(refusal, each, ACCESS_MS) ? [{ each, refusal, place: getPlace(each) }] : [];
    });
    const expected = 'the request gets 403 again, because the caller may not change what belongs to this account and Experience';
    return [
      ...[...refusals.values()].flat().flatMap((each) => (withScope.has(each.token!) ? [show(each)] : [])),
      ...permitted.flatMap(({ each, refusal, place }): Shown[] => {
        const before = permitted.find((other) => place !== undefined && other.place === place && isAfter(other.each, refusal));
        return before ? [showThat(false, expected, each, before.refusal, before.each, refusal)] : [];
      }),
    ];
  };

const judgeBoth =
  (...judges: readonly JudgeRule[]): JudgeRule =>
  (traffic) =>
    judges.flatMap((judge) => judge(traffic));

/** Judges uses of tokens whose token response is in the traffic, after they have expired. */
function judgeExpiry({ history: { tokens }, exchanges }: Traffic): Shown[] {
  const uses = Map.groupBy(exchanges, ({ token }) => token);
  return tokens.flatMap(({ fingerprint, request, lifetimeMs }) => {
    const isExpired = ({ call }: Exchange) =>
      lifetimeMs > 0 &&
      Date.parse(call.at) > Date.parse(request.at) + request.durationMs + lifetimeMs + EXPIRY_MARGIN_MS &&
      getArrivalMs(call) > getArrivalMs(request);
    return (uses.get(fingerprint) ?? [])
      .filter((each) => isExpired(each) && (succeeds(each) || each.answer.status === 401))
      .map((each) => showThat(each.answer.status === 401, `the token gets 401 after its ${lifetimeMs / 1000} seconds`, each));
  });
}

export const judgesOfAccess = {
  ...judgesOfScopes,
  'auth.token.missing': judgeEach(
    (each, { showsAuthorization }) =>
      showsAuthorization &&
      getAuthorization(each) === undefined &&
      !sendsTokenInQuery(each) &&
      (succeeds(each) || each.answer.status === 401 || isOtherRefusal(each)),
    (answer) => must(answer.status === 401, 'a call without an access token gets 401', answer),
  ),
  'auth.token.any-client': judgeEach(
    (each, { showsAuthorization }) =>
      showsAuthorization &&
      (hasOtherScheme(each) || (getAuthorization(each) === undefined && sendsTokenInQuery(each))) &&
      (succeeds(each) || each.answer.status === 401),
    (answer) => must(answer.status === 401, 'a call without a bearer token in the Authorization header is refused', answer),
  ),
  'auth.scheme.case': judgeEach((each) => /^(?!Bearer )bearer /i.test(getAuthorization(each) ?? '') && succeeds(each)),
  'auth.token.expired': judgeExpiry,
  'oauth.token.valid-to-its-end': judgeExpiry,
  'oauth.token.only-granted-scopes': judgeScope(
    () => true,
    [401, 403],
    () => undefined,
  ),
  'assignments.delete.read-only': judgePermission('deleteExperienceAssignment', ASSIGNMENTS),
  'connections.update.read-only': judgePermission('updateExperienceConnection', CONNECTIONS),
  'connections.delete.read-only': judgePermission('deleteExperienceConnection', CONNECTIONS),
  'users.forbidden-only-by-scope': judgeForbidden(['getUsers', 'getUser'], [403], 'only a token without the scope gets 403'),
  'users.list.hidden-account-empty': judgeForbidden(
    ['getUsers'],
    [403, 404],
    'the list of an account that the caller may not view is empty',
  ),
  'users.get.not-found': judgeBoth(
    judgeForbidden(['getUser'], [403], NOT_FOUND, isStatus(404)),
    judgeWrongStatus('getUser', [400, 410, 422]),
  ),
  'assignments.get.not-found': judgeBoth(
    judgeForbidden(['getExperienceAssignment'], [403], NOT_FOUND, isStatus(404)),
    judgeWrongStatus('getExperienceAssignment', [400, 410, 422]),
  ),
  'connections.get.not-found': judgeBoth(
    judgeForbidden(['getExperienceConnection'], [403], NOT_FOUND, isStatus(404)),
    judgeWrongStatus('getExperienceConnection', [400, 410, 422]),
  ),
  'assignability.not-found': judgeBoth(
    judgeEach((each) => each.operation === 'getExperienceAssignability' && isStatus(404)(each)),
    judgeWrongStatus('getExperienceAssignability', [400, 410, 422]),
  ),
  'connections.update.not-found': judgeBoth(
    judgeEach((each) => each.operation === 'updateExperienceConnection' && isStatus(404)(each)),
    judgeWrongStatus('updateExperienceConnection', [410]),
  ),
  'assignments.delete.not-found': judgeBoth(
    judgeDeletedTwice(ASSIGNMENTS),
    judgeWrongStatus('deleteExperienceAssignment', [400, 410, 422]),
  ),
  'connections.delete.not-found': judgeBoth(judgeDeletedTwice(CONNECTIONS), judgeWrongStatus('deleteExperienceConnection', [400, 410])),
} satisfies RuleJudges;
