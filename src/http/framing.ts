import type { IncomingMessage } from 'node:http';
import { type GateFailure, gateFailure } from '../contract/failure.ts';

/** The largest body that the service accepts. It refuses larger bodies with 413. */
export const MAX_BODY_BYTES = 1_048_576;
/** The largest body that the control API accepts, so that dumps of large worlds can be loaded. */
export const MAX_CONTROL_BODY_BYTES = 256 * 1_048_576;

const malformed = (detail: string): GateFailure => gateFailure('http.malformed-request', detail);

// Counts in rawHeaders, because `headers.host` is the first Host header and hides a second one.
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

// Refuses codings other than `chunked`, because a proxy in front of the kit may frame such a message differently, which allows request smuggling. Node's
// parser itself refuses a Transfer-Encoding beside a Content-Length and one that does not end in `chunked`.
function encodingFailure({ headers, httpVersionMinor }: IncomingMessage): GateFailure | undefined {
  const encoding = headers['transfer-encoding'];
  if (encoding === undefined) return undefined;
  if (encoding.toLowerCase() !== 'chunked') return malformed('The only supported Transfer-Encoding is chunked, given once.');
  return httpVersionMinor === 0 ? malformed('A request of HTTP/1.0 must not have a Transfer-Encoding.') : undefined;
}

function targetFailure({ method, url = '' }: IncomingMessage): GateFailure | undefined {
  const valid = url.charCodeAt(0) === 47 || (url === '*' && method === 'OPTIONS') || /^https?:\/\/[^/?#]/i.test(url);
  return valid && !url.includes('#') ? undefined : gateFailure('http.malformed-path');
}

/**
 * Refuses malformed requests that Node's parser accepts: with a version other than HTTP/1.0 and 1.1, without a Host or with several, with a
 * Transfer-Encoding other than `chunked`, or with a malformed target. The caller must close the connection after a refusal, because it is unclear where
 * the next request starts.
 */
export function framingFailure(req: IncomingMessage): GateFailure | undefined {
  if (req.httpVersionMajor !== 1 || req.httpVersionMinor > 1) return malformed('Only HTTP/1.1 and HTTP/1.0 are supported.');
  const hosts = countHosts(req.rawHeaders);
  if (hosts > 1) return malformed('The request has more than one Host header.');
  if (hosts === 0 && req.httpVersionMinor === 1) return malformed('An HTTP/1.1 request needs a Host header.');
  return encodingFailure(req) ?? targetFailure(req);
}

/** Refuses WebSockets, expectations other than 100-continue, and bodies whose Content-Length is too large. */
export function protocolFailure({ headers, httpVersionMinor }: IncomingMessage, maxBodyBytes: number): GateFailure | undefined {
  // Any other Upgrade is ignored, which RFC 9110, section 7.8, allows, because Java's HttpClient offers h2c with every first request.
  if (headers.upgrade !== undefined && /(?:^|[,\s])websocket/i.test(headers.upgrade)) return gateFailure('http.upgrade-refused');
  const { expect } = headers;
  if (expect !== undefined && httpVersionMinor === 1 && expect.toLowerCase() !== '100-continue')
    return gateFailure('http.expectation-failed');
  // Without this check, the body parser would read a body that is too large to its end before it refuses it.
  return Number(headers['content-length'] ?? 0) > maxBodyBytes ? gateFailure('http.body-too-large') : undefined;
}
