import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

interface RequestContents {
  /** The path relative to the issuer, with the query. */
  readonly path?: string;
  readonly form?: URLSearchParams;
}

/** Creates the request that the library handles. Its address is the issuer's, because a proxy may have changed the received address. */
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
    // Makes the library call `renderError` for every error, even at the token endpoint.
    accept: 'text/html',
    ...(body && { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }),
  };
  return Object.assign(Readable.from(body ? [body] : []), {
    method: body ? 'POST' : 'GET',
    url: path,
    // The library derives its mount path from this member.
    originalUrl: pathname + path,
    headers,
    rawHeaders: Object.entries(headers).flatMap(([name, value]) => [name, String(value)]),
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    socket,
  }) as unknown as IncomingMessage;
}
