import { createHmac, sign } from 'node:crypto';
import { stableUuid } from '../clock/ids.ts';
import type { TokenKind } from '../contract/generated/control.ts';
import type { Authority } from './authority.ts';
import { type SigningKey, worldSigningKey } from './keys.ts';

/** What a token says. */
export interface TokenClaims {
  readonly clientId: string;
  /** Who authorized the token; without one it has no principal claim. */
  readonly principalId?: string | undefined;
  readonly scopes: readonly string[];
  /** Kit time in milliseconds since the Unix epoch. */
  readonly issuedAt: number;
  /** Seconds of kit time. */
  readonly expiresIn: number;
  /** The `jti`; a new id when left out. */
  readonly id?: string | undefined;
}

export interface MintRequest extends TokenClaims {
  readonly kind: TokenKind;
}

type Claims = Record<string, unknown>;
type Recipe = (authority: Authority, request: TokenClaims) => string;

/** How long a `not-yet-valid` token has to wait, in seconds of kit time. Its `expiresIn` counts from then. */
export const NOT_YET_VALID_FOR = 3600;

/**
 * The text of an access token: a JWT of the access token profile (RFC 9068), good or broken in exactly one way. The same request with the same `id`
 * gives the same text.
 */
export function mintToken(authority: Authority, request: MintRequest): string {
  return recipes[request.kind](authority, request);
}

/** The payload of a good token, for all that issue them. */
export function accessTokenClaims(authority: Authority, request: TokenClaims): Claims {
  const { clientId, principalId, scopes, issuedAt, expiresIn } = request;
  const claims: Claims = {
    iss: authority.issuer,
    aud: authority.audience,
    sub: principalId ?? clientId,
    client_id: clientId,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    iat: Math.floor(issuedAt / 1000),
    // Not cut to whole seconds (RFC 7519 allows that): the token must work for all of expires_in, and not a moment longer.
    exp: Math.round(issuedAt + expiresIn * 1000) / 1000,
    jti: request.id ?? authority.ids.uuid(),
  };
  if (principalId !== undefined) claims[authority.principalClaim] = principalId;
  return claims;
}

const recipes: Record<TokenKind, Recipe> = {
  good: (authority, request) => signed(authority, accessTokenClaims(authority, request)),
  expired: (authority, request) =>
    signed(authority, accessTokenClaims(authority, { ...request, issuedAt: request.issuedAt - (request.expiresIn + 1) * 1000 })),
  'not-yet-valid': (authority, request) => {
    const claims = accessTokenClaims(authority, { ...request, expiresIn: request.expiresIn + NOT_YET_VALID_FOR });
    return signed(authority, { ...claims, nbf: Math.floor(request.issuedAt / 1000) + NOT_YET_VALID_FOR });
  },
  'wrong-signature': (authority, request) => {
    // Under the kid of the right key, so that it is the signature that gives it away.
    const stranger = { ...worldSigningKey(authority.world, 'stranger'), kid: authority.key.kid };
    return signed(authority, accessTokenClaims(authority, request), stranger);
  },
  'alg-none': (authority, request) => compact({ alg: 'none', typ: 'at+jwt' }, accessTokenClaims(authority, request), () => Buffer.alloc(0)),
  'wrong-algorithm': (authority, request) => {
    // Key confusion: a verifier that believes the header takes the public key, which everybody has, for a shared secret.
    const secret = authority.key.publicKey.export({ format: 'pem', type: 'spki' });
    return compact({ alg: 'HS256', typ: 'at+jwt', kid: authority.key.kid }, accessTokenClaims(authority, request), (input) =>
      createHmac('sha256', secret).update(input).digest(),
    );
  },
  'wrong-issuer': (authority, request) =>
    signed(authority, { ...accessTokenClaims(authority, request), iss: 'https://another-issuer.invalid' }),
  'wrong-audience': (authority, request) =>
    signed(authority, { ...accessTokenClaims(authority, request), aud: 'https://another-api.invalid' }),
  'no-expiry': (authority, request) => signed(authority, without('exp', accessTokenClaims(authority, request))),
  'no-client': (authority, request) => signed(authority, without('client_id', accessTokenClaims(authority, request))),
  'unknown-client': (authority, request) =>
    signed(authority, accessTokenClaims(authority, { ...request, clientId: nobody(authority, 'client') })),
  'unknown-principal': (authority, request) =>
    signed(authority, accessTokenClaims(authority, { ...request, principalId: nobody(authority, 'principal') })),
  'no-principal': (authority, request) => signed(authority, accessTokenClaims(authority, { ...request, principalId: undefined })),
  'malformed-claims': (authority, request) =>
    signed(authority, { ...accessTokenClaims(authority, request), client_id: 42, scope: request.scopes, [authority.principalClaim]: {} }),
  truncated: (authority, request) => signed(authority, accessTokenClaims(authority, request)).slice(0, -20),
  'not-a-jwt': (authority, request) => `opaque-${request.id ?? authority.ids.uuid()}`,
};

/** Every kind there is: what has to cover them all goes over this. */
export const tokenKinds = Object.keys(recipes) as readonly TokenKind[];

function signed(authority: Authority, claims: Claims, key: Pick<SigningKey, 'privateKey' | 'kid'> = authority.key): string {
  return compact({ alg: 'EdDSA', typ: 'at+jwt', kid: key.kid }, claims, (input) => sign(null, input, key.privateKey));
}

/** The compact serialization of a JWS (RFC 7515, section 7.1). By hand, for a library refuses to write the broken ones. */
function compact(header: Claims, claims: Claims, signature: (input: Buffer) => Buffer): string {
  const input = `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(claims))}`;
  return `${input}.${signature(Buffer.from(input)).toString('base64url')}`;
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

function without(claim: string, claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => name !== claim));
}

/** An id that no entity of any world has. */
const nobody = (authority: Authority, kind: string): string => stableUuid(authority.world, `${kind} that is not there`, '', 0);
