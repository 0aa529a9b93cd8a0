import { hash } from 'node:crypto';
import type { Fingerprint } from '../clock/fingerprint.ts';
import type { components } from '../contract/generated/control.ts';

export type OauthFacts = components['schemas']['JournalOauth'];

const E164_PATTERN = /^\+[1-9]\d{1,14}$/;
const UNRESERVED_PATTERN = /^[\w.~-]*$/;

export function readRequestFacts(target: string, authorization: string | undefined): OauthFacts {
  const [path, query = ''] = target.split(/\?(.*)/s);
  const header =
    authorization === undefined
      ? {}
      : { ...toOptionalMember('clientId', getBasicUser(authorization)), authentication: [HEADER_AUTHENTICATION] };
  if (path !== '/auth/authorize') return header;
  const parameters = new URLSearchParams(query);
  const hint = parameters.get('login_hint');
  return {
    ...header,
    ...toOptionalMember('clientId', parameters.get('client_id')),
    ...(hint !== null && { loginHint: E164_PATTERN.test(hint) ? 'E.164' : 'other' }),
  };
}

const HEADER_AUTHENTICATION = 'authorization_header';

export function readTokenRequestFacts(
  form: string,
  fingerprint: Fingerprint,
  { authentication = [], ...facts }: OauthFacts = {},
): OauthFacts {
  const parameters = new URLSearchParams(form);
  const assertion = parameters.get('client_assertion');
  const [code, refreshToken, verifier] = ['code', 'refresh_token', 'code_verifier'].map((name) => parameters.get(name));
  return {
    ...facts,
    ...toOptionalMember('clientId', parameters.get('client_id') ?? (assertion && decodeClaims(assertion).sub)),
    authentication: [
      ...(parameters.get('client_secret') ? (['client_secret'] as const) : []),
      ...(assertion || parameters.get('client_assertion_type') ? (['client_assertion'] as const) : []),
      ...authentication,
    ],
    ...(code && { code: fingerprint(code) }),
    ...(refreshToken && { refreshToken: fingerprint(refreshToken) }),
    ...(verifier && {
      verifier: {
        challenge: hash('sha256', verifier, 'base64url'),
        length: verifier.length,
        unreserved: UNRESERVED_PATTERN.test(verifier),
      },
    }),
  };
}

export function readRedirectFacts(location: string, fingerprint: Fingerprint): OauthFacts {
  const parameters = URL.parse(location)?.searchParams;
  const [code, state] = [parameters?.get('code'), parameters?.get('state')];
  return code ? { issued: { code: fingerprint(code), ...(state && { state }) } } : {};
}

export function readTokenResponseFacts(body: string, fingerprint: Fingerprint): OauthFacts {
  const { access_token: token, refresh_token: refreshToken, expires_in: expiresIn } = Object(parseJson(body)) as Record<string, unknown>;
  if (typeof token !== 'string') return {};
  const { sub, client_id: clientId, scope, exp } = decodeClaims(token);
  return {
    issued: {
      accessToken: {
        fingerprint: fingerprint(token),
        ...toOptionalMember('clientId', clientId),
        ...(sub !== clientId && toOptionalMember('principalId', sub)),
        ...(typeof scope === 'string' && { scopes: scope.split(' ') }),
        ...(typeof exp === 'number' && { expiresAt: new Date(exp * 1000).toISOString() }),
      },
      ...(typeof refreshToken === 'string' && { refreshToken: fingerprint(refreshToken) }),
      ...(typeof expiresIn === 'number' && { expiresIn }),
    },
  };
}

const toOptionalMember = <Name extends string>(name: Name, value: unknown) =>
  (typeof value === 'string' && value !== '' ? { [name]: value } : {}) as { readonly [Key in Name]?: string };

/** Decodes a JWT's claims without verifying the signature. */
const decodeClaims = (jwt: string): Readonly<Record<string, unknown>> =>
  Object(parseJson(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())) as Record<string, unknown>;

function getBasicUser(authorization: string): string | undefined {
  const [, credentials = ''] = /^Basic +(\S+)$/i.exec(authorization) ?? [];
  return /^([^:]+):/.exec(Buffer.from(credentials, 'base64').toString())?.[1];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
