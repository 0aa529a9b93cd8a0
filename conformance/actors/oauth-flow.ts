import { randomUUID } from 'node:crypto';
import { must } from '../expect/rule-broken.ts';
import { accessTokenOf, expectNoToken } from '../expect/token.ts';
import type { AuthorizationServer } from '../target/capabilities.ts';
import type { Answer } from '../target/exchange.ts';
import { notTestable } from '../target/not-testable.ts';
import type { Get, Visit, Visited } from '../target/visit.ts';
import { apply, type Changes, challengeOf, formEncode, newVerifier, OPERATION_SCOPES, type Parameters } from './oauth-parameters.ts';

/** An authorization request and its outcome. */
export interface Authorization extends Visited {
  readonly parameters: Parameters;
  readonly verifier: string;
  /** The authorization code; undefined if the redirect contains none. */
  readonly code: string | undefined;
}

export type Granted = Authorization & { readonly code: string };

interface Settings {
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

/** Sends the OAuth requests of one client. Each request is valid, except for its `changes`. */
export type Flow = ReturnType<typeof createFlow>;

export function createFlow({ server, client, loginHint, approve, get, post }: Settings) {
  /** Sends an authorization request. @param visit acts as the user in the browser. Absent: the user approves the request. */
  async function authorize(changes: Changes = {}, visit = approve): Promise<Authorization> {
    const verifier = newVerifier();
    const valid = {
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      scope: OPERATION_SCOPES.join(' '),
      state: randomUUID(),
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      login_hint: loginHint,
    };
    const parameters = apply(valid, changes);
    const visited = await visit(`${server.authorizeUrl}?${formEncode(parameters)}`, get);
    return { ...visited, parameters, verifier, code: visited.callback?.searchParams.get('code') || undefined };
  }

  /** Gets an authorization code. Ends the check as not testable if the redirect contains no code. */
  async function code(changes?: Changes): Promise<Granted> {
    const authorization = await authorize(changes);
    return hasCode(authorization)
      ? authorization
      : notTestable(`the check needs an authorization code, but ${describeOutcome(authorization)}`);
  }

  /** Gets an authorization code that the rule under test requires. @throws RuleBroken if the redirect contains no code */
  async function expectCode(changes?: Changes): Promise<Granted> {
    const authorization = await authorize(changes);
    if (!hasCode(authorization) && isPage(authorization.answer)) notTestable(`oauth.approve: ${describeOutcome(authorization)}`);
    must(hasCode(authorization), 'the redirect to redirect_uri contains a code', authorization.answer);
    return authorization;
  }

  /** Sends a token request with exactly these parameters. */
  const requestToken = (parameters: Parameters, headers: Parameters = {}) => post(server.tokenUrl, formEncode(parameters), headers);

  /** Exchanges the code of an authorization request for a token. */
  async function exchange(authorization: Authorization, changes: Changes = {}, headers?: Parameters): Promise<Answer> {
    const valid = {
      grant_type: 'authorization_code',
      code: authorization.code ?? '',
      redirect_uri: authorization.parameters.redirect_uri ?? client.redirectUri,
      client_id: client.clientId,
      code_verifier: authorization.verifier,
    };
    return requestToken(apply({ ...valid, ...(await client.authentication()) }, changes), headers);
  }

  /** Gets an access token. Ends the check as not testable if the response contains no token. */
  async function tokens(changes?: Changes) {
    const granted = await code(changes);
    const answer = await exchange(granted);
    const accessToken =
      accessTokenOf(answer) ??
      notTestable(`the check needs an access token, but the exchange of the code was answered with ${answer.status}`);
    return { answer, granted, accessToken };
  }

  /** Expects that the authorization request gave no code, or that the target refuses to exchange the code. @throws RuleBroken */
  async function expectRefusal(authorization: Authorization, changes: Changes = {}): Promise<void> {
    if (hasCode(authorization)) return expectNoToken(await exchange(authorization, changes));
    const { answer } = authorization;
    must(answer.status < 500, 'the authorization request is refused, and does not fail (5xx)', answer);
  }

  return { client, authorize, code, expectCode, requestToken, exchange, tokens, expectRefusal };
}

export const hasCode = (authorization: Authorization): authorization is Granted => authorization.code !== undefined;

/** Describes the response to an authorization request that gave no code. Omits the query of the redirect, which may contain secrets. */
export function describeOutcome({ callback, answer }: Visited): string {
  const error = callback?.searchParams.get('error');
  if (error) return `the authorization request was refused with ${error}`;
  if (callback) return 'the redirect to redirect_uri contained no code';
  const page = 'a page that a person must answer (see oauth.approve; an xpk instance with --login auto shows no page)';
  return `the authorization request was answered with ${isPage(answer) ? page : answer.status}`;
}

function isPage({ status, headers }: Answer): boolean {
  return status === 200 && /html/i.test(headers['content-type'] ?? '');
}
