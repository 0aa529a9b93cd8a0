import { createHash, createPrivateKey, type JsonWebKey, randomBytes, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Answer } from '../../src/expect/answer.ts';
import type { Capabilities } from '../target/capabilities.ts';
import { hideSecrets } from '../target/secrets.ts';

export type Parameters = Readonly<Record<string, string>>;
/** The value undefined removes a parameter. */
export type ParameterChanges = Readonly<Record<string, string | undefined>>;

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export const createVerifier = (): string => randomBytes(32).toString('base64url');

/** Returns a verifier's code challenge: its SHA-256 hash in base64url without padding (RFC 7636, section 4.2). */
export const createChallenge = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

export function applyChanges(parameters: Parameters, changes: ParameterChanges): Parameters {
  const entries = Object.entries({ ...parameters, ...changes });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Encodes a space as %20, because some servers do not decode a plus sign. */
export function formEncode(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

/** Signs a client assertion (RFC 7523) that is valid for one minute. @param claims claims to add or replace */
export function signAssertion(
  { id, privateKey, audience }: Pick<Capabilities['oauth.key-client'], 'id' | 'privateKey' | 'audience'>,
  claims: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const payload = { iss: id, sub: id, aud: audience, jti: randomUUID(), iat: now, exp: now + 60, ...claims };
  const kid = privateKey.kid === undefined ? {} : { kid: String(privateKey.kid) };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: selectAlgorithm(privateKey), typ: 'JWT', ...kid })
    .sign(createPrivateKey({ key: privateKey, format: 'jwk' }));
}

/** Converts a client assertion to an unsigned JWT with the same claims (RFC 7519, section 6). */
export function removeSignature(assertion: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
  return `${header}.${assertion.split('.')[1]}.`;
}

const CURVE_ALGORITHMS: Readonly<Record<string, string>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512', Ed25519: 'EdDSA' };

function selectAlgorithm({ alg, crv }: JsonWebKey): string {
  return typeof alg === 'string' ? alg : (CURVE_ALGORITHMS[crv ?? ''] ?? 'RS256');
}

const SECRET_NAMES = ['client_secret', 'client_assertion', 'code', 'code_verifier', 'refresh_token', 'access_token', 'id_token'];

/** Hides secrets everywhere except in `json`, because checks need the tokens in it. */
export function removeOAuthSecrets(answer: Answer): Answer {
  const { json, ...shown } = answer;
  const form = new URLSearchParams(answer.requestBody ?? '');
  const location = answer.headers.location ?? '';
  const query = URL.canParse(location, answer.url) ? new URL(location, answer.url).searchParams : new URLSearchParams();
  const members = Object(json) as Record<string, unknown>;
  const secrets = SECRET_NAMES.flatMap((name) => [form.get(name), query.get(name), members[name]]).filter(isString);
  const cookies = [answer.headers['set-cookie'], answer.requestHeaders.cookie].filter(isString);
  const basic = answer.requestHeaders.authorization?.match(/\S+$/)?.[0];
  // Remove percent-encoded secrets too, because form-encoded bodies contain them.
  const hidden = [...secrets, ...secrets.map(encodeURIComponent), ...cookies, ...(basic === undefined ? [] : [basic])];
  return { ...hideSecrets(shown, hidden), json };
}

const isString = (value: unknown): value is string => typeof value === 'string' && value !== '';
