import { type Health, type Problem, RefusedError, UnhealthyError } from './errors.ts';

/** The parts of error messages that depend on how a user gives the URL and the control token. */
export interface Wording {
  /** The name of the URL. */
  readonly url: string;
  /** What to do if the server does not respond. */
  readonly noResponse: string;
  /** What to do if the server is not an xpk instance. */
  readonly notXpk: string;
  /** Where an empty name or id may come from. */
  readonly emptyName: string;
  /** Where the control token comes from. */
  readonly controlToken: string;
}

export const WORDING: Wording = {
  url: 'The URL of a kit',
  noResponse: 'Check that the kit is running.',
  notXpk: 'Give the URL of a kit.',
  emptyName: 'Give a name, an alias or an id.',
  controlToken: 'Give the controlToken that the kit was started with.',
};

export interface Server {
  readonly url: string;
  readonly wording: Wording;
}

/** Says why a request got no response. */
export function unreachable(server: Server, error: Error): string {
  const { url, wording } = server;
  const { code = '', message } = (error.cause ?? error) as NodeJS.ErrnoException;
  // For a host name with several addresses, the error has a code but no message. An OpenSSL error message has several lines, and the first
  // line is sufficient.
  const reason = (message || code).split('\n', 1)[0] as string;
  if (code.startsWith('HPE_') || message.startsWith('Response does not match the HTTP'))
    return notXpk(server, `it does not speak HTTP (${reason})`);
  if (/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/.test(code))
    return `The server at ${url} does not speak https. Try ${url.replace(/^https:/i, 'http:')}`;
  if (/^(?!ERR_SSL_).*(CERT|SIGNATURE)/.test(code))
    return `The certificate of ${url} is not trusted (${reason}). Name a file with its authority in NODE_EXTRA_CA_CERTS.`;
  return `No response from ${url} (${reason}). ${wording.noResponse}`;
}

export function notXpk({ url, wording }: Server, reason: string): string {
  return `The server at ${url} is not an xpk instance: ${reason}. ${wording.notXpk}`;
}

export function failure(server: Server, { status, statusText }: Response, body: unknown): Error {
  const problem = Object(body) as Partial<Problem>;
  const health = Object(body) as Partial<Health>;
  if (status === 503 && health.parts?.database !== undefined) return new UnhealthyError(server.url, health as Health);
  if (typeof problem.title !== 'string') return new Error(notXpk(server, `it answered with ${status} ${statusText}`.trim()));
  // All requests of this client are for paths of the control API. An unknown route therefore means that the server has no control API.
  if (problem.type === '/problems/http.unknown-route') {
    const { origin, pathname } = new URL(server.url);
    const reason = pathname === '/' ? 'the server was started with --no-control' : `try ${origin}, without the path`;
    return new Error(`There is no control API at ${server.url}: ${reason}.`);
  }
  return new RefusedError(server.url, problem as Problem);
}
