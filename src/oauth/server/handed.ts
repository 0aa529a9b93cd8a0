import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** A request as the library gets it. */
export type Handed = IncomingMessage;

interface Contents {
  /** Path below the issuer and query. */
  readonly path?: string;
  readonly form?: URLSearchParams;
}

/**
 * The request that the library is handed instead of the one that came: only what was let through, at the address of the issuer, whatever a proxy made of
 * it. The answer goes to the one who asked.
 */
export function handed(
  { headers: { cookie, accept }, socket }: IncomingMessage,
  issuer: string,
  { path = '/', form }: Contents = {},
): Handed {
  const { host, protocol, pathname } = new URL(issuer);
  const body = form && Buffer.from(form.toString());
  const headers: IncomingHttpHeaders = {
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    ...(cookie !== undefined && { cookie }),
    accept: body ? 'application/json' : (accept ?? '*/*'),
    ...(body && { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }),
  };
  return Object.assign(Readable.from(body ? [body] : []), {
    method: body ? 'POST' : 'GET',
    url: path,
    // The library takes what stands before the url for where it is mounted.
    originalUrl: pathname + path,
    headers,
    rawHeaders: Object.entries(headers).flatMap(([name, value]) => [name, String(value)]),
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    socket,
  }) as unknown as Handed;
}
