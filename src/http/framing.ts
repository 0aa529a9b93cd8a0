import type { IncomingMessage } from 'node:http';
import { createGateFailure, type GateFailure } from '../contract/failure.ts';

/** The maximum body size for the service, in bytes. */
export const MAX_BODY_BYTES = 1_048_576;
/** The maximum body size for the control API, in bytes: enough for dumps of large worlds. */
export const MAX_CONTROL_BODY_BYTES = 256 * 1_048_576;

const refuseMalformed = (detail: string): GateFailure => createGateFailure('http.malformed-request', detail);

// `headers.host` contains only the first Host header.
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

// With a transfer coding other than `chunked`, a proxy and this server could disagree about the message's end, which would allow request
// smuggling.
function checkTransferEncoding({ headers, httpVersionMinor }: IncomingMessage): GateFailure | undefined {
  const encoding = headers['transfer-encoding'];
  if (encoding === undefined) return undefined;
  if (encoding.toLowerCase() !== 'chunked') return refuseMalformed('The Transfer-Encoding must be the single value chunked.');
  return httpVersionMinor === 0 ? refuseMalformed('An HTTP/1.0 request must not have a Transfer-Encoding.') : undefined;
}

function checkTarget({ method, url = '' }: IncomingMessage): GateFailure | undefined {
  const valid = url.charCodeAt(0) === 47 || (url === '*' && method === 'OPTIONS') || /^https?:\/\/[^/?#]/i.test(url);
  return valid && !url.includes('#') ? undefined : createGateFailure('http.malformed-path');
}

/** Refuses malformed requests that Node's parser accepts. The caller must then close the connection. */
export function checkFraming(req: IncomingMessage): GateFailure | undefined {
  if (req.httpVersionMajor !== 1 || req.httpVersionMinor > 1) return refuseMalformed('Only HTTP/1.1 and HTTP/1.0 are supported.');
  const hosts = countHosts(req.rawHeaders);
  if (hosts > 1) return refuseMalformed('The request has more than one Host header.');
  if (hosts === 0 && req.httpVersionMinor === 1) return refuseMalformed('An HTTP/1.1 request needs a Host header.');
  return checkTransferEncoding(req) ?? checkTarget(req);
}

export function checkProtocol({ headers, httpVersionMinor }: IncomingMessage, maxBodyBytes: number): GateFailure | undefined {
  // Only WebSocket is refused. Ignore other upgrades (RFC 9110, section 7.8), because Java's HttpClient offers h2c in its first request.
  if (headers.upgrade !== undefined && /(?:^|[,\s])websocket/i.test(headers.upgrade)) return createGateFailure('http.upgrade-refused');
  const { expect } = headers;
  if (expect !== undefined && httpVersionMinor === 1 && expect.toLowerCase() !== '100-continue')
    return createGateFailure('http.expectation-failed');
  // The body parser would refuse a large body only after reading all of it.
  return Number(headers['content-length'] ?? 0) > maxBodyBytes ? createGateFailure('http.body-too-large') : undefined;
}
