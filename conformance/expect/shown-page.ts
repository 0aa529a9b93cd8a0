import type { Answer } from '../target/exchange.ts';
import type { Entity } from './pages.ts';

/** What a page holds, right or wrong; undefined where the answer is none. */
export function entitiesOf({ status, json }: Answer): readonly Entity[] | undefined {
  const { entities } = (json ?? {}) as { entities?: unknown };
  return status === 200 && Array.isArray(entities) ? entities : undefined;
}

/** The cursor to the page after; undefined where there is none. */
export function cursorOf({ json }: Answer): string | undefined {
  const { cursor } = (json ?? {}) as { cursor?: unknown };
  return typeof cursor === 'string' ? cursor : undefined;
}
