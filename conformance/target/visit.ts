import type { Answer } from './exchange.ts';

/** The end of an authorization request in a browser. */
export interface Visited {
  /** The last response: a redirect, or what was sent instead. */
  readonly answer: Answer;
  /** The address in the redirect. */
  readonly location: URL | undefined;
  /** The same, if it is the redirect_uri of the request. */
  readonly callback: URL | undefined;
}

/** One step of a browser. */
export type Get = (url: string, headers: Readonly<Record<string, string>>) => Promise<Answer>;

/** Follows an authorization request to its end, as the user who logs in. */
export type Visit = (authorizeUrl: string, get: Get) => Promise<Visited>;

// A login with more redirects is a loop.
const MAX_REDIRECTS = 12;

/**
 * Follows redirects until one leads to the redirect_uri or there is none. Keeps cookies, which logins need.
 * @param next the URL to request for a redirect; undefined: the redirect is not followed.
 */
export async function followRedirects(authorizeUrl: string, get: Get, next: (location: URL) => string | undefined): Promise<Visited> {
  const redirectUri = new URL(authorizeUrl).searchParams.get('redirect_uri') ?? '';
  const cookies = new Map<string, string>();
  let url = authorizeUrl;
  for (let hop = 1; ; hop++) {
    const answer = await get(url, cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') });
    keepCookies(answer, cookies);
    const location = locationOf(answer, url);
    if (location === undefined || leadsTo(location, redirectUri)) return { answer, location, callback: location };
    const following = next(location);
    if (following === undefined || hop === MAX_REDIRECTS) return { answer, location, callback: undefined };
    url = following;
  }
}

/** Follows no redirect. */
export const firstStep = (authorizeUrl: string, get: Get): Promise<Visited> => followRedirects(authorizeUrl, get, () => undefined);

function locationOf({ status, headers }: Answer, url: string): URL | undefined {
  const { location } = headers;
  return status >= 300 && status < 400 && location !== undefined && URL.canParse(location, url) ? new URL(location, url) : undefined;
}

/** Whether a location is the redirect_uri, whatever its query is. */
export function leadsTo(location: URL, redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const { origin, pathname } = new URL(redirectUri);
  return location.origin === origin && location.pathname === pathname;
}

function keepCookies({ headers }: Answer, cookies: Map<string, string>): void {
  // Several cookies are joined by commas, which dates also contain.
  for (const text of (headers['set-cookie'] ?? '').split(/,\s*(?=[^;,=\s]+=)/)) {
    const [, name, value] = /^\s*([^=;]+)=([^;]*)/.exec(text) ?? [];
    if (name !== undefined && value !== undefined) cookies.set(name, value);
  }
}
