import { UsageError } from './usage-error.ts';

export const DEFAULT_URL = 'http://127.0.0.1:4010';

/** The address of a kit as given with --url, without a trailing slash. @throws UsageError that says what would be right */
export function kitAddress(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new UsageError(`--url is an address such as ${DEFAULT_URL}, not ${url}.`);
  const { origin, pathname, username, password, search, hash } = parsed;
  const address = `${origin}${pathname.replace(/\/+$/, '')}`;
  // It may be a secret, so it is not said again.
  if (username !== '' || password !== '')
    throw new UsageError(`--url is an address without a user before the host: ${address}. A control token is given with --control-token.`);
  if (search !== '' || hash !== '') throw new UsageError(`--url is an address without what follows its path: ${address}, not ${url}.`);
  return address;
}

/** Why a kit has no control API there: a path is usually one of the service. Only a public URL may have one. */
export function withoutControl(url: string): string {
  const { origin, pathname } = new URL(url);
  if (pathname === '/') return `The control API is off at ${url}: the kit there was started with --no-control.`;
  return `There is no control API at ${url}. --url is the address of the kit without a path, ${origin}, or the public URL that it was started with.`;
}
