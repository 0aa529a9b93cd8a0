// Token requests, as far as they pass. Secrets are compared by their fingerprints.
import type { Answer } from '../../expect/answer.ts';
import { must } from '../../expect/rule-broken.ts';
import { expectTokenResponse, isAboutExpiry } from '../../expect/token-response.ts';
import type { Call } from '../client/call.ts';
import type { Authorization } from '../client/history.ts';
import { succeeds } from './exchange.ts';
import { type JudgeRule, type RuleJudges, type Shown, show, showThat } from './shown.ts';
import type { Traffic } from './traffic.ts';

type AuthExchange = Shown['exchange'];

/** A request that exchanges a code, and the authorization request that led to the code, if it is in the traffic. */
interface CodeExchange {
  readonly exchange: AuthExchange;
  readonly authorization: Authorization | undefined;
  readonly oauth: NonNullable<Call['oauth']>;
  readonly issues: boolean;
  readonly isRefused: boolean;
  readonly form: URLSearchParams;
}

const REDACTED = '[redacted]';

/** The token response's secrets are redacted, but they are still strings. */
function toExchange(call: Call, baseUrl: string): AuthExchange {
  const { request, response, status = 0 } = call;
  const toText = (body: unknown) => (body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  const answer: Answer = {
    ...{ operationId: call.operationId ?? '', method: call.method, url: baseUrl + call.path },
    ...{ requestHeaders: request?.headers ?? {}, requestBody: toText(request?.body), status, headers: response?.headers ?? {} },
    ...{ text: toText(response?.body) ?? '', json: typeof response?.body === 'string' ? undefined : response?.body },
  };
  return { call, answer };
}

function findCodeExchanges({ history, baseUrl }: Traffic): readonly CodeExchange[] {
  return history.tokenRequests.flatMap((call): CodeExchange[] => {
    const { oauth, status = 0, request } = call;
    if (oauth?.code === undefined) return [];
    return [
      {
        exchange: toExchange(call, baseUrl),
        authorization: history.authorizationOf.get(call),
        oauth,
        issues: oauth.issued?.accessToken !== undefined,
        isRefused: status >= 400 && status < 500 && status !== 429,
        form: new URLSearchParams(typeof request?.body === 'string' ? request.body : ''),
      },
    ];
  });
}

/** Judges code exchanges that must not yield a token. */
const judgeInvalid =
  (isInvalid: (each: CodeExchange) => boolean, expected: string): JudgeRule =>
  (traffic) =>
    findCodeExchanges(traffic)
      .filter((each) => isInvalid(each) && (each.issues || each.isRefused))
      .map(({ exchange, issues }) => showThat(!issues, `the response contains no access token, because ${expected}`, exchange));

const judgeAccepted =
  (isAbout: (each: CodeExchange) => boolean): JudgeRule =>
  (traffic) =>
    findCodeExchanges(traffic).flatMap((each) => (each.issues && isAbout(each) ? [show(each.exchange)] : []));

const getChallenge = ({ authorization }: CodeExchange): string | null => authorization?.parameters.get('code_challenge') ?? null;
const getMethod = ({ authorization }: CodeExchange): string => authorization?.parameters.get('code_challenge_method') ?? 'plain';
const hasLength = ({ oauth: { verifier } }: CodeExchange, isRight: (length: number) => boolean): boolean =>
  verifier !== undefined && isRight(verifier.length);
const getAgeMs = ({ exchange, authorization }: CodeExchange): number =>
  authorization === undefined ? 0 : Date.parse(exchange.call.at) - Date.parse(authorization.call.at) - authorization.call.durationMs;
/** The code may have been issued later than the authorization request was answered, after a login page. */
const isIssuedAtOnce = ({ authorization }: CodeExchange): boolean => authorization?.call.oauth?.issued?.code !== undefined;
const authenticates = ({ oauth }: CodeExchange, ...methods: readonly string[]): boolean => oauth.authentication?.join() === methods.join();
const isOtherUri = ({ authorization, form }: CodeExchange): boolean => {
  const [asked, sent] = [authorization?.parameters.get('redirect_uri'), form.get('redirect_uri')];
  return !!asked && !!sent && asked !== sent && ![asked, sent].some((uri) => uri.includes(REDACTED));
};

function judgeReuse(traffic: Traffic): Shown[] {
  const byCode = Map.groupBy(findCodeExchanges(traffic), ({ oauth }) => oauth.code);
  return [...byCode.values()].flatMap((exchanges) => {
    const first = exchanges.find(({ issues }) => issues);
    const later = exchanges.filter((each) => first !== undefined && each !== first && (each.issues || each.isRefused));
    return later.map(({ exchange, issues }) =>
      showThat(!issues, 'the second exchange of the code yields no token', exchange, first!.exchange),
    );
  });
}

const judgeTokenResponses =
  (isAbout: (answer: Answer) => boolean, expect: (answer: Answer, exchange: AuthExchange) => void): JudgeRule =>
  ({ history: { tokenRequests }, baseUrl }) =>
    tokenRequests
      .map((call) => toExchange(call, baseUrl))
      .filter(({ answer, call }) => answer.status === 200 && !call.response?.truncated && isAbout(answer))
      .map((each) => show(each, () => expect(each.answer, each)));

const hasHeaders = ({ headers }: Answer): boolean => Object.keys(headers).length > 0;
/** Without the headers, the content type is not known, which `expectTokenResponse` verifies too. */
const withContentType = (answer: Answer): Answer =>
  hasHeaders(answer) ? answer : { ...answer, headers: { 'content-type': 'application/json' } };

/** Judges redirects to the client, as far as the record contains them. */
const judgeRedirects: JudgeRule = ({ history: { authorizations }, baseUrl }) =>
  authorizations.flatMap(({ call, parameters }): Shown[] => {
    const exchange = toExchange(call, baseUrl);
    const hasCode = call.oauth?.issued?.code !== undefined;
    if (hasCode) return [showThat(call.problem === undefined, 'a redirect with a code contains no error', exchange)];
    const location = call.response?.headers?.location ?? '';
    const [to, asked] = [URL.parse(location), URL.parse(parameters.get('redirect_uri') ?? '')];
    const isToClient = to !== null && asked !== null && to.origin + to.pathname === asked.origin + asked.pathname;
    const isInQuery = parameters.get('response_type') === 'code' && !parameters.has('response_mode') && to?.hash === '';
    const isEmpty = isToClient && isInQuery && !to.searchParams.has('code') && !to.searchParams.has('error');
    return isEmpty ? [showThat(false, 'the redirect contains a code or an error', exchange)] : [];
  });

/** Judges the state in a redirect with an error. */
const judgeDeniedStates: JudgeRule = ({ history: { authorizations }, baseUrl }) =>
  authorizations.flatMap(({ call, parameters }): Shown[] => {
    const [to, state] = [URL.parse(call.response?.headers?.location ?? ''), parameters.get('state')];
    const isKnown = to?.searchParams.get('error') === 'access_denied' && !to.searchParams.has('code') && !!state;
    if (!isKnown || `${to.searchParams.get('state')}${state}`.includes(REDACTED)) return [];
    return [showThat(to.searchParams.get('state') === state, 'the redirect contains the state of the request', toExchange(call, baseUrl))];
  });

function judgeStates({ history: { authorizations }, baseUrl }: Traffic): Shown[] {
  return authorizations.flatMap(({ call, parameters }) => {
    const { issued } = call.oauth ?? {};
    const state = parameters.get('state');
    if (issued?.code === undefined || state === null || issued.alteredState) return [];
    return [showThat(issued.state === state, 'the redirect contains the state of the request', toExchange(call, baseUrl))];
  });
}

/** Judges uses of tokens that were issued for a code. */
const judgeUses =
  (isAbout: (operation: string) => boolean): JudgeRule =>
  ({ history: { tokens }, exchanges }) => {
    const issued = new Set(tokens.filter(({ request }) => request.oauth?.code !== undefined).map(({ fingerprint }) => fingerprint));
    return exchanges.filter((each) => issued.has(each.token ?? '') && succeeds(each) && isAbout(each.operation)).map((each) => show(each));
  };

export const judgesOfOauth = {
  'oauth.pkce.required': judgeInvalid(
    (each) => each.authorization !== undefined && getChallenge(each) === null,
    'the authorization request has no code_challenge',
  ),
  'oauth.pkce.plain': judgeInvalid(
    (each) => getChallenge(each) !== null && getMethod(each) === 'plain',
    'the code_challenge_method is plain',
  ),
  'oauth.pkce.s256': judgeAccepted((each) => getMethod(each) === 'S256' && each.oauth.verifier?.challenge === getChallenge(each)),
  'oauth.pkce.verifier-length': judgeInvalid(
    (each) => hasLength(each, (length) => length < 43 || length > 128),
    'the code_verifier must have 43 to 128 characters',
  ),
  'oauth.pkce.verifier-alphabet': judgeInvalid(
    ({ oauth }) => oauth.verifier?.unreserved === false,
    'the code_verifier has characters that are not unreserved',
  ),
  'oauth.pkce.verifier-lengths-accepted': judgeAccepted((each) => hasLength(each, (length) => length === 43 || length === 128)),
  'oauth.pkce.verifier-missing': judgeInvalid(
    (each) => getChallenge(each) !== null && each.oauth.verifier === undefined,
    'there is no code_verifier',
  ),
  'oauth.pkce.verifier-wrong': judgeInvalid(
    (each) =>
      getMethod(each) === 'S256' &&
      each.oauth.verifier !== undefined &&
      getChallenge(each) !== null &&
      each.oauth.verifier.challenge !== getChallenge(each),
    'the code_verifier does not match the code_challenge',
  ),
  'oauth.clients.confidential-only': judgeInvalid((each) => authenticates(each), 'the client does not authenticate'),
  'oauth.clients.both-methods': judgeInvalid(
    (each) => authenticates(each, 'client_secret', 'client_assertion'),
    'the client authenticates in two ways',
  ),
  'oauth.token.client-secret': judgeAccepted((each) => authenticates(each, 'client_secret')),
  'oauth.token.client-assertion': judgeAccepted((each) => authenticates(each, 'client_assertion')),
  'oauth.code.single-use': judgeReuse,
  'oauth.code.short-lived': judgeInvalid((each) => isIssuedAtOnce(each) && getAgeMs(each) > 3_600_000, 'the code is more than an hour old'),
  'oauth.code.ten-minutes': judgeInvalid(
    (each) => isIssuedAtOnce(each) && getAgeMs(each) > 605_000,
    'the code is more than ten minutes old',
  ),
  'oauth.code.client': judgeInvalid(
    ({ authorization, oauth }) =>
      !!oauth.clientId && !!authorization?.parameters.get('client_id') && oauth.clientId !== authorization.parameters.get('client_id'),
    'the code was issued to another client',
  ),
  'oauth.code.redirect-uri': judgeInvalid(isOtherUri, 'the redirect_uri differs from that of the authorization request'),
  'oauth.callback.code': judgeRedirects,
  'oauth.callback.denied': judgeDeniedStates,
  'oauth.callback.state': judgeStates,
  'oauth.token.expires-in': judgeTokenResponses(
    () => true,
    (answer) => expectTokenResponse(withContentType(answer), isAboutExpiry),
  ),
  'oauth.token.type': judgeTokenResponses(
    () => true,
    (answer, { call }) => {
      expectTokenResponse(withContentType(answer), (finding) => !isAboutExpiry(finding));
      // The journal shows neither the type nor the value of a token.
      must(call.oauth?.issued?.accessToken !== undefined, 'access_token is a string, and not empty', answer);
    },
  ),
  'oauth.token.no-store': judgeTokenResponses(hasHeaders, (answer) =>
    must(/(?:^|,)\s*no-store\s*(?:,|$)/i.test(answer.headers['cache-control'] ?? ''), 'Cache-Control contains no-store', answer),
  ),
  'oauth.token.works': judgeUses(() => true),
  'oauth.token.principal': judgeUses((operation) => operation === 'getUsers' || operation === 'getUser'),
} satisfies RuleJudges;
