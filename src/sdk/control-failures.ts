import { controlOperations } from '../contract/generated/control-operations.ts';
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

/**
 * Returns the reason why a successful response does not come from a control API, or undefined if it does. Accepts unknown members, because
 * later versions of the control API may add members.
 */
export async function mismatch(method: string, path: string, { status, headers }: Response, body: unknown): Promise<string | undefined> {
  const [id, { statuses }] = operationOf(method, path);
  if (!(statuses as readonly unknown[]).includes(status)) return `it answered with ${status}`;
  // The validator is imported only when it is needed, because the import is slow.
  const { schemaReferences } = await import('../contract/generated/schema-references.ts');
  const reference = (schemaReferences.responses[id] as Readonly<Record<number, string | undefined>>)[status];
  if (reference !== undefined) {
    if (body === undefined) return 'its response is not JSON';
    const { validator } = await import('../contract/validators.ts');
    const error = validator(reference)(body).find(({ keyword }) => keyword === 'type' || keyword === 'required');
    if (error) return `in its response ${error.pointer.slice(1) || 'the body'} ${error.message}`;
  }
  // An empty body matches many schemas, so a response with an empty body also needs the Cache-Control header of the control API. For other
  // bodies, the header is optional, because a proxy may have changed the header.
  const isEmpty = Object.keys(Object(body)).length === 0;
  return isEmpty && headers.get('cache-control') !== 'no-store' ? 'its response has no header Cache-Control: no-store' : undefined;
}

function operationOf(method: string, path: string) {
  const operations = Object.entries(controlOperations) as [keyof typeof controlOperations, (typeof controlOperations)['info']][];
  return operations.find(([, operation]) => operation.method === method.toLowerCase() && operation.paths[0] === path)!;
}
