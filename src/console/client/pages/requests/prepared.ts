import { control, dataOf, type JournalEntry, kitUrl, type Schemas } from '../../kit/control.ts';

/** A request that can be sent. */
export interface Prepared {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

type Edit = Schemas['ExplainedRequest'];

/** Headers that the browser or curl sets itself, or that belong to the one request. The journal has no secrets, so a new token is minted. */
const OWN =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|authorization|cookie|origin|referer|user-agent|traceparent|tracestate|expect|sec-.*|priority)$/;

/**
 * Prepares a request of the journal for another sending. Mints an access token of the same client, principal and scopes.
 * @param edit the parts of the request to change
 * @throws Error if the journal does not contain what is needed
 */
export async function prepare(entry: JournalEntry, edit: Edit = {}): Promise<Prepared> {
  const reason = reasonAgainst(entry);
  if (reason !== undefined) throw new Error(reason);
  const { headers = {}, body: sent } = entry.request ?? { headers: {} };
  const body = edit.body === undefined ? sent : edit.body;
  const method = edit.method ?? entry.method;
  const token = await accessToken(entry, edit.token);
  return {
    method,
    url: `${kitUrl}${edit.path ?? entry.path}`,
    headers: {
      ...Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.test(name))),
      ...edit.headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    // A browser sends no body with these methods.
    body: body === undefined || method === 'GET' || method === 'HEAD' ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** Says why a request cannot be sent again; undefined if it can. */
export function reasonAgainst({ door, request }: JournalEntry): string | undefined {
  if (door === 'authorization')
    return 'The journal keeps no codes and secrets, so a request to the authorization server cannot be sent again.';
  if (request?.truncated) return 'The journal has only the first 16 KiB of the body, so the request cannot be sent again.';
  return undefined;
}

async function accessToken({ credential }: JournalEntry, given: Schemas['TokenRequest'] | undefined): Promise<string | undefined> {
  if (given === undefined && credential === undefined) return undefined;
  const request = given ?? tokenLike(credential);
  // Any text is refused in the same way as a token that the kit could not read.
  return request === undefined ? 'unreadable' : (await dataOf(control.POST('/_control/tokens', { body: request }))).accessToken;
}

function tokenLike(credential: JournalEntry['credential']): Schemas['TokenRequest'] | undefined {
  const { clientId, principalId, scopes, problem } = credential ?? {};
  if (clientId === undefined || (problem !== undefined && !/expired|scope/.test(problem))) return undefined;
  return {
    client: clientId,
    ...(principalId !== undefined && { principal: principalId }),
    ...(scopes && { scopes: scopes as NonNullable<Schemas['TokenRequest']['scopes']> }),
    ...(problem?.includes('expired') && { kind: 'expired' }),
  };
}

const hex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Sends a request. @returns the trace id of its journal entry */
export async function sendPrepared({ method, url, headers, body }: Prepared): Promise<string> {
  const traceId = hex(16);
  const traceparent = `00-${traceId}-${hex(8)}-01`;
  const init = { method, headers: { ...headers, traceparent }, redirect: 'manual', cache: 'no-store' } as const;
  // A fault may end the connection without a response. The journal has this request, too.
  await fetch(url, { ...init, ...(body !== undefined && { body }) })
    .then((response) => response.arrayBuffer())
    .catch(() => {});
  return traceId;
}

/** Formats a request as a curl command. */
export function curlOf({ method, url, headers, body }: Prepared): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}
