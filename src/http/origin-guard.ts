import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type GateFailure, gateFailure } from '../contract/failure.ts';

/** Judges a request to the control API. The Host must have passed the host guard before. */
export type OriginGuard = (request: Pick<IncomingMessage, 'method' | 'headers'>) => GateFailure | undefined;

export interface OriginGuardOptions {
  /** Asked for as `Authorization: Bearer <token>` or `X-Control-Token: <token>`; without it nothing is asked. */
  readonly token?: string | undefined;
  /** Its origin is ours, besides the one that the Host names. */
  readonly publicUrl?: string | undefined;
  /** Origins of other pages that may use the control API. */
  readonly allow?: readonly string[];
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;
const BEARER = /^Bearer +(\S+) *$/i;

/** Is this the origin of the page that the Host itself serves? TLS may end before us, so the scheme is the origin's own. */
function isOwn(origin: string, host: string | undefined): boolean {
  if (host === undefined || !/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  const { protocol, host: asked } = new URL(origin);
  const own = `${protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === asked;
}

function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Equal digests instead of equal texts: the time taken tells nothing of the token, not even its length. */
function sameSecret(given: string, digest: Buffer): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), digest);
}

function foreignOrigin(origin: string): string {
  const refused = `Pages of the origin ${JSON.stringify(origin)} may not use the control API`;
  return /^https?:/.test(origin) ? `${refused}; start the service with --allow-origin ${origin} to allow them.` : `${refused}.`;
}

/**
 * The guard of the control API: no page of another origin reads or changes the kit unless it is allowed. `null` origins, foreign origins and
 * cross-site or same-site fetches are refused (403), then a missing or wrong token (401), then mutations other than
 * application/json (415). Methods that a page cannot send without preflight may come without body and content type.
 */
export function createOriginGuard({ token, publicUrl, allow = [] }: OriginGuardOptions = {}): OriginGuard {
  const digest = token === undefined ? undefined : hash('sha256', token, 'buffer');
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;

  return ({ method = 'GET', headers }) => {
    const { origin } = headers;
    const allowed = origin !== undefined && allow.includes(origin);
    if (origin !== undefined && !allowed && origin !== publicOrigin && !isOwn(origin, headers.host)) {
      return gateFailure('http.foreign-origin', foreignOrigin(origin));
    }
    const site = headers['sec-fetch-site'];
    if (!allowed && site !== undefined && site !== 'same-origin' && site !== 'none') {
      return gateFailure('http.foreign-origin', 'A browser says that the request comes from another site (Sec-Fetch-Site).');
    }
    if (digest !== undefined) {
      const own = headers['x-control-token'];
      const given = typeof own === 'string' ? own : BEARER.exec(headers.authorization ?? '')?.[1];
      if (given === undefined || !sameSecret(given, digest)) {
        const detail =
          given === undefined
            ? 'The control API of this kit requires its control token, and none was sent. Send it in the header x-control-token (xpk: --control-token or XPK_CONTROL_TOKEN).'
            : 'The control token that was sent is not the one the kit was started with.';
        return gateFailure('http.control-token-required', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="control"' } });
      }
    }
    if (READS.has(method)) return undefined;
    const type = headers['content-type'];
    const bare = type === undefined && method !== 'POST' && !hasBody(headers);
    if (bare || JSON_TYPE.test(type ?? '')) return undefined;
    return gateFailure('http.unsupported-media-type', 'The control API is changed with Content-Type: application/json only.');
  };
}
