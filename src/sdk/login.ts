import { createHash, createPrivateKey, randomBytes } from 'node:crypto';
import { didYouMean } from '../contract/did-you-mean.ts';
import { UsageError } from '../control-client/errors.ts';
import { DEFAULT_SCOPES } from '../world/world.ts';
import { ASSERTION_TYPE, findDefaultAlgorithm, signAssertion } from './assertion.ts';
import type { TokenDefaults } from './entities.ts';
import { createMissingClientError, LoginError } from './errors.ts';
import type { KitState, LoginRequest, Tokens } from './kit-tools.ts';

export const USER_AGENT = 'experience-provider-kit/login';

interface LoginContext {
  readonly state: KitState;
  readonly defaults: TokenDefaults;
  readonly authUrl: string;
  /** The audience of client assertions: the token endpoint's public URL. */
  readonly audience: string;
  readonly fetch: typeof fetch;
}

// The `Record` type makes the compiler report a missing option.
const OPTION_NAMES: Readonly<Record<keyof LoginRequest, true>> = { hint: true, client: true, scope: true, redirectUri: true, key: true };

/** Uses the authorization code grant and PKCE (Authentication). */
export async function login({ state, defaults, authUrl, audience, fetch }: LoginContext, request: LoginRequest = {}): Promise<Tokens> {
  const unknown = Object.keys(request).find((name) => !Object.hasOwn(OPTION_NAMES, name));
  if (unknown !== undefined) {
    const names = Object.keys(OPTION_NAMES);
    throw new UsageError(`kit.login has no option "${unknown}".${didYouMean(unknown, names) || ` The options are: ${names.join(', ')}.`}`);
  }
  const alias = request.client ?? defaults.client;
  if (alias === undefined) throw createMissingClientError('login');
  const client = await state.get('clients', alias);
  const clientId = client.id;
  const redirectUri = request.redirectUri ?? client.redirectUris?.[0];
  if (redirectUri === undefined) throw new UsageError(`The client "${alias}" has no redirect URI. Add one to its redirectUris.`);
  const verifier = randomBytes(32).toString('base64url');
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: [request.scope ?? [...DEFAULT_SCOPES, 'offline_access']].flat().join(' '),
    state: randomBytes(16).toString('base64url'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    login_hint: request.hint ?? (await findDefaultHint(state, defaults)),
  };
  const authentication = await createClientAuthentication(clientId, client.secret, request, audience);
  const code = await requestCode(`${authUrl}/authorize?${new URLSearchParams(query)}`, query.state, fetch);
  const body = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, client_id: clientId, code_verifier: verifier };
  const response = await fetch(`${authUrl}/oauth/token`, {
    method: 'POST',
    headers: { 'user-agent': USER_AGENT },
    body: new URLSearchParams({ ...body, ...authentication }),
  });
  const answer = (await response.json()) as Record<string, string> & { expires_in: number };
  if (!response.ok) throw new LoginError('token request', answer.error ?? `status ${response.status}`, answer.error_description ?? '');
  return {
    accessToken: answer.access_token as string,
    refreshToken: answer.refresh_token,
    expiresIn: answer.expires_in,
    scope: answer.scope ?? query.scope,
  };
}

async function findDefaultHint(state: KitState, { principal }: TokenDefaults): Promise<string> {
  const number = principal && (await state.get('principals', principal)).telephoneNumber;
  if (number) return number;
  throw new UsageError("Pass the user's telephone number: kit.login({ hint: '+12065550100' }).");
}

async function createClientAuthentication(
  clientId: string,
  secret: string | undefined,
  { client = clientId, key: jwk }: LoginRequest,
  audience: string,
): Promise<Record<string, string>> {
  if (jwk === undefined) {
    if (secret !== undefined) return { client_secret: secret };
    throw new UsageError(`The client "${client}" has no secret. Pass its private key as a JWK: kit.login({ client: …, key: … }).`);
  }
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const alg = (jwk as { alg?: string }).alg ?? findDefaultAlgorithm(key);
  if (alg === undefined) throw new UsageError(`A key of type ${jwk.kty} cannot sign assertions. Use EC, RSA or Ed25519.`);
  const assertion = await signAssertion({ key, alg, kid: jwk.kid }, clientId, audience, 60);
  return { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
}

async function requestCode(url: string, state: string, send: typeof fetch): Promise<string> {
  const response = await send(url, { redirect: 'manual', headers: { 'user-agent': USER_AGENT } });
  const location = response.headers.get('location');
  if (location === null) {
    const { error, error_description: description } = (await response.json()) as Record<string, string>;
    throw new LoginError('authorization request', error ?? `status ${response.status}`, description ?? '');
  }
  if (location.startsWith('/'))
    throw new UsageError(
      "The kit shows a login page and waits for a user. Start the kit with login: 'auto', which is createKit's default and which kit.login requires.",
    );
  const answer = new URL(location).searchParams;
  const error = answer.get('error');
  if (error !== null) throw new LoginError('authorization request', error, answer.get('error_description') ?? '');
  if (answer.get('state') !== state) throw new Error("The redirect's state differs from the request's state.");
  return answer.get('code') as string;
}
