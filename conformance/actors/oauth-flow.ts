import { randomUUID } from 'node:crypto';
import type { Answer } from '../../src/expect/answer.ts';
import { must } from '../../src/expect/rule-broken.ts';
import { expectNoToken, parseAccessToken } from '../expect/token.ts';
import { type AuthorizationServer, SCOPES } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import type { Get, Visit, VisitResult } from '../target/visit.ts';
import { applyChanges, createChallenge, createVerifier, formEncode, type ParameterChanges, type Parameters } from './oauth-parameters.ts';

export interface Authorization extends VisitResult {
  readonly parameters: Parameters;
  readonly verifier: string;
  /** The authorization code; undefined if the redirect contains none. */
  readonly code: string | undefined;
}

export type AuthorizationWithCode = Authorization & { readonly code: string };

interface FlowSettings {
  readonly server: AuthorizationServer;
  readonly client: {
    readonly clientId: string;
    readonly redirectUri: string;
    /** The parameters that authenticate one token request. */
    authentication(): Promise<Parameters>;
  };
  readonly loginHint: string;
  readonly approve: Visit;
  readonly get: Get;
  post(url: string, form: string, headers: Parameters): Promise<Answer>;
}

/** Sends one client's OAuth requests. Each request is valid, except for its `changes`. */
export type OAuthFlow = ReturnType<typeof createFlow>;

export function createFlow({ server, client, loginHint, approve, get, post }: FlowSettings) {
  /** @param visit acts as the user in the browser; absent: the user approves */
  async function authorize(changes: ParameterChanges = {}, visit = approve): Promise<Authorization> {
    const verifier = createVerifier();
    const valid = {
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      scope: SCOPES.join(' '),
      state: randomUUID(),
      code_challenge: createChallenge(verifier),
      code_challenge_method: 'S256',
      login_hint: loginHint,
    };
    const parameters = applyChanges(valid, changes);
    const visited = await visit(`${server.authorizeUrl}?${formEncode(parameters)}`, get);
    return { ...visited, parameters, verifier, code: visited.callback?.searchParams.get('code') || undefined };
  }

  async function requestCode(changes?: ParameterChanges): Promise<AuthorizationWithCode> {
    const authorization = await authorize(changes);
    return hasCode(authorization)
      ? authorization
      : endAsNotTestable(`the check needs an authorization code, but ${describeOutcome(authorization)}`);
  }

  /** @throws RuleBroken if the redirect contains no code */
  async function expectCode(changes?: ParameterChanges): Promise<AuthorizationWithCode> {
    const authorization = await authorize(changes);
    const { answer, callback } = authorization;
    if (callback === undefined) {
      if (isHtmlPage(answer)) endAsNotTestable(`oauth.approve: ${describeOutcome(authorization)}`);
      must(answer.status >= 300 && answer.status < 400, 'the authorization request is answered with a redirect (3xx)', answer);
    }
    must(hasCode(authorization), 'the redirect to redirect_uri contains a code', authorization.answer);
    return authorization;
  }

  const requestToken = (parameters: Parameters, headers: Parameters = {}) => post(server.tokenUrl, formEncode(parameters), headers);

  async function exchangeCode(authorization: Authorization, changes: ParameterChanges = {}, headers?: Parameters): Promise<Answer> {
    const valid = {
      grant_type: 'authorization_code',
      code: authorization.code ?? '',
      redirect_uri: authorization.parameters.redirect_uri ?? client.redirectUri,
      client_id: client.clientId,
      code_verifier: authorization.verifier,
    };
    return requestToken(applyChanges({ ...valid, ...(await client.authentication()) }, changes), headers);
  }

  async function requestTokens(changes?: ParameterChanges) {
    const granted = await requestCode(changes);
    const answer = await exchangeCode(granted);
    const accessToken =
      parseAccessToken(answer) ??
      endAsNotTestable(`the check needs an access token, but the exchange of the code was answered with ${answer.status}`);
    return { answer, granted, accessToken };
  }

  /**
   * Expects the authorization to return no code, or the target to refuse the code.
   * @throws RuleBroken
   */
  async function expectRefusal(authorization: Authorization, changes: ParameterChanges = {}): Promise<void> {
    if (hasCode(authorization)) return expectNoToken(await exchangeCode(authorization, changes));
    const { answer } = authorization;
    must(answer.status < 500, 'the authorization request is refused without a server error (5xx)', answer);
  }

  return { client, authorize, requestCode, expectCode, requestToken, exchangeCode, requestTokens, expectRefusal };
}

export const hasCode = (authorization: Authorization): authorization is AuthorizationWithCode => authorization.code !== undefined;

/** Omits the redirect's query, which may contain secrets. */
export function describeOutcome({ callback, answer }: VisitResult): string {
  const error = callback?.searchParams.get('error');
  if (error) return `the authorization request was refused with ${error}`;
  if (callback) return 'the redirect to redirect_uri contained no code';
  const page = 'a page that waits for a person (see oauth.approve)';
  return `the authorization request was answered with ${isHtmlPage(answer) ? page : answer.status}`;
}

function isHtmlPage({ status, headers }: Answer): boolean {
  return status === 200 && /html/i.test(headers['content-type'] ?? '');
}
