import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createGateFailure, type GateFailure } from '../contract/failure.ts';

/** The host guard must check the Host header first. */
export type OriginGuard = (request: Pick<IncomingMessage, 'method' | 'headers'>) => GateFailure | undefined;

export interface OriginGuardOptions {
  /** If a token is set, requests must send `Authorization: Bearer <token>` or `X-Control-Token: <token>`. */
  readonly token?: string | undefined;
  /** Web pages with this URL's origin may use the control API. So may web pages with the Host header's host and port. */
  readonly publicUrl?: string | undefined;
  readonly allow?: readonly string[];
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;
const BEARER_TOKEN = /^Bearer +(\S+) *$/i;

/** Whether an origin has the Host header's host and port. The scheme is not compared, because a proxy may have changed it. */
function isSameHost(origin: string, host: string | undefined): boolean {
  if (host === undefined || !/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  const { protocol, host: originHost } = new URL(origin);
  const own = `${protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === originHost;
}

function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Compares digests, so that the duration reveals nothing about the token. */
function matchesDigest(given: string, digest: Buffer): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), digest);
}

function describeForeignOrigin(origin: string): string {
  const refused = `Pages of the origin ${JSON.stringify(origin)} may not use the control API`;
  return /^https?:/.test(origin) ? `${refused}; start the service with --allow-origin ${origin} to allow them.` : `${refused}.`;
}

/** Bodies and POST requests must be JSON, because browsers send JSON to another origin only after a preflight. */
export function createOriginGuard({ token, publicUrl, allow = [] }: OriginGuardOptions = {}): OriginGuard {
  const digest = token === undefined ? undefined : hash('sha256', token, 'buffer');
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;

  return ({ method = 'GET', headers }) => {
    const { origin } = headers;
    const allowed = origin !== undefined && allow.includes(origin);
    if (origin !== undefined && !allowed && origin !== publicOrigin && !isSameHost(origin, headers.host)) {
      return createGateFailure('http.foreign-origin', describeForeignOrigin(origin));
    }
    const site = headers['sec-fetch-site'];
    if (!allowed && site !== undefined && site !== 'same-origin' && site !== 'none') {
      return createGateFailure('http.foreign-origin', 'The browser reports that the request comes from another site (Sec-Fetch-Site).');
    }
    if (digest !== undefined) {
      const own = headers['x-control-token'];
      const given = typeof own === 'string' ? own : BEARER_TOKEN.exec(headers.authorization ?? '')?.[1];
      if (given === undefined || !matchesDigest(given, digest)) {
        const detail =
          given === undefined
            ? "This kit's control API requires the control token. Send the token in the header x-control-token (xpk: --control-token or XPK_CONTROL_TOKEN)."
            : "The control token in the request is not this kit's control token.";
        return createGateFailure('http.control-token-required', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="control"' } });
      }
    }
    if (SAFE_METHODS.has(method)) return undefined;
    const type = headers['content-type'];
    const bare = type === undefined && method !== 'POST' && !hasBody(headers);
    if (bare || JSON_TYPE.test(type ?? '')) return undefined;
    return createGateFailure(
      'http.unsupported-media-type',
      'Requests that change something through the control API need Content-Type: application/json.',
    );
  };
}
