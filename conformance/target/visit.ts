import type { Answer } from '../../src/expect/answer.ts';

export interface VisitResult {
  /** The last response. If it is a redirect, it was not followed. */
  readonly answer: Answer;
  /** The URL in the Location header of `answer`; undefined if `answer` is not a redirect. */
  readonly location: URL | undefined;
  /** The URL in `location` if it is the redirect_uri; otherwise undefined. */
  readonly callback: URL | undefined;
}

export type Get = (url: string, headers: Readonly<Record<string, string>>) => Promise<Answer>;

/** Opens an authorization request's URL, logs in as the user, and follows the redirects. */
export type Visit = (authorizeUrl: string, get: Get) => Promise<VisitResult>;

// The maximum number of redirects. If there are more, the login ends, because the redirects are a loop.
const MAX_REDIRECTS = 12;

/**
 * Follows redirects up to the redirect_uri, or to a response that is no redirect. Keeps cookies.
 * @param next returns the URL to request instead of a redirect's location, or undefined to stop
 */
export async function followRedirects(authorizeUrl: string, get: Get, next: (location: URL) => string | undefined): Promise<VisitResult> {
  const redirectUri = new URL(authorizeUrl).searchParams.get('redirect_uri') ?? '';
  const cookies = new Map<string, string>();
  let url = authorizeUrl;
  for (let hop = 1; ; hop++) {
    const answer = await get(url, cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') });
    storeCookies(answer, cookies);
    const location = readLocation(answer, url);
    if (location === undefined || isRedirectUri(location, redirectUri)) return { answer, location, callback: location };
    const following = next(location);
    if (following === undefined || hop === MAX_REDIRECTS) return { answer, location, callback: undefined };
    url = following;
  }
}

export const sendFirstRequest = (authorizeUrl: string, get: Get): Promise<VisitResult> =>
  followRedirects(authorizeUrl, get, () => undefined);

function readLocation({ status, headers }: Answer, url: string): URL | undefined {
  const { location } = headers;
  return status >= 300 && status < 400 && location !== undefined && URL.canParse(location, url) ? new URL(location, url) : undefined;
}

export function isRedirectUri(location: URL, redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const { origin, pathname } = new URL(redirectUri);
  return location.origin === origin && location.pathname === pathname;
}

function storeCookies({ headers }: Answer, cookies: Map<string, string>): void {
  // Split only at commas that are followed by a name and "=", because the dates in cookies also contain commas.
  for (const text of (headers['set-cookie'] ?? '').split(/,\s*(?=[^;,=\s]+=)/)) {
    const [, name, value] = /^\s*([^=;]+)=([^;]*)/.exec(text) ?? [];
    if (name !== undefined && value !== undefined) cookies.set(name, value);
  }
}
