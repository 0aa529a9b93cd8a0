import type { IncomingMessage } from 'node:http';
import { createGateFailure, type GateFailure } from '../contract/failure.ts';

/** The maximum body size for the service, in bytes. Larger bodies are refused with 413. */
export const MAX_BODY_BYTES = 1_048_576;
/** The maximum body size for the control API, in bytes. It is large, so that dumps of large worlds can be loaded. */
export const MAX_CONTROL_BODY_BYTES = 256 * 1_048_576;

const refuseMalformed = (detail: string): GateFailure => createGateFailure('http.malformed-request', detail);

// Counts the Host headers in `rawHeaders`, because `headers.host` contains only the first Host header.
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

// Refuses transfer codings other than `chunked`. With another coding, a proxy and the kit could disagree about where a message ends, which
// allows request smuggling. Node's parser already refuses a Transfer-Encoding together with a Content-Length, and a Transfer-Encoding that
// does not end in `chunked`.
function checkTransferEncoding({ headers, httpVersionMinor }: IncomingMessage): GateFailure | undefined {
  const encoding = headers['transfer-encoding'];
  if (encoding === undefined) return undefined;
  if (encoding.toLowerCase() !== 'chunked') return refuseMalformed('The only supported Transfer-Encoding is chunked, sent only once.');
  return httpVersionMinor === 0 ? refuseMalformed('An HTTP/1.0 request must not have a Transfer-Encoding.') : undefined;
}

function checkTarget({ method, url = '' }: IncomingMessage): GateFailure | undefined {
  const valid = url.charCodeAt(0) === 47 || (url === '*' && method === 'OPTIONS') || /^https?:\/\/[^/?#]/i.test(url);
  return valid && !url.includes('#') ? undefined : createGateFailure('http.malformed-path');
}

/**
 * Refuses malformed requests that Node's parser accepts. Such a request has a version other than HTTP/1.0 or HTTP/1.1, no Host header,
 * several Host headers, a Transfer-Encoding other than `chunked`, or a malformed request target. After a refusal, the caller must close the
 * connection, because the start of the next request is unknown.
 */
export function checkFraming(req: IncomingMessage): GateFailure | undefined {
  if (req.httpVersionMajor !== 1 || req.httpVersionMinor > 1) return refuseMalformed('Only HTTP/1.1 and HTTP/1.0 are supported.');
  const hosts = countHosts(req.rawHeaders);
  if (hosts > 1) return refuseMalformed('The request has more than one Host header.');
  if (hosts === 0 && req.httpVersionMinor === 1) return refuseMalformed('An HTTP/1.1 request needs a Host header.');
  return checkTransferEncoding(req) ?? checkTarget(req);
}

/** Refuses WebSocket upgrades, values of Expect other than 100-continue, and a Content-Length that is too large. */
export function checkProtocol({ headers, httpVersionMinor }: IncomingMessage, maxBodyBytes: number): GateFailure | undefined {
  // Upgrades to other protocols are ignored rather than refused, because Java's HttpClient offers h2c in its first request to a server. RFC
  // 9110, section 7.8, allows a server to ignore Upgrade.
  if (headers.upgrade !== undefined && /(?:^|[,\s])websocket/i.test(headers.upgrade)) return createGateFailure('http.upgrade-refused');
  const { expect } = headers;
  if (expect !== undefined && httpVersionMinor === 1 && expect.toLowerCase() !== '100-continue')
    return createGateFailure('http.expectation-failed');
  // The body parser would refuse a body that is too large only after reading the whole body.
  return Number(headers['content-length'] ?? 0) > maxBodyBytes ? createGateFailure('http.body-too-large') : undefined;
}
