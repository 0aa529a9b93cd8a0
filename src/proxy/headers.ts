/** Headers about one connection (RFC 9110, section 7.6.1). Proxy authentication is between a client and this proxy (section 11.7). */
const HOP_BY_HOP_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The target has another host, and the kit's server has already answered `Expect: 100-continue`. */
const REPLACED_REQUEST_HEADERS: ReadonlySet<string> = new Set(['host', 'expect']);

/**
 * Returns the headers to forward, including repeated ones, in the same order.
 * @param raw a list: name, value, name, value
 */
export function selectForwarded(raw: readonly string[], direction: 'request' | 'response'): string[] {
  const named = new Set<string>();
  for (let i = 0; i < raw.length; i += 2)
    if (raw[i]!.toLowerCase() === 'connection') for (const name of raw[i + 1]!.split(',')) named.add(name.trim().toLowerCase());
  const forwarded: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase();
    const isReplaced = direction === 'request' && REPLACED_REQUEST_HEADERS.has(name);
    if (!HOP_BY_HOP_HEADERS.has(name) && !named.has(name) && !isReplaced) forwarded.push(raw[i]!, raw[i + 1]!);
  }
  return forwarded;
}
