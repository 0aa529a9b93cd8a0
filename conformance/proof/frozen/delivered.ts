import type { EventType } from '../../../src/contract/generated/events.ts';
import { bodyOf, type Json, withHeaders } from './exchange.ts';
import type { Behind } from './saboteur.ts';

/** One attempt of a delivery on its way to the subscriber. */
export interface Delivered {
  /** In capitals. */
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The event that is delivered; `{}` where the text is no JSON. */
export function eventIn(delivery: Delivered): Json {
  return bodyOf(delivery);
}

/** The event's data; `{}` where there is none. */
export function dataIn(delivery: Delivered): Json {
  const { data } = eventIn(delivery);
  return typeof data === 'object' && data !== null ? (data as Json) : {};
}

export function isType(delivery: Delivered, ...types: readonly EventType[]): boolean {
  return types.includes(eventIn(delivery).type as EventType);
}

/** The same delivery with members of the event changed: what is undefined is taken out. */
export function withEvent(delivery: Delivered, change: Json): Delivered {
  return { ...delivery, text: JSON.stringify({ ...eventIn(delivery), ...change }) };
}

/** The same delivery with members of the event's data changed: what is undefined is taken out. */
export function withData(delivery: Delivered, change: Json): Delivered {
  return withEvent(delivery, { data: { ...dataIn(delivery), ...change } });
}

/** The same delivery with other headers: what is undefined is taken out. */
export const withDeliveryHeaders: (delivery: Delivered, change: Readonly<Record<string, string | undefined>>) => Delivered = withHeaders;

/** A delivery that no change caused: perfect in its form, and of the service's own time. */
export async function invented({ control }: Behind, type: EventType, data: Json): Promise<Delivered> {
  const now = await control.now();
  const event = {
    type,
    timestamp: new Date(now).toISOString(),
    subscriptionId: String(data.subscriptionId ?? 'unknown'),
    scope: { experienceId: data.experienceId },
    data: { updatedAt: new Date(now).toISOString(), ...data },
  };
  const headers = {
    'content-type': 'application/json',
    'webhook-id': crypto.randomUUID(),
    'webhook-timestamp': String(Math.floor(now / 1000)),
  };
  return { method: 'POST', headers, text: JSON.stringify(event) };
}
