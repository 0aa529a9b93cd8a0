import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

interface Contents {
  /** Path below the issuer, with the query. */
  readonly path?: string;
  readonly form?: URLSearchParams;
}

/**
 * Creates the request for the library from the one that was received. It has only permitted contents and the address of the issuer, whatever a proxy
 * changed. The response goes to the original client.
 */
export function providerRequest(
  { headers: { cookie, authorization }, socket }: IncomingMessage,
  issuer: string,
  { path = '/', form }: Contents = {},
): IncomingMessage {
  const { host, protocol, pathname } = new URL(issuer);
  const body = form && Buffer.from(form.toString());
  const headers: IncomingHttpHeaders = {
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    ...(cookie !== undefined && { cookie }),
    ...(authorization !== undefined && { authorization }),
    // So that the library renders every error with our function, also at the token endpoint.
    accept: 'text/html',
    ...(body && { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }),
  };
  return Object.assign(Readable.from(body ? [body] : []), {
    method: body ? 'POST' : 'GET',
    url: path,
    // The library takes the part before `url` as the path where it is mounted.
    originalUrl: pathname + path,
    headers,
    rawHeaders: Object.entries(headers).flatMap(([name, value]) => [name, String(value)]),
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    socket,
  }) as unknown as IncomingMessage;
}
