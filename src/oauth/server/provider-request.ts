import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

interface RequestContents {
  /** The path relative to the issuer, with the query. */
  readonly path?: string;
  readonly form?: URLSearchParams;
}

/**
 * Creates a request for the library from the received request. The new request has only the given contents. Its address is always the
 * issuer's address, even if a proxy has changed the received request's address. The library writes the response to the original response
 * object.
 */
export function createProviderRequest(
  { headers: { cookie, authorization }, socket }: IncomingMessage,
  issuer: string,
  { path = '/', form }: RequestContents = {},
): IncomingMessage {
  const { host, protocol, pathname } = new URL(issuer);
  const body = form && Buffer.from(form.toString());
  const headers: IncomingHttpHeaders = {
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    ...(cookie !== undefined && { cookie }),
    ...(authorization !== undefined && { authorization }),
    // With this header, the library calls `renderError` for every error, even at the token endpoint.
    accept: 'text/html',
    ...(body && { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }),
  };
  return Object.assign(Readable.from(body ? [body] : []), {
    method: body ? 'POST' : 'GET',
    url: path,
    // The path where the library is mounted, followed by `url`. The library derives the mount path from this member.
    originalUrl: pathname + path,
    headers,
    rawHeaders: Object.entries(headers).flatMap(([name, value]) => [name, String(value)]),
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    socket,
  }) as unknown as IncomingMessage;
}
