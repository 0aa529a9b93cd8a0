import type { EventType } from '../../../src/contract/generated/events.ts';
import { bodyOf, type Json } from './exchange.ts';

/** One attempt of a delivery on its way to the subscriber. */
export interface Delivery {
  /** In capitals. */
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The event's data; `{}` if it has none. */
export function dataOf(delivery: Delivery): Json {
  const { data } = bodyOf(delivery);
  return typeof data === 'object' && data !== null ? (data as Json) : {};
}

export function isType(delivery: Delivery, ...types: readonly EventType[]): boolean {
  return types.includes(bodyOf(delivery).type as EventType);
}

/** The delivery with members of its event changed; undefined removes one. */
export function withEvent(delivery: Delivery, change: Json): Delivery {
  return { ...delivery, text: JSON.stringify({ ...bodyOf(delivery), ...change }) };
}

/** The delivery with members of its event's data changed; undefined removes one. */
export function withData(delivery: Delivery, change: Json): Delivery {
  return withEvent(delivery, { data: { ...dataOf(delivery), ...change } });
}
