import { createHmac, sign } from 'node:crypto';
import { stableUuid } from '../clock/ids.ts';
import type { TokenKind } from '../contract/generated/control.ts';
import type { WorldToken } from '../store/meta.ts';
import { deriveSigningKey, type SigningKey } from './keys.ts';

export interface Authority {
  readonly world: string;
  /** The `iss` claim of minted tokens. Tokens from the authorization server contain its address instead. */
  readonly issuer: string;
  readonly audience: string;
  /** The claim with the principal's id (specification: Authentication, `urn:<vendor>:claims:principal_id`). */
  readonly principalClaim: string;
  readonly key: SigningKey;
}

export interface TokenClaims {
  readonly clientId: string;
  /** If undefined, the token has no principal claim. */
  readonly principalId?: string | undefined;
  readonly scopes: readonly string[];
  /** Kit time, in milliseconds since the Unix epoch. */
  readonly issuedAt: number;
  /** In seconds of kit time. */
  readonly expiresIn: number;
  readonly id: string;
}

export interface MintRequest extends TokenClaims {
  readonly kind: TokenKind;
}

type Claims = Record<string, unknown>;

interface TokenVariation {
  readonly contents?: (request: TokenClaims, authority: Authority) => Partial<TokenClaims>;
  readonly claims?: (request: TokenClaims, authority: Authority) => Claims;
  readonly encode?: (claims: Claims, authority: Authority) => string;
}

/** After this many seconds of kit time, a `not-yet-valid` token becomes valid. */
export const NOT_YET_VALID_SECONDS = 3600;

/** Creates an access token (RFC 9068). Each kind except `good` has exactly one error. */
export function mintToken(authority: Authority, request: MintRequest): string {
  const recipe = TOKEN_VARIATIONS[request.kind];
  const contents = { ...request, ...recipe.contents?.(request, authority) };
  const claims = { ...createAccessTokenClaims(authority, contents), ...recipe.claims?.(request, authority) };
  return recipe.encode ? recipe.encode(claims, authority) : encodeSigned(claims, authority.key);
}

export function createAccessTokenClaims(authority: Authority, request: TokenClaims): Claims {
  const { clientId, principalId, scopes, issuedAt, expiresIn, id } = request;
  return {
    iss: authority.issuer,
    aud: authority.audience,
    sub: principalId ?? clientId,
    client_id: clientId,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    iat: Math.floor(issuedAt / 1000),
    // Not rounded to whole seconds, because the token must be valid for exactly `expires_in` seconds.
    exp: Math.round(issuedAt + expiresIn * 1000) / 1000,
    jti: id,
    ...(principalId !== undefined && { [authority.principalClaim]: principalId }),
  };
}

const TOKEN_VARIATIONS: Record<TokenKind, TokenVariation> = {
  good: {},
  expired: { contents: ({ issuedAt, expiresIn }) => ({ issuedAt: issuedAt - (expiresIn + 1) * 1000 }) },
  'not-yet-valid': {
    contents: ({ expiresIn }) => ({ expiresIn: expiresIn + NOT_YET_VALID_SECONDS }),
    claims: ({ issuedAt }) => ({ nbf: Math.floor(issuedAt / 1000) + NOT_YET_VALID_SECONDS }),
  },
  'wrong-signature': {
    // The kid is correct, so only the signature is wrong.
    encode: (claims, { world, key }) => encodeSigned(claims, { ...deriveSigningKey(world, 'stranger'), kid: key.kid }),
  },
  'alg-none': { encode: (claims) => encodeCompact({ alg: 'none', typ: 'at+jwt' }, claims, () => Buffer.alloc(0)) },
  'wrong-algorithm': {
    // A verifier that trusts the header would use the public key as a shared secret.
    encode(claims, { key }) {
      const hmac = createHmac('sha256', key.publicKey.export({ format: 'pem', type: 'spki' }));
      return encodeCompact({ alg: 'HS256', typ: 'at+jwt', kid: key.kid }, claims, (input) => hmac.update(input).digest());
    },
  },
  'wrong-issuer': { claims: () => ({ iss: 'https://another-issuer.invalid' }) },
  'wrong-audience': { claims: () => ({ aud: 'https://another-api.invalid' }) },
  'no-expiry': { claims: () => ({ exp: undefined }) },
  'no-client': { claims: () => ({ client_id: undefined }) },
  'unknown-client': { contents: (_, { world }) => ({ clientId: createUnknownId(world, 'client') }) },
  'unknown-principal': { contents: (_, { world }) => ({ principalId: createUnknownId(world, 'principal') }) },
  'no-principal': { contents: () => ({ principalId: undefined }) },
  'malformed-claims': { claims: ({ scopes }, { principalClaim }) => ({ client_id: 42, scope: scopes, [principalClaim]: {} }) },
  truncated: { encode: (claims, { key }) => encodeSigned(claims, key).slice(0, -20) },
  'not-a-jwt': { encode: ({ jti }) => `opaque-${jti}` },
};

const encodeSigned = (claims: Claims, { privateKey, kid }: Pick<SigningKey, 'privateKey' | 'kid'>): string =>
  encodeCompact({ alg: 'EdDSA', typ: 'at+jwt', kid }, claims, (input) => sign(null, input, privateKey));

/** Returns a JWS in compact serialization (RFC 7515, section 7.1). Uses no library, because libraries refuse to create invalid tokens. */
function encodeCompact(header: Claims, claims: Claims, signature: (input: Buffer) => Buffer): string {
  const input = `${toBase64url(JSON.stringify(header))}.${toBase64url(JSON.stringify(claims))}`;
  return `${input}.${signature(Buffer.from(input)).toString('base64url')}`;
}

const toBase64url = (text: string): string => Buffer.from(text).toString('base64url');

const createUnknownId = (world: string, kind: string): string => stableUuid(world, `${kind} that is not there`, '', 0);

/** Kit time, in milliseconds since the Unix epoch. */
export const READY_MADE_TOKENS_EXPIRE_AT_MS = Date.UTC(2036, 0, 1);

/**
 * Returns a world's ready-made tokens, by name. Users store them in `.env` files, so they are the same at each start.
 * @param epoch milliseconds since the Unix epoch
 */
export function mintReadyMadeTokens(
  authority: Authority,
  epoch: number,
  tokens: Readonly<Record<string, WorldToken>>,
): Record<string, string> {
  const expiresIn = (READY_MADE_TOKENS_EXPIRE_AT_MS - epoch) / 1000;
  return Object.fromEntries(
    Object.entries(tokens).map(([name, { clientId, principalId, scopes }]) => {
      // The order of the scopes in the world must not change the token.
      const sorted = [...new Set(scopes)].sort();
      const id = `ready:${name}`;
      return [name, mintToken(authority, { kind: 'good', clientId, principalId, scopes: sorted, issuedAt: epoch, expiresIn, id })];
    }),
  );
}
