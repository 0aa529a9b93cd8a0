import createClient, { type FetchResponse, type MaybeOptionalInit, type Middleware } from 'openapi-fetch';
import type { paths } from '../contract/generated/control.ts';
import { fetchWhole } from '../contract/limited-body.ts';
import { UsageError } from './errors.ts';
import {
  type ControlServer,
  createResponseError,
  DEFAULT_WORDING,
  describeUnreachable,
  describeWrongServer,
  type ErrorWording,
} from './failures.ts';

export { RefusedError } from './errors.ts';

/** Every control API response has this header, which no other server sends. */
const VERSION_HEADER = 'Xpk-Version';

/**
 * A typed control API client. A call rejects if the response is not successful.
 * @example const { data } = await control.GET('/_control/clock');
 */
export interface ControlClient {
  readonly GET: ControlCall<'get'>;
  readonly POST: ControlCall<'post'>;
  readonly PUT: ControlCall<'put'>;
  readonly PATCH: ControlCall<'patch'>;
  readonly DELETE: ControlCall<'delete'>;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type PathsWith<M extends Method> = { [Path in keyof paths]: paths[Path] extends { [Key in M]: object } ? Path : never }[keyof paths];
type ControlCall<M extends Method> = <Path extends PathsWith<M>, Init extends MaybeOptionalInit<paths[Path], M>>(
  path: Path,
  ...init: undefined extends Init ? [Init?] : [Init]
) => Promise<{ readonly data: ResponseData<paths[Path][M], Init>; readonly response: Response }>;
type ResponseData<Operation, Init> =
  Operation extends Record<string | number, unknown>
    ? [ResponseBody<Operation, Init>] extends [never]
      ? undefined
      : ResponseBody<Operation, Init>
    : never;
type ResponseBody<Operation extends Record<string | number, unknown>, Init> = NonNullable<
  FetchResponse<Operation, Init, `${string}/${string}`>['data']
>;

export interface ControlOptions {
  readonly controlToken?: string | undefined;
  /** Whether the kit keeps each change to the world, so that it can be undone. */
  readonly undoable?: boolean;
  /** The default is the global `fetch` at the time of the call. */
  readonly fetch?: typeof fetch;
  readonly wording?: Partial<ErrorWording>;
}

/** @throws UsageError if the URL or the control token is malformed */
export function createControlClient(url: string, options: ControlOptions = {}): ControlClient {
  const wording = { ...DEFAULT_WORDING, ...options.wording };
  const server = { url, wording };
  const client = createClient<paths>({
    baseUrl: parseBaseUrl(server),
    redirect: 'manual',
    headers: { ...createHeaders(options.controlToken, wording), ...(options.undoable && { 'xpk-undoable': 'true' }) },
    fetch: (request) => fetchWholeResponse(server, request, options.fetch),
  });
  client.use({
    onRequest: ({ params }) => checkParameters(params, wording),
    async onResponse({ response, schemaPath, request }) {
      const body = parseJson(await response.clone().text());
      // Imported only when needed, so that commands start faster.
      const mismatch = (await import('./response-shape.ts')).findMismatch(request.method, schemaPath, response, body);
      const version = response.headers.get(VERSION_HEADER);
      if (!response.ok) throw createResponseError(server, response, mismatch === undefined ? body : undefined, version !== null);
      if (version === null) {
        const reason = `its response has no ${VERSION_HEADER} header (${request.method} ${schemaPath})`;
        throw new Error(describeWrongServer(server, reason));
      }
      if (mismatch !== undefined)
        throw new Error(
          `The response of ${server.url} to ${request.method} ${schemaPath} is not as documented: ${mismatch}. The server's ${VERSION_HEADER} is ${version}. ${wording.notXpk}`,
        );
    },
  });
  // `onResponse` throws for every response without data.
  return client as unknown as ControlClient;
}

export async function getResponseData<Data>(call: Promise<{ readonly data?: Data }>): Promise<Exclude<Data, undefined>> {
  return (await call).data as Exclude<Data, undefined>;
}

function parseBaseUrl({ url, wording }: ControlServer): string {
  const parsed = URL.parse(url);
  const { protocol = '', username = '', password = '', search = '', hash = '' } = parsed ?? {};
  // The message must not contain the URL, which may contain a password.
  if (parsed === null || !/^https?:$/.test(protocol) || username + password + search + hash !== '')
    throw new UsageError(
      `${wording.url} must be an http or https URL without user name, query or fragment, such as http://127.0.0.1:4010.`,
    );
  return parsed.href.replace(/\/+$/, '');
}

function createHeaders(controlToken: string | undefined, wording: ErrorWording): Record<string, string> {
  // The control API requires this content type for every change, even without a body.
  const headers = { 'content-type': 'application/json', ...(controlToken && { 'x-control-token': controlToken }) };
  try {
    new Headers(headers);
    return headers;
  } catch {
    throw new UsageError(`The control token contains characters that are not allowed in an HTTP header. ${wording.controlToken}`);
  }
}

/** Refuses an empty path parameter, `.` and `..`, because they would change the URL's path. */
function checkParameters(params: Parameters<NonNullable<Middleware['onRequest']>>[0]['params'], wording: ErrorWording): void {
  const values = Object.values(params.path ?? {});
  if (values.includes('')) throw new UsageError(`The name or id is empty. ${wording.emptyName}`);
  const dots = values.find((value) => value === '.' || value === '..');
  if (dots !== undefined) throw new UsageError(`"${dots}" cannot be used as a name in a URL. Use the id.`);
}

/** A response may contain a whole world, and some calls wait for up to four minutes. */
const LIMITS = { maxBytes: 256_000_000, timeoutMs: 300_000 };

/** Reads the whole response, so that a connection that is lost meanwhile causes the same error as an unreachable server. */
async function fetchWholeResponse(server: ControlServer, request: Request, send: typeof fetch = fetch): Promise<Response> {
  try {
    return await fetchWhole(request, {}, { ...LIMITS, fetch: send });
  } catch (error) {
    throw new Error(describeUnreachable(server, error as Error), { cause: error });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
