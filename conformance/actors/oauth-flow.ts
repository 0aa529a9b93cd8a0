import { randomUUID } from 'node:crypto';
import type { AuthorizationServer } from '../target/capabilities.ts';
import type { Answer } from '../target/exchange.ts';
import { notTestable } from '../target/not-testable.ts';
import type { Get, Visit, Visited } from '../target/visit.ts';
import { type Changes, challengeOf, changed, encoded, newVerifier, OPERATION_SCOPES, type Parameters } from './oauth-parts.ts';

/** Who asks, and how it authenticates: anew for each request. */
export interface FlowClient {
  readonly clientId: string;
  readonly redirectUri: string;
  authentication(): Promise<Parameters>;
}

/** An authorization request, and where it led. */
export interface Asked extends Visited {
  readonly parameters: Parameters;
  readonly verifier: string;
  /** Undefined: none came. */
  readonly code: string | undefined;
}

/** One that gave a code. */
export interface Granted extends Asked {
  readonly code: string;
}

/** The requests of a client; each is good unless it is changed. */
export interface Flow {
  readonly client: FlowClient;
  /** @param visit who is asked; absent: whoever approves. */
  ask(changes?: Changes, visit?: Visit): Promise<Asked>;
  /** Ends the check as not testable where there is no code. */
  code(changes?: Changes): Promise<Granted>;
  /** @param by who exchanges it, if not who asked. */
  exchange(asked: Asked, changes?: Changes, headers?: Parameters): Promise<Answer>;
  token(parameters: Parameters, headers?: Parameters): Promise<Answer>;
  /** All the way. Ends the check as not testable where there is no token. */
  tokens(changes?: Changes): Promise<{ readonly answer: Answer; readonly granted: Granted; readonly accessToken: string }>;
}

interface Parts {
  readonly server: AuthorizationServer;
  readonly client: FlowClient;
  readonly loginHint: string;
  readonly approve: Visit;
  readonly get: Get;
  post(url: string, form: string, headers: Parameters): Promise<Answer>;
}

export function createFlow({ server, client, loginHint, approve, get, post }: Parts): Flow {
  const token: Flow['token'] = (parameters, headers = {}) => post(server.tokenUrl, encoded(parameters), headers);

  const flow: Flow = {
    client,
    token,
    async ask(changes = {}, visit = approve) {
      const verifier = newVerifier();
      const good = {
        response_type: 'code',
        client_id: client.clientId,
        redirect_uri: client.redirectUri,
        scope: OPERATION_SCOPES.join(' '),
        state: randomUUID(),
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
        login_hint: loginHint,
      };
      const parameters = changed(good, changes);
      const visited = await visit(`${server.authorizeUrl}?${encoded(parameters)}`, get);
      return { ...visited, parameters, verifier, code: visited.callback?.searchParams.get('code') || undefined };
    },
    async code(changes) {
      const asked = await flow.ask(changes);
      return hasCode(asked) ? asked : notTestable(`a code, where ${whatCame(asked)}`);
    },
    async exchange(asked, changes = {}, headers = {}) {
      const good = {
        grant_type: 'authorization_code',
        code: asked.code ?? '',
        redirect_uri: asked.parameters.redirect_uri ?? client.redirectUri,
        client_id: client.clientId,
        code_verifier: asked.verifier,
      };
      return token(changed({ ...good, ...(await client.authentication()) }, changes), headers);
    },
    async tokens(changes) {
      const granted = await flow.code(changes);
      const answer = await flow.exchange(granted);
      return {
        answer,
        granted,
        accessToken: accessTokenOf(answer) ?? notTestable(`a token, where the exchange was answered with ${answer.status}`),
      };
    },
  };
  return flow;
}

export const hasCode = (asked: Asked): asked is Granted => asked.code !== undefined;

/** For reports: nothing of what the redirect carries, which is secret. */
export function whatCame({ callback, answer }: Visited): string {
  const error = callback?.searchParams.get('error');
  if (error) return `the authorization request was refused with ${error}`;
  if (callback) return 'the redirect to redirect_uri carried none';
  const isPage = answer.status === 200 && /html/i.test(answer.headers['content-type'] ?? '');
  return `the authorization request was answered with ${isPage ? 'a page for a person (oauth.approve: a kit approves by itself with --login auto)' : answer.status}`;
}

/** Of a success with a token. */
export function accessTokenOf({ status, json }: Answer): string | undefined {
  const { access_token: token } = (json ?? {}) as { access_token?: unknown };
  return status >= 200 && status < 300 && typeof token === 'string' && token !== '' ? token : undefined;
}
