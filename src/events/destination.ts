import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { classifyAddress } from './addresses.ts';

/**
 * `local` allows all addresses except link-local and metadata addresses. `strict` allows only https on port 443 at public addresses (Events
 * › Subscription).
 */
export const DESTINATION_MODES = ['local', 'strict'] as const;
export type DestinationMode = (typeof DESTINATION_MODES)[number];

export interface AllowedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Returns a host name's addresses, in the order to try. If there are none, the promise may reject or resolve to an empty list. */
export type Resolve = (host: string) => Promise<readonly string[]>;

interface AllowedDestination {
  /** The host without the brackets around an IPv6 address. */
  readonly host: string;
  readonly origin: string;
  readonly path: string;
  /** There is at least one. */
  readonly addresses: readonly AllowedAddress[];
}

type CheckedDestination = AllowedDestination | { readonly refused: string };

const STRICT_RULE = 'strict mode delivers to https on port 443 at public addresses only';
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Parses a destination (WHATWG URL) and checks that `mode` allows it. A returned promise never rejects. Call this function before every
 * attempt, and connect only to the returned addresses, because a host name's addresses can change.
 */
export function checkDestination(
  destination: string,
  mode: DestinationMode,
  resolve: Resolve = lookUpAddresses,
): CheckedDestination | Promise<CheckedDestination> {
  return checkedLiterals.get(destination)?.get(mode) ?? checkUncached(destination, mode, resolve);
}

/** Caches the results for destinations with an IP address, because these results cannot change. */
const checkedLiterals = new Map<string, Map<DestinationMode, CheckedDestination>>();
const MAX_LITERALS = 1000;

async function checkUncached(destination: string, mode: DestinationMode, resolve: Resolve): Promise<CheckedDestination> {
  const url = URL.parse(destination);
  // The URL may contain a password, so the message does not quote it.
  if (url === null) return { refused: 'The destination is not an absolute URL; use a URL such as https://receiver.example/events.' };
  const refused = findUrlProblem(url, mode);
  if (refused !== undefined) return { refused };

  const host = getHost(url);
  const found = isIP(host) === 0 ? await resolveAddresses(host, mode, resolve) : [host];
  if ('refused' in found) return found;
  for (const address of found) {
    const reason = findAddressProblem(address, mode);
    if (reason !== undefined) return { refused: address === host ? reason : `${host} resolves to ${address}: ${reason}` };
  }
  const checked: CheckedDestination = {
    ...{ host, origin: url.origin, path: url.pathname + url.search },
    addresses: found.map((address) => ({ address, family: isIP(address) === 4 ? 4 : 6 })),
  };
  if (isIP(host) !== 0) {
    if (checkedLiterals.size === MAX_LITERALS) checkedLiterals.clear();
    checkedLiterals.set(destination, new Map([...(checkedLiterals.get(destination) ?? []), [mode, checked]]));
  }
  return checked;
}

export function getHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Resolves no host names. Expects IPv6 addresses without brackets. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function findUrlProblem(url: URL, mode: DestinationMode): string | undefined {
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https' && scheme !== 'http') return `Events are not delivered over ${scheme}; use an https or http URL.`;
  if (url.username !== '' || url.password !== '')
    return 'The destination contains a user name or password; remove everything before the @.';
  if (url.href.includes('#')) return 'The destination contains a fragment, which is never sent; remove the # and everything after it.';
  if (url.port === '0') return 'Nothing listens on port 0; use a port from 1 to 65535.';
  if (mode === 'local') return undefined;
  if (scheme === 'http') return `The destination is an http URL; ${STRICT_RULE}.`;
  if (url.port !== '') return `The destination has port ${url.port}; ${STRICT_RULE}.`;
  return undefined;
}

function findAddressProblem(address: string, mode: DestinationMode): string | undefined {
  const kind = classifyAddress(address);
  if (kind === 'never')
    return `${address} is a link-local, metadata or tunnel address, or not an address at all; use the receiver's own address.`;
  if (kind === 'special' && mode === 'strict') return `${address} is not a public address; ${STRICT_RULE}.`;
  return undefined;
}

async function resolveAddresses(host: string, mode: DestinationMode, resolve: Resolve): Promise<readonly string[] | { refused: string }> {
  const name = host.replace(/\.$/, '');
  if (name.split('.').includes('')) return { refused: `${JSON.stringify(host)} is not a host name; use a name such as receiver.example.` };
  const isLocalhost = name === 'localhost' || name.endsWith('.localhost');
  if (isLocalhost && mode === 'strict') return { refused: `${host} is this machine; ${STRICT_RULE}.` };
  const found = await (async () => resolve(host))().catch(() => []);
  if (found.length > 0) return found;
  // RFC 6761 defines names such as app.localhost as loopback, but many resolvers do not know them.
  return isLocalhost ? LOOPBACK : { refused: `${host} does not resolve to an address; use a host name that resolves.` };
}

async function lookUpAddresses(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
