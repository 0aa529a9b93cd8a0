import { isIP, isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';
import { createGateFailure, type GateFailure } from '../contract/failure.ts';

/**
 * Checks the host in the Host header and in an absolute request target, against DNS rebinding. A request without a Host header is allowed,
 * because browsers always send one.
 */
export type HostGuard = (host: string | undefined, target: string) => GateFailure | undefined;

export interface HostGuardOptions {
  /** Host names or IP literals without a port. `*.example.com` matches every subdomain. */
  readonly allow?: readonly string[];
  /** The URL's host is allowed. */
  readonly publicUrl?: string | undefined;
  /** If the address is an IP literal, it is allowed as the host. */
  readonly bind?: string;
}

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{0,5}))?$/i;
// Excludes characters such as `/`, because `domainToASCII` would silently shorten `a/b` to `a`.
const ALLOWED_HOST = /^(\*\.)?([^\s/?#@\\:*[\]]+)$/;
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** Returns the host from `host[:port]` in lower case, without brackets; undefined if malformed. */
export function parseHost(authority: string): string | undefined {
  const [, host, port] = AUTHORITY.exec(authority) ?? [];
  if (host === undefined || Number(port ?? 0) > 65535) return undefined;
  if (!host.startsWith('[')) return host.toLowerCase().replace(/\.$/, '') || undefined;
  return normalizeIpv6(host.slice(1, -1));
}

function normalizeIpv6(literal: string): string | undefined {
  const url = `http://[${literal}]/`;
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : undefined;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || (host.startsWith('127.') && isIPv4(host));
}

/**
 * @param entry the allowed host: a host name, an IP literal or `*.name`
 * @throws TypeError for any other entry
 */
export function createHostMatcher(entry: string): (host: string) => boolean {
  const [, wildcard, name = ''] = ALLOWED_HOST.exec(entry) ?? [];
  const literal = entry.replace(/^\[(.*)\]$/, '$1');
  const host = isIP(literal) === 6 ? normalizeIpv6(literal) : parseHost(domainToASCII(name));
  if (host === undefined) {
    throw new TypeError(`An allowed host must be a host name, an IP address or *.name, without a port, not ${JSON.stringify(entry)}.`);
  }
  return wildcard === undefined ? (requested) => requested === host : (requested) => requested.endsWith(`.${host}`);
}

/** Returns a function that tells whether the options name a host. */
export function createNamedHosts({ allow = [], publicUrl, bind }: HostGuardOptions): (host: string) => boolean {
  const publicHost = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const matchers = [...allow, ...publicHost, ...(bind !== undefined && isIP(bind) !== 0 ? [bind] : [])].map(createHostMatcher);
  return (host) => matchers.some((matches) => matches(host));
}

/** Loopback names and addresses are always allowed. Ports are ignored. */
export function createHostGuard(options: HostGuardOptions = {}): HostGuard {
  const isNamed = createNamedHosts(options);
  let lastAllowed: string | undefined; // Clients send the same Host in each request, so usually only the first request is checked.

  const check = (authority: string): GateFailure | undefined => {
    if (authority === lastAllowed) return undefined;
    const host = parseHost(authority);
    if (host === undefined)
      return createGateFailure('http.malformed-request', 'The Host of the request is not a host name with an optional port.');
    if (!isLoopback(host) && !isNamed(host)) {
      return createGateFailure(
        'http.unknown-host',
        `The Host ${JSON.stringify(host)} is not allowed; start the service with --allow-host ${host} to allow it.`,
      );
    }
    lastAllowed = authority;
    return undefined;
  };

  return (host, target) => {
    const refusal = host === undefined ? undefined : check(host);
    if (refusal !== undefined || target.charCodeAt(0) === 47 /* A slash starts a target in origin form. */) return refusal;
    const authority = ABSOLUTE_FORM.exec(target)?.[1];
    return authority === undefined ? undefined : check(authority);
  };
}
