import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { components, paths } from '../contract/generated/control.ts';
import { controlOperations } from '../contract/generated/control-operations.ts';
import { UsageError } from './usage-error.ts';

export const DEFAULT_URL = 'http://127.0.0.1:4010';

/** A typed client of the control API. It throws an Error for every failure, so every response has `data`. */
export type ControlClient = Client<paths>;

type Problem = components['schemas']['Problem'];

/** The error if the control API responds with a problem document. */
export class RefusedError extends Error {
  /** The name is `UsageError` if the control API reports an invalid request, because the command line has caused the request. */
  override readonly name: 'UsageError' | 'RefusedError';
  /** The type of the problem, such as `/problems/control.not-found`. */
  readonly type: string;
  /** The detail of the problem. In contrast to `message`, it does not contain the URL of the server. */
  readonly detail: string;

  constructor(url: string, { type = '', title, detail = title, errors = [] }: Problem) {
    // The first error is omitted, because `detail` already contains the first error.
    const others = (errors as { pointer: string; message: string }[]).slice(1).map(({ pointer, message }) => `\n  ${pointer}: ${message}`);
    super(`${url} refused: ${detail}${others.join('')}`);
    this.name = type === '/problems/control.invalid' ? 'UsageError' : 'RefusedError';
    this.type = type;
    this.detail = detail;
  }
}

/**
 * Creates a client of the control API.
 *
 * @param url the base URL of a running kit
 * @throws UsageError if the URL or the control token is malformed
 */
export function controlClient(url: string, controlToken?: string): ControlClient {
  const client = createClient<paths>({
    baseUrl: baseUrl(url),
    redirect: 'manual',
    headers: headersWith(controlToken),
    fetch: (request) => fetchWhole(url, request),
  });
  client.use({ onRequest: checkParameters, onResponse: ({ response, schemaPath, request }) => check(url, request, schemaPath, response) });
  return client;
}

/** Returns the data of a successful response. Rejects if the call rejects. */
export async function dataOf<Data>(call: Promise<{ data?: Data }>): Promise<Exclude<Data, undefined>> {
  return (await call).data as Exclude<Data, undefined>;
}

function baseUrl(url: string): string {
  const parsed = URL.parse(url);
  const { protocol = '', username = '', password = '', search = '', hash = '' } = parsed ?? {};
  // The message does not contain the given URL, because the URL may contain a password.
  if (parsed === null || !/^https?:$/.test(protocol) || username + password + search + hash !== '')
    throw new UsageError(`--url must be an http or https URL without user name, query or fragment, such as ${DEFAULT_URL}.`);
  return parsed.href.replace(/\/+$/, '');
}

function headersWith(controlToken: string | undefined): Record<string, string> {
  // The control API requires this content type for every request that changes the state, even for requests without a body.
  const headers = { 'content-type': 'application/json', ...(controlToken && { 'x-control-token': controlToken }) };
  try {
    new Headers(headers);
    return headers;
  } catch {
    throw new UsageError(
      'The control token contains characters that an HTTP header cannot have. See --control-token and XPK_CONTROL_TOKEN.',
    );
  }
}

/**
 * Refuses path parameters that would select another path. An empty value, such as an unset `$ID`, would select the whole collection. URL
 * parsers remove the segments `.` and `..`.
 */
const checkParameters: NonNullable<Middleware['onRequest']> = ({ params }) => {
  const values = Object.values(params.path ?? {});
  if (values.includes('')) throw new UsageError('The name or id is empty. Check that all shell variables in the command are set.');
  const dots = values.find((value) => value === '.' || value === '..');
  if (dots !== undefined) throw new UsageError(`"${dots}" cannot be used as a name in a URL. Give the id.`);
};

/**
 * Sends a request and reads the whole response. A failure to read the response results in the same error as a failure to send the request.
 */
async function fetchWhole(url: string, request: Request): Promise<Response> {
  try {
    const response = await fetch(request);
    const text = await response.text();
    return new Response(text === '' ? null : text, response);
  } catch (error) {
    throw new Error(unreachable(url, error as Error));
  }
}

function unreachable(url: string, error: Error): string {
  const { code = '', message } = (error.cause ?? error) as NodeJS.ErrnoException;
  // For a host name with several addresses, the error has a code but no message. An OpenSSL error message has several lines, and the first
  // line is sufficient.
  const reason = (message || code).split('\n', 1)[0] as string;
  if (code.startsWith('HPE_') || message.startsWith('Response does not match the HTTP'))
    return notXpk(url, `it does not speak HTTP (${reason})`);
  if (/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/.test(code))
    return `The server at ${url} does not speak https. Try ${url.replace(/^https:/i, 'http:')}`;
  if (/^(?!ERR_SSL_).*(CERT|SIGNATURE)/.test(code))
    return `The certificate of ${url} is not trusted (${reason}). Name a file with its authority in NODE_EXTRA_CA_CERTS.`;
  return `No response from ${url} (${reason}). Start a server with: xpk start. If it runs elsewhere, give its address with --url or XPK_URL.`;
}

function notXpk(url: string, reason: string): string {
  return `The server at ${url} is not an xpk instance: ${reason}. Give the address of one with --url, or start one with: xpk start`;
}

/** Throws an error for an error status, and for a 2xx response that does not come from a control API. */
async function check(url: string, request: Request, path: string, response: Response): Promise<void> {
  const body = parse(await response.clone().text());
  if (!response.ok) throw failure(url, response, body);
  const reason = await mismatch(request.method, path, response, body);
  if (reason !== undefined) throw new Error(notXpk(url, `${reason} (${request.method} ${path})`));
}

function failure(url: string, { status, statusText }: Response, body: unknown): Error {
  const problem = Object(body) as Partial<Problem>;
  if (typeof problem.title !== 'string') return new Error(notXpk(url, `it answered with ${status} ${statusText}`.trim()));
  // All requests of this client are for paths of the control API. An unknown route therefore means that the server has no control API.
  if (problem.type === '/problems/http.unknown-route') {
    const { origin, pathname } = new URL(url);
    const reason = pathname === '/' ? 'the server was started with --no-control' : `try ${origin}, without the path`;
    return new Error(`There is no control API at ${url}: ${reason}.`);
  }
  return new RefusedError(url, problem as Problem);
}

/**
 * Returns the reason why a successful response does not come from a control API, or undefined if it does. Accepts unknown members, because
 * later versions of the control API may add members.
 */
async function mismatch(method: string, path: string, { status, headers }: Response, body: unknown): Promise<string | undefined> {
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

/** Returns undefined if the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
