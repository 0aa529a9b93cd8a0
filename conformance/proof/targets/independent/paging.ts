import { randomBytes } from 'node:crypto';
import { Problem } from './problem.ts';
import type { Service } from './service.ts';

const CURSOR_LIFETIME = 600_000;

interface Listing<T> {
  items: T[];
  /** Must define a total order, because the next page starts after the cursor's item. */
  compare: (a: T, b: T) => number;
  /** Identifies the listing, because a cursor is valid for only one listing. */
  binding: string;
}

/** Undefined if the cursor is unknown, too old, or from another listing. */
export function takePage<T>(service: Service, listing: Listing<T>, cursor: string | null, pageSize: number) {
  let rest = listing.items.toSorted(listing.compare);
  if (cursor !== null) {
    const handle = service.cursors.get(cursor);
    if (handle === undefined || handle.binding !== listing.binding || handle.expiresAt < Date.now()) return undefined;
    rest = rest.filter((item) => listing.compare(item, handle.last as T) > 0);
  }
  const entities = rest.slice(0, pageSize);
  if (rest.length <= pageSize) return { entities, cursor: null, pageSize };
  const next = `~${randomBytes(12).toString('base64url')}`;
  const last = structuredClone(entities.at(-1));
  service.cursors.set(next, { binding: listing.binding, last, expiresAt: Date.now() + CURSOR_LIFETIME });
  return { entities, cursor: next, pageSize };
}

/** @param clamp whether to correct a number that is out of range instead of refusing it */
export function readPageSize(query: URLSearchParams, max: number, clamp = false): number {
  const text = query.get('pageSize');
  if (text === null) return 100;
  const value = /^-?[0-9]+$/.test(text) ? Number(text) : NaN;
  if (clamp && !Number.isNaN(value)) return Math.min(max, Math.max(1, value));
  if (!(value >= 1 && value <= max)) throw new Problem(400, `pageSize is not an integer from 1 to ${max}`);
  return value;
}
