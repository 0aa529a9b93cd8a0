import { type Health, type Problem, RefusedError, UnhealthyError } from './errors.ts';

/** The parts of error messages that differ between the test API and the command line. */
export interface ErrorWording {
  /** How messages refer to the URL, such as `--url`. */
  readonly url: string;
  /** What to do if the server does not respond. */
  readonly noResponse: string;
  /** What to do if the server is not an xpk instance. */
  readonly notXpk: string;
  /** What to do about an empty name or id. */
  readonly emptyName: string;
  /** Where to find the control token. */
  readonly controlToken: string;
}

export const DEFAULT_WORDING: ErrorWording = {
  url: "The kit's URL",
  noResponse: 'Check that the kit is running.',
  notXpk: 'Use the URL of a running kit.',
  emptyName: 'Pass a name, an alias or an id.',
  controlToken: 'Pass the controlToken that the kit was started with.',
};

export interface ControlServer {
  readonly url: string;
  readonly wording: ErrorWording;
}

export function describeUnreachable(server: ControlServer, error: Error): string {
  const { url, wording } = server;
  const { code = '', message } = (error.cause ?? error) as NodeJS.ErrnoException;
  // The message is empty for a host with several addresses, and has several lines if it comes from OpenSSL.
  const reason = (message || code).split('\n', 1)[0] as string;
  if (code.startsWith('HPE_') || message.startsWith('Response does not match the HTTP'))
    return describeWrongServer(server, `it does not speak HTTP (${reason})`);
  if (/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/.test(code))
    return `The server at ${url} does not speak https. Try ${url.replace(/^https:/i, 'http:')}`;
  if (/^(?!ERR_SSL_).*(CERT|SIGNATURE)/.test(code))
    return `The certificate of ${url} is not trusted (${reason}). Set NODE_EXTRA_CA_CERTS to a file with the issuer's certificate.`;
  return `No response from ${url} (${reason}). ${wording.noResponse}`;
}

export function describeWrongServer({ url, wording }: ControlServer, reason: string): string {
  return `The server at ${url} is not an xpk instance: ${reason}. ${wording.notXpk}`;
}

/** @param fromControlApi whether a control API has sent the response. Before it, a kit refuses, for example, an unknown Host */
export function createResponseError(
  server: ControlServer,
  { status, statusText }: Response,
  body: unknown,
  fromControlApi: boolean,
): Error {
  const problem = Object(body) as Partial<Problem>;
  const health = Object(body) as Partial<Health>;
  if (status === 503 && health.parts?.database !== undefined) return new UnhealthyError(server.url, health as Health);
  // Other services send problems, too.
  if (typeof problem.title !== 'string' || (!fromControlApi && !problem.type?.startsWith('/problems/http.')))
    return new Error(describeWrongServer(server, `it has no control API, and responded with ${status} ${statusText}`.trim()));
  // The client requests only paths of the control API, so an unknown path means that the server has no control API.
  if (problem.type === '/problems/http.unknown-route') {
    const { origin, pathname } = new URL(server.url);
    const reason = pathname === '/' ? 'the server was started with --no-control' : `try ${origin}, without the path`;
    return new Error(`There is no control API at ${server.url}: ${reason}.`);
  }
  return new RefusedError(server.url, problem as Problem);
}
