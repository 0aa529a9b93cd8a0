import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { kindOfAddress } from './addresses.ts';
import type { DestinationMode } from './destination-mode.ts';

export interface JudgedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** The addresses of a host name, in the order to try them; rejects or is empty when there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Where to connect: only to one of `addresses`, at least one. `refused` is a sentence: what is wrong and what would be right. */
export type DestinationVerdict = { readonly url: URL; readonly addresses: readonly JudgedAddress[] } | { readonly refused: string };

const STRICT = 'strict mode delivers to https on port 443 at public addresses only';
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Judges a destination as the WHATWG URL standard reads it. Ask again before every attempt, for names change their addresses, and connect to
 * nothing but the addresses of the answer. Never rejects: a name that does not resolve is refused.
 */
export async function checkDestination(destination: string, mode: DestinationMode, resolve: Resolve = lookUp): Promise<DestinationVerdict> {
  const url = URL.parse(destination);
  // The text is not quoted: it may hold a password.
  if (url === null) return { refused: 'The destination is not an absolute URL; give one like https://receiver.example/events.' };
  const refused = refusedForm(url, mode);
  if (refused !== undefined) return { refused };

  const host = hostOf(url);
  const found = isIP(host) === 0 ? await addressesOf(host, mode, resolve) : [host];
  if ('refused' in found) return found;
  for (const address of found) {
    const reason = refusedAddress(address, mode);
    if (reason !== undefined) return { refused: address === host ? reason : `${host} resolves to ${address}: ${reason}` };
  }
  return { url, addresses: found.map((address) => ({ address, family: isIP(address) === 4 ? 4 : 6 })) };
}

/** The host of a URL without the brackets that an IPv6 address has there. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function refusedForm(url: URL, mode: DestinationMode): string | undefined {
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https' && scheme !== 'http') return `Events are not delivered over ${scheme}; give an https or http URL.`;
  if (url.username !== '' || url.password !== '')
    return 'The destination holds a user name or password; leave out what stands before the @.';
  if (url.href.includes('#')) return 'The destination holds a fragment, which is never sent; leave out the # and what follows.';
  if (url.port === '0') return 'Nothing listens on port 0; give a port from 1 to 65535.';
  if (mode === 'local') return undefined;
  if (scheme === 'http') return `The destination is an http URL; ${STRICT}.`;
  if (url.port !== '') return `The destination names port ${url.port}; ${STRICT}.`;
  return undefined;
}

function refusedAddress(address: string, mode: DestinationMode): string | undefined {
  const kind = kindOfAddress(address);
  if (kind === 'never') return `${address} is a link-local, metadata or tunnel address, or none; give the receiver's own address.`;
  if (kind === 'special' && mode === 'strict') return `${address} is not a public address; ${STRICT}.`;
  return undefined;
}

async function addressesOf(host: string, mode: DestinationMode, resolve: Resolve): Promise<readonly string[] | { refused: string }> {
  const name = host.replace(/\.$/, '');
  if (name.split('.').includes('')) return { refused: `${JSON.stringify(host)} is not a host name; give one like receiver.example.` };
  const isLocalhost = name === 'localhost' || name.endsWith('.localhost');
  if (isLocalhost && mode === 'strict') return { refused: `${host} is this machine; ${STRICT}.` };
  const found = await (async () => resolve(host))().catch(() => []);
  if (found.length > 0) return found;
  // RFC 6761: names below localhost are loopback, but many resolvers do not know it.
  return isLocalhost ? LOOPBACK : { refused: `${host} does not resolve to an address; give a host name that does.` };
}

async function lookUp(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
