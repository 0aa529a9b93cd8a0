import type { JournalEntry } from './entry.ts';

const PAGE_END_PATTERN = /"cursor":("[^"]*"|null),"pageSize":\d+(?:,"count":\d+)?\}$/;
const CURSOR_PATTERN = /"cursor"\s*:\s*("(?:[^"\\]|\\.)*"|null)/;

/** Returns the OAuth error in a redirect URL (RFC 6749, section 4.1.2.1). */
export function findProblemInLocation(location: string): JournalEntry['problem'] {
  // A relative redirect leads to a kit page, not to the client.
  if (!URL.canParse(location)) return undefined;
  const { searchParams } = new URL(location);
  const [error, description] = [searchParams.get('error'), searchParams.get('error_description')];
  return error === null ? undefined : { title: error, ...(description !== null && { detail: description }) };
}

export function getCursor(body: unknown): string | null | undefined {
  const { entities, cursor } = Object(body) as Readonly<Record<string, unknown>>;
  return Array.isArray(entities) && (typeof cursor === 'string' || cursor === null) ? cursor : undefined;
}

/** Returns the cursor in a page's body without parsing all of it. */
export function findCursor(body: string | Uint8Array): string | null | undefined {
  const end = typeof body === 'string' ? body.slice(-1000) : Buffer.from(body.subarray(-1000)).toString();
  const [, cursor] = PAGE_END_PATTERN.exec(end) ?? [];
  return cursor === undefined ? undefined : (JSON.parse(cursor) as string | null);
}

/** Returns the cursor of a page, which a server may send before or after the entities. */
export function findCursorOfCutPage(start: string, end: string): string | null | undefined {
  if (!/^\s*\{/.test(start) || !start.includes('"entities"')) return undefined;
  const [, cursor] = CURSOR_PATTERN.exec(start.slice(0, start.indexOf('"entities"'))) ?? CURSOR_PATTERN.exec(end) ?? [];
  return cursor === undefined ? undefined : (parseJson(cursor) as string | null | undefined);
}

export function findProblem(status: number | undefined, body: unknown): JournalEntry['problem'] {
  if (status === undefined || status < 400 || typeof body !== 'object' || body === null) return undefined;
  const { type, title, detail, error, error_description: description } = body as Readonly<Record<string, unknown>>;
  const [name, explanation] = typeof title === 'string' ? [title, detail] : [error, description];
  if (typeof name !== 'string') return undefined;
  return { ...(typeof type === 'string' && { type }), title: name, ...(typeof explanation === 'string' && { detail: explanation }) };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
