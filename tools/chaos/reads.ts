import { sendRequest } from './kits.ts';
import type { EntityKind } from './ledger.ts';

const MB = 1 << 20;

/** @throws Error unless the response is a success */
export async function sendToControl<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const { ok, text } = await sendRequest(url, method, `/_control${path}`, body);
  if (!ok) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text) as T;
}

/** Creates a token for a client of the chaos world. */
export async function requestToken(url: string, client = 'client'): Promise<string> {
  return (await sendToControl<{ accessToken: string }>(url, 'POST', '/tokens', { client, principal: 'principal' })).accessToken;
}

/** Reads a kit's users and assignments, without those from the fixtures. */
export async function readEntities(url: string): Promise<Map<string, EntityKind>> {
  const existing = new Map<string, EntityKind>();
  for (const kind of ['users', 'assignments'] as const) {
    const { whole: _, ...entities } = await sendToControl<Record<string, { id: string }>>(url, 'GET', `/state/${kind}`);
    for (const { id } of Object.values(entities)) existing.set(id, kind);
  }
  return existing;
}

/** Returns the memory, in megabytes, that a kit uses. */
export async function measureMemory({ url }: { readonly url: string }): Promise<{ rss: number; heap: number }> {
  const { text } = await sendRequest(url, 'GET', '/_control/metrics');
  const readMetric = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]) / MB;
  return { rss: readMetric('process_resident_memory_bytes'), heap: readMetric('nodejs_heap_size_used_bytes') };
}
