import type { IncomingMessage } from 'node:http';
import { type GateFailure, gateFailure } from '../contract/failure.ts';

const malformed = (detail: string): GateFailure => gateFailure('http.malformed-request', detail);

// `headers.host` is the first of them; only rawHeaders shows a second.
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

// A proxy in front may frame such a message differently: that is request smuggling. Beside a Content-Length, or with `chunked` not
// the last, Node's parser refuses it itself.
function encodingFailure({ headers, httpVersionMinor }: IncomingMessage): GateFailure | undefined {
  const encoding = headers['transfer-encoding'];
  if (encoding === undefined) return undefined;
  if (encoding.toLowerCase() !== 'chunked') return malformed('The only Transfer-Encoding understood is chunked, once.');
  return httpVersionMinor === 0 ? malformed('HTTP/1.0 has no Transfer-Encoding.') : undefined;
}

function targetFailure({ method, url = '' }: IncomingMessage): GateFailure | undefined {
  const valid = url.charCodeAt(0) === 47 || (url === '*' && method === 'OPTIONS') || /^https?:\/\/[^/?#]/i.test(url);
  return valid && !url.includes('#') ? undefined : gateFailure('http.malformed-path');
}

/**
 * What Node's parser lets through and we do not: other versions than HTTP/1.0 and 1.1, no Host or several, a Transfer-Encoding
 * other than `chunked`, odd targets. The connection must be closed after a refusal: where the next request starts is in doubt.
 */
export function framingFailure(req: IncomingMessage): GateFailure | undefined {
  if (req.httpVersionMajor !== 1 || req.httpVersionMinor > 1) return malformed('Only HTTP/1.1 and HTTP/1.0 are spoken here.');
  const hosts = countHosts(req.rawHeaders);
  if (hosts > 1) return malformed('The request has more than one Host header.');
  if (hosts === 0 && req.httpVersionMinor === 1) return malformed('An HTTP/1.1 request needs a Host header.');
  return encodingFailure(req) ?? targetFailure(req);
}

/** What a well-framed request asks of the protocol that we do not do: WebSockets, expectations, bodies announced as too large. */
export function protocolFailure({ headers, httpVersionMinor }: IncomingMessage, maxBodyBytes: number): GateFailure | undefined {
  // Any other Upgrade is ignored, as RFC 9110 7.8 allows: Java's HttpClient offers h2c with every first request.
  if (headers.upgrade !== undefined && /(?:^|[,\s])websocket/i.test(headers.upgrade)) return gateFailure('http.upgrade-refused');
  const { expect } = headers;
  if (expect !== undefined && httpVersionMinor === 1 && expect.toLowerCase() !== '100-continue')
    return gateFailure('http.expectation-failed');
  // A body parser reads a too large body to its end before it complains.
  return Number(headers['content-length'] ?? 0) > maxBodyBytes ? gateFailure('http.body-too-large') : undefined;
}
