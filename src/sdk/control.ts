import createClient, { type FetchResponse, type MaybeOptionalInit, type Middleware } from 'openapi-fetch';
import type { paths } from '../contract/generated/control.ts';
import { failure, notXpk, type Server, unreachable, WORDING, type Wording } from './control-failures.ts';
import { UsageError } from './errors.ts';

export { RefusedError } from './errors.ts';

/** The header of every response of the control API. A response without it comes from another server. */
const VERSION_HEADER = 'Xpk-Version';

/**
 * A typed client of the control API. Every call either returns the data of a successful response, or rejects.
 * @example const { data } = await control.GET('/_control/clock');
 */
export interface ControlClient {
  readonly GET: Call<'get'>;
  readonly POST: Call<'post'>;
  readonly PUT: Call<'put'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type PathsWith<M extends Method> = { [Path in keyof paths]: paths[Path] extends { [Key in M]: object } ? Path : never }[keyof paths];
type Call<M extends Method> = <Path extends PathsWith<M>, Init extends MaybeOptionalInit<paths[Path], M>>(
  path: Path,
  ...init: undefined extends Init ? [Init?] : [Init]
) => Promise<{ readonly data: DataOf<paths[Path][M], Init>; readonly response: Response }>;
type DataOf<Operation, Init> =
  Operation extends Record<string | number, unknown>
    ? [Answer<Operation, Init>] extends [never]
      ? undefined
      : Answer<Operation, Init>
    : never;
type Answer<Operation extends Record<string | number, unknown>, Init> = NonNullable<
  FetchResponse<Operation, Init, `${string}/${string}`>['data']
>;

export interface ControlOptions {
  /** The setting `controlToken` of the kit. */
  readonly controlToken?: string | undefined;
  /** The default is the global `fetch` at the time of the call. */
  readonly fetch?: typeof fetch;
  readonly wording?: Partial<Wording>;
}

/**
 * Creates a client of the control API.
 *
 * @param url the base URL of a running kit
 * @throws UsageError if the URL or the control token is malformed
 */
export function controlClient(url: string, options: ControlOptions = {}): ControlClient {
  const wording = { ...WORDING, ...options.wording };
  const server = { url, wording };
  const client = createClient<paths>({
    baseUrl: baseUrl(server),
    redirect: 'manual',
    headers: headersWith(options.controlToken, wording),
    fetch: (request) => fetchWhole(server, request, options.fetch ?? fetch),
  });
  client.use({
    onRequest: ({ params }) => checkParameters(params, wording),
    async onResponse({ response, schemaPath, request }) {
      const body = parse(await response.clone().text());
      if (!response.ok) throw failure(server, response, body);
      if (!response.headers.has(VERSION_HEADER)) {
        const reason = `its response has no header ${VERSION_HEADER} (${request.method} ${schemaPath})`;
        throw new Error(notXpk(server, reason));
      }
    },
  });
  // Every failure has become an error above.
  return client as unknown as ControlClient;
}

/** Returns the data of a successful response. Rejects if the call rejects. */
export async function getResponseData<Data>(call: Promise<{ readonly data?: Data }>): Promise<Exclude<Data, undefined>> {
  return (await call).data as Exclude<Data, undefined>;
}

function baseUrl({ url, wording }: Server): string {
  const parsed = URL.parse(url);
  const { protocol = '', username = '', password = '', search = '', hash = '' } = parsed ?? {};
  // The message does not contain the given URL, because the URL may contain a password.
  if (parsed === null || !/^https?:$/.test(protocol) || username + password + search + hash !== '')
    throw new UsageError(
      `${wording.url} must be an http or https URL without user name, query or fragment, such as http://127.0.0.1:4010.`,
    );
  return parsed.href.replace(/\/+$/, '');
}

function headersWith(controlToken: string | undefined, wording: Wording): Record<string, string> {
  // The control API requires this content type for every request that changes the state, even for requests without a body.
  const headers = { 'content-type': 'application/json', ...(controlToken && { 'x-control-token': controlToken }) };
  try {
    new Headers(headers);
    return headers;
  } catch {
    throw new UsageError(`The control token contains characters that an HTTP header cannot have. ${wording.controlToken}`);
  }
}

/**
 * Refuses path parameters that would select another path. An empty value, such as an unset `$ID`, would select the whole collection. URL
 * parsers remove the segments `.` and `..`.
 */
function checkParameters(params: Parameters<NonNullable<Middleware['onRequest']>>[0]['params'], wording: Wording): void {
  const values = Object.values(params.path ?? {});
  if (values.includes('')) throw new UsageError(`The name or id is empty. ${wording.emptyName}`);
  const dots = values.find((value) => value === '.' || value === '..');
  if (dots !== undefined) throw new UsageError(`"${dots}" cannot be used as a name in a URL. Give the id.`);
}

/**
 * Sends a request and reads the whole response. A failure to read the response results in the same error as a failure to send the request.
 */
async function fetchWhole(server: Server, request: Request, send: typeof fetch): Promise<Response> {
  try {
    const response = await send(request);
    const text = await response.text();
    return new Response(text === '' ? null : text, response);
  } catch (error) {
    throw new Error(unreachable(server, error as Error), { cause: error });
  }
}

/** Returns undefined if the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
