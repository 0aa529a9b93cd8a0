import { createHash, randomBytes } from 'node:crypto';
import type { Kit } from '../kit.ts';
import { REDIRECT_URI } from './oauth-flow.ts';

export const SCOPES =
  'experience-connections:manage experience-assignments:manage experience-assignability:check users:manage offline_access';

/** The value undefined removes a parameter. */
type ParameterChanges = Readonly<Record<string, string | undefined>>;

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

export const createRandomString = (bytes = 32): string => randomBytes(bytes).toString('base64url');
export const computeChallenge = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function createCorrectClient(kit: Kit, alias = 'acme-web') {
  const clientId = await kit.id('clients', alias);
  const experienceId = await kit.id('experiences', 'scheduler');
  const accountId = await kit.id('accounts', 'northwind');

  const postTokenRequest = (parameters: ParameterChanges, headers: Record<string, string> = {}) =>
    fetch(`${kit.authUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(removeUndefined(parameters)), headers });

  async function authorize(changes: ParameterChanges = {}, verifier = createRandomString()) {
    const query = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      scope: SCOPES,
      state: createRandomString(),
      code_challenge: computeChallenge(verifier),
      code_challenge_method: 'S256',
      login_hint: '+12065550100',
      ...changes,
    };
    const response = await fetch(`${kit.authUrl}/authorize?${new URLSearchParams(removeUndefined(query))}`, { redirect: 'manual' });
    const callback = new URL(response.headers.get('location') ?? REDIRECT_URI).searchParams;
    return { code: callback.get('code') ?? '', state: query.state, returned: callback.get('state'), verifier };
  }

  async function exchange({ code, verifier }: { code: string; verifier: string }, changes: ParameterChanges = {}): Promise<Tokens> {
    const parameters = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier, ...own, ...changes };
    return (await postTokenRequest(parameters)).json() as Promise<Tokens>;
  }

  async function login(changes: ParameterChanges = {}, verifier = createRandomString()): Promise<Tokens> {
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
  const own = { client_id: clientId, client_secret: `demo-secret-${alias}` };

  return {
    clientId,
    experienceId,
    accountId,
    authorize,
    exchange,
    login,
    async refresh(refreshToken: string): Promise<Tokens> {
      return (await postTokenRequest({ grant_type: 'refresh_token', refresh_token: refreshToken, ...own })).json() as Promise<Tokens>;
    },
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

const removeUndefined = (parameters: ParameterChanges): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined));
