import { createFingerprint, type Fingerprint } from '../clock/fingerprint.ts';
import { matchPath } from '../contract/match-path.ts';
import { SERVICE_SCOPES } from '../contract/service-scopes.ts';
import { isNestedDeeper } from '../contract/validators.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { findOperation } from '../journal/find-operation.ts';
import { readOauthFacts } from '../journal/oauth-facts.ts';
import { findProblem, findProblemInLocation, getCursor } from '../journal/response-facts.ts';
import { redactBody, redactHeaders, redactRepeated, redactTarget } from '../journal/secrets.ts';
import { type HarEntry, HarError } from './har-file.ts';

export interface HarCalls {
  /** Entries as in a kit's journal, without secrets, in the order of the responses. */
  readonly calls: readonly JournalEntry[];
  readonly baseUrl: string;
}

/** Other headers may contain secrets under any name. */
const KEPT_HEADERS = [
  'accept',
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'prefer',
  'traceparent',
  'user-agent',
];
const KEPT_RESPONSE_HEADERS = ['cache-control', 'content-type', 'retry-after', 'www-authenticate'];
const FORM_PATTERN = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
/** A kit's own pages and its control API. */
const KIT_PATH_PATTERN = /\/_(?:control|console)(?:\/|$)/;
/** What tools write instead of a token. Several callers may have sent it. */
const HIDDEN_PATTERN = /redact|sanitized|masked|removed|\*{3}|\.{3}|…|^bearer\s*(?:x+|<.*>|\[.*\]|)$/i;
const INJECTED = '/problems/http.injected-fault';

/**
 * Reads the requests to a service, and to its authorization server, as a kit's journal would have them.
 * @param baseUrl the service's base URL, without a trailing slash. Default: the one that got most requests to operations
 * @throws HarError if no request goes to an operation of the service
 */
export function toCalls(entries: readonly HarEntry[], file: string, baseUrl?: string): HarCalls {
  const base = baseUrl ?? findBaseUrl(entries);
  if (base === undefined) throw new HarError(`${file} contains no request to an operation of the service, such as GET /users?accountId=….`);
  const isBelow = ({ url }: HarEntry, root: string) => `${url.origin}${url.pathname}/`.startsWith(`${root}/`);
  if (!entries.some((entry) => isBelow(entry, base) && matchEntry(entry)))
    throw new HarError(`${file} contains no request to an operation at ${base}. ${describeBaseUrls(entries)}`);
  const auth = findAuthUrl(entries) ?? `${base}/auth`;
  const fingerprint = createFingerprint();
  const calls = entries.flatMap((entry): Omit<JournalEntry, 'number'>[] => {
    if (entry.method === 'OPTIONS' || KIT_PATH_PATTERN.test(entry.url.pathname)) return [];
    if (isBelow(entry, auth)) return [toCall(entry, auth, 'authorization', fingerprint)];
    return isBelow(entry, base) ? [toCall(entry, base, 'service', fingerprint)] : [];
  });
  const getEnd = ({ at, durationMs }: Omit<JournalEntry, 'number'>) => Date.parse(at) + durationMs;
  const numbered = calls.sort((a, b) => getEnd(a) - getEnd(b)).map((call, index) => ({ number: index + 1, ...call }));
  return { calls: keepUnknownAuthentication(numbered), baseUrl: base };
}

const matchEntry = ({ method, url }: HarEntry) => matchPath(method, url.pathname);

function countBaseUrls(entries: readonly HarEntry[]): readonly (readonly [url: string, requests: number])[] {
  const urls = entries.flatMap((entry) => {
    const found = matchEntry(entry);
    return found ? [entry.url.origin + found.prefix] : [];
  });
  return [...Map.groupBy(urls, (url) => url)].map(([url, all]) => [url, all.length] as const).sort(([, a], [, b]) => b - a);
}

const findBaseUrl = (entries: readonly HarEntry[]): string | undefined => countBaseUrls(entries)[0]?.[0];

function describeBaseUrls(entries: readonly HarEntry[]): string {
  const found = countBaseUrls(entries).slice(0, 3);
  return found.length === 0 ? '' : `Its requests to operations go to ${found.map(([url, count]) => `${url} (${count})`).join(', ')}.`;
}

