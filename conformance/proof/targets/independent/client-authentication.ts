import { constants, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { parseObject } from './format.ts';
import { OAuthError } from './oauth-error.ts';
import type { Service } from './service.ts';
import type { Client } from './types.ts';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** The tolerance, in seconds, for the times in an assertion. */
const LEEWAY = 5;

/** The request has to use exactly one authentication method. */
export function authenticateClient(service: Service, form: URLSearchParams): Client {
  const secret = form.get('client_secret');
  const assertion = form.get('client_assertion');
  const assertionType = form.get('client_assertion_type');
  const both = secret !== null && (assertion !== null || assertionType !== null);
  if (both && service.breach !== 'both-client-authentications') throw new OAuthError('invalid_request');
  const client = service.clients.get(form.get('client_id') ?? '');
  if (client === undefined) throw new OAuthError('invalid_client');
  const authentic =
    client.publicKey === undefined
      ? secret !== null && isSecretValid(secret, client.secret ?? '')
      : assertionType === ASSERTION_TYPE && isAssertionValid(service, client, client.publicKey, assertion ?? '');
  if (!authentic) throw new OAuthError('invalid_client');
  return client;
}

function isSecretValid(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The assertion must contain an expiration time, and its jti, if any, must be new. */
function isAssertionValid(service: Service, client: Client, key: KeyObject, assertion: string): boolean {
  const [header = '', payload = '', signature = '', ...more] = assertion.split('.');
  const decode = (part: string): Record<string, unknown> => parseObject(Buffer.from(part, 'base64url').toString()) ?? {};
  const claims = decode(payload);
  const signed = Buffer.from(`${header}.${payload}`);
  if (more.length > 0 || !isSignatureValid(key, decode(header).alg, signed, Buffer.from(signature, 'base64url'))) return false;
  if (claims.iss !== client.id || claims.sub !== client.id) return false;
  const audiences = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  if (!audiences.includes(service.authUrl) && !audiences.includes(`${service.authUrl}/oauth/token`)) return false;
  const now = Date.now() / 1000;
  if (typeof claims.exp !== 'number' || claims.exp <= now - LEEWAY) return false;
  if (typeof claims.nbf === 'number' && claims.nbf > now + LEEWAY) return false;
  if (claims.jti === undefined) return true;
  const use = `${client.id} ${String(claims.jti)}`;
  if (service.usedAssertions.has(use)) return false;
  service.usedAssertions.add(use);
  return true;
}

function isSignatureValid(key: KeyObject, algorithm: unknown, data: Buffer, signature: Buffer): boolean {
  const type = key.asymmetricKeyType;
  if (algorithm === 'RS256' && type === 'rsa') return verify('sha256', data, key, signature);
  if (algorithm === 'PS256' && type === 'rsa') {
    return verify('sha256', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }, signature);
  }
  if (algorithm === 'ES256' && type === 'ec') return verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature);
  return algorithm === 'EdDSA' && type === 'ed25519' && verify(null, data, key, signature);
}
