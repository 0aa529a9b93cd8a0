import type { LookupFunction } from 'node:net';
import { Agent, fetch as send } from 'undici';
import { type AllowedAddress, checkDestination, type DestinationMode, type Resolve } from './destination.ts';

/**
 * Returns a `fetch` that connects only to the addresses that `mode` allows, and does not follow redirects. It rejects with the reason if
 * `mode` does not allow a URL.
 */
export function createGuardedFetch(mode: DestinationMode, resolve?: Resolve): { readonly fetch: typeof fetch; close(): Promise<void> } {
  const allowed = new Map<string, readonly AllowedAddress[]>();
  const lookup: LookupFunction = (host, _, callback) => callback(null, [...allowed.get(host)!]);
  const dispatcher = new Agent({ connect: { lookup, autoSelectFamily: true } });
  const guarded = async (url: string, init: object): Promise<object> => {
    const checked = await checkDestination(url, mode, resolve);
    if ('refused' in checked) throw new Error(checked.refused);
    allowed.set(checked.host, checked.addresses);
    return send(url, { ...init, redirect: 'manual', dispatcher });
  };
  return { fetch: guarded as typeof fetch, close: () => dispatcher.destroy() };
}