/** Finds the server from which scopes of the service were requested. An application may also log in at other servers. */
function findAuthUrl(entries: readonly HarEntry[]): string | undefined {
  const request = entries.find(
    ({ method, url }) =>
      method === 'GET' &&
      url.pathname.endsWith('/authorize') &&
      url.searchParams
        .get('scope')
        ?.split(' ')
        .some((scope) => SERVICE_SCOPES.has(scope)),
  );
  return request && request.url.origin + request.url.pathname.slice(0, -'/authorize'.length);
}

function toCall(entry: HarEntry, base: string, door: 'service' | 'authorization', fingerprint: Fingerprint): Omit<JournalEntry, 'number'> {
  const { method, url, status, startedAt, durationMs, requestHeaders, responseHeaders, location } = entry;
  const { authorization, 'content-type': type = '' } = requestHeaders;
  const isService = door === 'service';
  const target = (isService ? '' : '/auth') + `${url.origin}${url.pathname}`.slice(base.length) + url.search;
  const [path = ''] = target.split('?', 1);
  const operationId = findOperation(method, isService ? matchPath(method, path)?.route : path);
  const form = FORM_PATTERN.test(type) ? 'form' : 'any';
  const request = toBody(entry.requestText === undefined ? undefined : redactBody(entry.requestText, form, !isService));
  const { responseText } = entry;
  const response =
    responseText === undefined
      ? UNKNOWN_BODY
      : toBody(isService ? redactRepeated(responseText, requestHeaders) : redactBody(responseText, 'any', true));
  const oauth = isService
    ? undefined
    : readOauthFacts(
        {
          target,
          authorization,
          form: operationId === 'token' ? entry.requestText : undefined,
          responseBody: responseText,
          location,
          isStateAltered: false,
        },
        fingerprint,
      );
  const problem = isService
    ? findProblem(status, response?.body)
    : (location && findProblemInLocation(location)) || findProblem(status, response?.body);
  const nextCursor = getCursor(response?.body);
  const { traceId } = Object(response?.body) as { traceId?: unknown };
  return {
    traceId: typeof traceId === 'string' ? traceId : '',
    at: startedAt.toISOString(),
    arrivedMs: startedAt.getTime(),
    door,
    method,
    path: redactTarget(target),
    ...(operationId !== undefined && { operationId }),
    ...(isService &&
      authorization !== undefined &&
      !HIDDEN_PATTERN.test(authorization) && { credential: { fingerprint: fingerprint(authorization.replace(/^Bearer /i, '')) } }),
    ...(status !== undefined && { status }),
    ...(problem?.type === INJECTED && { step: 'fault' }),
    durationMs,
    ...(problem && { problem }),
    ...(oauth && { oauth }),
    ...(nextCursor !== undefined && { nextCursor }),
    request: { headers: keepHeaders(requestHeaders), ...request },
    ...(status !== undefined && { response: { headers: pick(responseHeaders, KEPT_RESPONSE_HEADERS), ...response } }),
  };
}

const UNKNOWN_BODY = { body: '', bodyBytes: 0, truncated: true } as const;

function toBody(text: string | undefined): NonNullable<JournalEntry['response']> | undefined {
  if (text === undefined || text === '') return undefined;
  const bodyBytes = Buffer.byteLength(text);
  try {
    const body: unknown = JSON.parse(text);
    return { body: isNestedDeeper(body) ? text : body, bodyBytes };
  } catch {
    return { body: text, bodyBytes };
  }
}

const pick = (headers: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
const keepHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> => redactHeaders(pick(headers, KEPT_HEADERS));

/** Browsers may export no Authorization headers at all, so a token request may have had one. */
function keepUnknownAuthentication(calls: readonly JournalEntry[]): readonly JournalEntry[] {
  if (calls.some(({ request }) => request?.headers.authorization !== undefined)) return calls;
  return calls.map((call) => {
    const { authentication = [], ...oauth } = call.oauth ?? {};
    return call.oauth && authentication.length === 0 ? { ...call, oauth } : call;
  });
}
