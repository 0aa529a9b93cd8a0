import type { Answer } from './exchange.ts';

/** Where an authorization request led. */
export interface Visited {
  /** The last answer: the redirect, or what was said instead. */
  readonly answer: Answer;
  /** Where it redirects to. */
  readonly location: URL | undefined;
  /** The redirect to the redirect_uri of the request, if that is what it is. */
  readonly callback: URL | undefined;
}

/** One step of a browser. */
export type Get = (url: string, headers: Readonly<Record<string, string>>) => Promise<Answer>;

/** Goes where an authorization request leads, as the user who is asked. */
export type Visit = (authorizeUrl: string, get: Get) => Promise<Visited>;

// Logins that take more are loops.
const MOST_HOPS = 12;

/**
 * Follows redirects by hand until one leads to the redirect_uri, or none does. Keeps cookies, as logins need.
 * @param next where to ask for the address that a redirect names; undefined: it is not followed.
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
    if (following === undefined || hop === MOST_HOPS) return { answer, location, callback: undefined };
    url = following;
  }
}

/** The first step only. */
export const firstStep = (authorizeUrl: string, get: Get): Promise<Visited> => followRedirects(authorizeUrl, get, () => undefined);

function locationOf({ status, headers }: Answer, url: string): URL | undefined {
  const { location } = headers;
  return status >= 300 && status < 400 && location !== undefined && URL.canParse(location, url) ? new URL(location, url) : undefined;
}

/** Whether it is that address, whatever its query. */
export function leadsTo(location: URL, redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const { origin, pathname } = new URL(redirectUri);
  return location.origin === origin && location.pathname === pathname;
}

function keepCookies({ headers }: Answer, cookies: Map<string, string>): void {
  // Several of them were joined by commas, which dates hold, too.
  for (const text of (headers['set-cookie'] ?? '').split(/,\s*(?=[^;,=\s]+=)/)) {
    const [, name, value] = /^\s*([^=;]+)=([^;]*)/.exec(text) ?? [];
    if (name !== undefined && value !== undefined) cookies.set(name, value);
  }
}
