import { sendRequest } from './kits.ts';
import type { EntityKind } from './ledger.ts';

/** @throws Error unless the response is a success */
export async function sendToControl<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const { ok, text } = await sendRequest(url, method, `/_control${path}`, body);
  if (!ok) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text) as T;
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
