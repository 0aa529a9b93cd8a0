import { randomBytes } from 'node:crypto';
import type { Kit } from '../kit.ts';
import { type Changes, createChallenge, createFlow } from './oauth-flow.ts';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

export const createRandomString = (bytes = 32): string => randomBytes(bytes).toString('base64url');
/** Moves the client authentication from the body to the Authorization header. */
export const createBasicHeader = (clientId: string, secret = 'demo-secret-acme-web') => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
});
export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function createCorrectClient(kit: Kit, alias = 'acme-web') {
  const clientId = await kit.id('clients', alias);
  const experienceId = await kit.id('experiences', 'scheduler');
  const accountId = await kit.id('accounts', 'northwind');
  const flow = createFlow(kit.authUrl, alias, clientId);

  async function authorize(changes: Changes = {}, verifier = createRandomString()) {
    const request = { state: createRandomString(), code_challenge: createChallenge(verifier), ...changes };
    const callback = (await flow.authorize(request)).location?.searchParams;
    return { code: callback?.get('code') ?? '', state: request.state, returned: callback?.get('state'), verifier };
  }

  async function exchange({ code, verifier }: { code: string; verifier: string }, changes: Changes = {}, headers = {}): Promise<Tokens> {
    return (await flow.exchange(code, { code_verifier: verifier, ...changes }, headers)).body as unknown as Tokens;
  }

  async function login(changes: Changes = {}, verifier = createRandomString()): Promise<Tokens> {
    const answer = await authorize(changes, verifier);
    if (answer.returned !== answer.state) throw new Error('The state differs.');
    return exchange(answer);
  }

  /** Reads the whole response, so that the connection can be reused. */
  async function send(token: string, path: string, body?: object, method = body === undefined ? 'GET' : 'POST') {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${kit.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
  }

  let tokens: Promise<Tokens> | undefined;

  return {
    clientId,
    experienceId,
    accountId,
    authorize,
    exchange,
    postTokenRequest: flow.postTokenRequest,
    login,
    refresh: async (refreshToken: string) => (await flow.refresh(refreshToken)).body as unknown as Tokens,
    send,
    async call(path: string, body?: object) {
      tokens ??= login();
      return send((await tokens).access_token, path, body);
    },
    raw: async (path: string, headers: Record<string, string>) => void (await (await fetch(`${kit.url}${path}`, { headers })).text()),
    check: (number = '+12065550103') =>
      `/experiences/${experienceId}/assignability?${new URLSearchParams({ targetType: 'PHONE_NUMBER', targetValue: number })}`,
    users: (more: Record<string, string> = {}) => `/users?${new URLSearchParams({ accountId, ...more })}`,
  };
}

export type CorrectClient = Awaited<ReturnType<typeof createCorrectClient>>;
