import { hash } from 'node:crypto';
import type { Fingerprint } from '../clock/fingerprint.ts';
import type { JournalEntry } from './entry.ts';
import { parseJson } from './response-facts.ts';

type OauthFacts = NonNullable<JournalEntry['oauth']>;

interface OauthExchange {
  readonly target: string;
  readonly authorization: string | undefined;
  /** The body of a token request. */
  readonly form: string | undefined;
  readonly responseBody: string | undefined;
  /** The address of a redirect. */
  readonly location: string | undefined;
  readonly isStateAltered: boolean;
}

const E164_PATTERN = /^\+[1-9]\d{1,14}$/;
const UNRESERVED_PATTERN = /^[\w.~-]*$/;
/** In a random verifier, one character practically never occurs eight times in a row. */
const REPETITIVE_PATTERN = /(.)\1{7}/;
/** The last second that a `Date` can represent, and its opposite the first. */
const MAX_TIME_S = 8.64e12;
const HEADER_AUTHENTICATION = 'authorization_header';

/** Returns undefined if the exchange with the authorization server has no facts. */
export function readOauthFacts(exchange: OauthExchange, fingerprint: Fingerprint): OauthFacts | undefined {
  const { form, location, responseBody, isStateAltered } = exchange;
  const issued = readIssuedTokens(responseBody, fingerprint) ?? readIssuedCode(location, fingerprint);
  const facts = {
    ...readRequestFacts(exchange),
    ...(form !== undefined && readTokenRequestFacts(form, exchange, fingerprint)),
    ...(issued && { issued: { ...issued, ...(isStateAltered && { alteredState: true }) } }),
  };
  return Object.keys(facts).length > 0 ? facts : undefined;
}

function readRequestFacts({ target, authorization }: OauthExchange): OauthFacts {
  const [path, query = ''] = target.split(/\?(.*)/s);
  const header =
    authorization === undefined
      ? {}
      : { ...toOptionalMember('clientId', getBasicUser(authorization)), authentication: [HEADER_AUTHENTICATION] as const };
  if (path !== '/auth/authorize') return { ...header };
  const parameters = new URLSearchParams(query);
  const hint = parameters.get('login_hint');
  return {
    ...header,
    ...toOptionalMember('clientId', parameters.get('client_id')),
    ...(hint !== null && { loginHint: E164_PATTERN.test(hint) ? 'E.164' : 'other' }),
  };
}

function readTokenRequestFacts(form: string, { authorization }: OauthExchange, fingerprint: Fingerprint): OauthFacts {
  const parameters = new URLSearchParams(form);
  const assertion = parameters.get('client_assertion');
  const [code, refreshToken, verifier] = ['code', 'refresh_token', 'code_verifier'].map((name) => parameters.get(name));
  return {
    ...toOptionalMember('clientId', parameters.get('client_id') ?? (assertion && decodeClaims(assertion).sub)),
    authentication: [
      ...(parameters.get('client_secret') ? (['client_secret'] as const) : []),
      ...(assertion || parameters.get('client_assertion_type') ? (['client_assertion'] as const) : []),
      ...(authorization === undefined ? [] : ([HEADER_AUTHENTICATION] as const)),
    ],
    ...(code && { code: fingerprint(code) }),
    ...(refreshToken && { refreshToken: fingerprint(refreshToken) }),
    ...(verifier && {
      verifier: {
        challenge: hash('sha256', verifier, 'base64url'),
        length: verifier.length,
        unreserved: UNRESERVED_PATTERN.test(verifier),
        repetitive: REPETITIVE_PATTERN.test(verifier),
      },
    }),
  };
}

function readIssuedCode(location: string | undefined, fingerprint: Fingerprint): OauthFacts['issued'] {
  const parameters = URL.parse(location ?? '')?.searchParams;
  const [code, state] = [parameters?.get('code'), parameters?.get('state')];
  return code ? { code: fingerprint(code), ...(state && { state }) } : undefined;
}

function readIssuedTokens(body: string | undefined, fingerprint: Fingerprint): OauthFacts['issued'] {
  const {
    access_token: token,
    refresh_token: refreshToken,
    expires_in: expiresIn,
  } = Object(parseJson(body ?? '')) as Record<string, unknown>;
  if (typeof token !== 'string' || token === '') return undefined;
  return {
    accessToken: describeAccessToken(token, fingerprint),
    ...(typeof refreshToken === 'string' && { refreshToken: fingerprint(refreshToken) }),
    ...(typeof expiresIn === 'number' && { expiresIn }),
  };
}

/** Reads the claims of an access token that is a JWT, without verifying it. */
export function describeAccessToken(token: string, fingerprint: Fingerprint): NonNullable<JournalEntry['credential']> {
  const { sub, client_id: clientId, scope, exp } = decodeClaims(token);
  return {
    fingerprint: fingerprint(token),
    ...toOptionalMember('clientId', clientId),
    ...(sub !== clientId && toOptionalMember('principalId', sub)),
    ...(typeof scope === 'string' && { scopes: scope.split(' ') }),
    ...(typeof exp === 'number' && Math.abs(exp) <= MAX_TIME_S && { expiresAt: new Date(exp * 1000).toISOString() }),
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
