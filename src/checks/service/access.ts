// Tokens and scopes.
import { type OperationId, operations } from '../../contract/generated/operations.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { must } from '../../expect/rule-broken.ts';
import { getArrivalMs } from '../client/history.ts';
import { type Exchange, isAfter, isOneOf, succeeds } from './exchange.ts';
import { type JudgeRule, judgeEach, type RuleJudges, type Shown, show, showThat } from './shown.ts';
import type { Traffic } from './traffic.ts';

/** The server may round the time at which a token expires. */
const EXPIRY_MARGIN_MS = 5000;

const getScope = ({ operation }: Exchange): string => operations[operation].scope;
const getAuthorization = ({ call }: Exchange): string | undefined => call.request?.headers.authorization;
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

/** Judges requests whose token was requested without the operation's scope. */
const judgeScope =
  (isAbout: (each: Exchange) => boolean, statuses: readonly number[]): JudgeRule =>
  (traffic) => {
    const requested = findRequestedScopes(traffic);
    return traffic.exchanges.filter(isAbout).flatMap((each): Shown[] => {
      const { scopes } = each.call.credential ?? {};
      const lacks = (granted: readonly string[] | undefined) => granted !== undefined && !granted.includes(getScope(each));
      if (statuses.includes(each.answer.status)) return lacks(requested.get(each.token) ?? scopes) ? [show(each)] : [];
      // A token's own claims prove nothing, because the service may store what a token permits.
      const expected = `the request does not succeed, because the token was requested without the scope ${getScope(each)}`;
      return succeeds(each) && lacks(requested.get(each.token)) ? [showThat(false, expected, each)] : [];
    });
  };

const judgesOfScopes: RuleJudges = Object.fromEntries(
  (Object.keys(rules) as RuleId[])
    .filter((id) => id.endsWith('.scope') && rules[id].operations?.length === 1)
    .map((id) => [id, judgeScope(isOneOf(rules[id].operations![0] as OperationId), id.startsWith('users.') ? [403] : [401, 403])]),
);

/** Returns the exchanges before and after one in which the same token has the operation's scope. */
function findProofOfScope(each: Exchange, { exchanges }: Traffic): readonly Exchange[] {
  const used = exchanges.filter(
    (other) => other.token !== undefined && other.token === each.token && getScope(other) === getScope(each) && succeeds(other),
  );
  const [before, after] = [used.findLast((other) => isAfter(other, each)), used.find((other) => isAfter(each, other))];
  return before && after ? [before, after] : [];
}

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
      const proof = statuses.includes(each.answer.status) ? findProofOfScope(each, traffic) : [];
      return proof.length > 0
        ? [showThat(false, `${expected}. The token has the scope, because it was accepted before and after`, each, proof[0]!)]
        : [];
    });

const isStatus =
  (status: number) =>
  ({ answer, token }: Exchange): boolean =>
    answer.status === status && token !== undefined;
const NOT_FOUND = 'an entity that the caller may not see gets 404, not 403';

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
      (succeeds(each) || each.answer.status === 401),
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
  'oauth.token.only-granted-scopes': judgeScope(() => true, [401, 403]),
  'users.forbidden-only-by-scope': judgeForbidden(['getUsers', 'getUser'], [403], 'only a token without the scope gets 403'),
  'users.list.hidden-account-empty': judgeForbidden(
    ['getUsers'],
    [403, 404],
    'the list of an account that the caller may not view is empty',
  ),
  'users.get.not-found': judgeForbidden(['getUser'], [403], NOT_FOUND, isStatus(404)),
  'assignments.get.not-found': judgeForbidden(['getExperienceAssignment'], [403], NOT_FOUND, isStatus(404)),
  'connections.get.not-found': judgeForbidden(['getExperienceConnection'], [403], NOT_FOUND, isStatus(404)),
  'assignability.not-found': judgeEach((each) => each.operation === 'getExperienceAssignability' && isStatus(404)(each)),
  'connections.update.not-found': judgeEach((each) => each.operation === 'updateExperienceConnection' && isStatus(404)(each)),
} satisfies RuleJudges;
