import { call, type JournalEntry, kitUrl, type Schemas } from '../../kit/control.ts';

interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

type RequestEdit = Schemas['ExplainedRequest'];
type Credential = NonNullable<JournalEntry['credential']>;

/** Headers that the browser or curl sets, or that are valid only once. */
const OMITTED_HEADERS =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|authorization|cookie|origin|referer|user-agent|traceparent|tracestate|expect|sec-.*|priority)$/;

/**
 * Mints a token, because the journal contains no secrets.
 * @throws Error if the journal lacks a part of the request
 */
export async function prepareRequest(entry: JournalEntry, edit: RequestEdit = {}): Promise<PreparedRequest> {
  const reason = findResendObstacle(entry);
  if (reason !== undefined) throw new Error(reason);
  const { headers = {}, body: sent } = entry.request ?? { headers: {} };
  const body = edit.body === undefined ? sent : edit.body;
  const method = edit.method ?? entry.method;
  const token = await mintAccessToken(entry, edit.token);
  return {
    method,
    url: `${kitUrl}${edit.path ?? entry.path}`,
    headers: {
      ...Object.fromEntries(Object.entries(headers).filter(([name]) => !OMITTED_HEADERS.test(name))),
      ...edit.headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    // Browsers send no body with these methods.
    body: body === undefined || method === 'GET' || method === 'HEAD' ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** Returns why a request cannot be sent again, or undefined if it can. */
export function findResendObstacle({ door, request }: JournalEntry): string | undefined {
  if (door === 'authorization')
    return 'The journal does not store codes or secrets, so a request to the authorization server cannot be sent again.';
  if (request?.truncated) return 'The journal has only the first 16 KiB of the body, so the request cannot be sent again.';
  return undefined;
}

async function mintAccessToken({ credential }: JournalEntry, requested: Schemas['TokenRequest'] | undefined): Promise<string | undefined> {
  if (requested === undefined && credential === undefined) return undefined;
  const request = requested ?? createTokenRequest(credential!);
  // The journal does not store malformed tokens, so send another malformed token, which gets the same response.
  return request === undefined ? 'unreadable' : (await call('mintToken', request)).accessToken;
}

function createTokenRequest({ clientId, principalId, scopes, problem }: Credential): Schemas['TokenRequest'] | undefined {
  if (clientId === undefined || (problem !== undefined && !/expired|scope/.test(problem))) return undefined;
  return {
    client: clientId,
    ...(principalId !== undefined && { principal: principalId }),
    ...(scopes && { scopes: scopes as NonNullable<Schemas['TokenRequest']['scopes']> }),
    ...(problem?.includes('expired') && { kind: 'expired' }),
  };
}

const toHex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @returns the journal entry's trace id, and the response's status, undefined if there was no response */
export async function sendPreparedRequest({ method, url, headers, body }: PreparedRequest) {
  const traceId = toHex(16);
  const traceparent = `00-${traceId}-${toHex(8)}-01`;
  const init = { method, headers: { ...headers, traceparent }, redirect: 'manual', cache: 'no-store' } as const;
  // Ignore errors, because the request is in the journal even if a fault ends the connection without a response.
  const status = await fetch(url, { ...init, ...(body !== undefined && { body }) })
    .then(async (response) => {
      await response.arrayBuffer();
      return response.status;
    })
    .catch(() => undefined);
  return { traceId, status };
}

export function formatCurl({ method, url, headers, body }: PreparedRequest): string {
  const quoteForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoteForShell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteForShell(body)}`]),
  ].join(' \\\n  ');
}
