import type { components } from '../contract/generated/control.ts';
import type { EventOf, EventType } from '../contract/generated/events.ts';

type Schemas = components['schemas'];

export type Delivery = Schemas['Delivery'];
export type DeliveryMode = Schemas['DeliveryMode'];
/** Which deliveries to wait for. By default, one acknowledged delivery within 3 seconds. */
export type DeliveryWait = Schemas['DeliveryWait'];

/** A delivery as a receiver gets it. */
export interface Received<Type extends EventType = EventType> {
  /** The headers with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly event: EventOf<Type>;
  /** The body as it was sent. */
  readonly text: string;
}

/**
 * Receives an event. If the function returns an object with the member `status`, the response has this status. Otherwise it is 204. If the
 * function throws, the response is 500, so the service repeats the delivery.
 */
export type EventHandler<Type extends EventType = EventType> = (event: EventOf<Type>, delivery: Received<Type>) => unknown;

export interface SubscribeOptions<Type extends EventType = EventType> {
  readonly types?: readonly Type[];
  /** The alias or id of an Experience. */
  readonly experience?: string;
  /** The alias or id of the provider. */
  readonly provider?: string;
  readonly alias?: string;
  /** The secret that signs deliveries if the decision `events.delivery.signature` is `standard-webhooks`. */
  readonly secret?: string;
  /** How deliveries fail on purpose, such as `{ duplicate: 1 }`. */
  readonly mode?: DeliveryMode;
}

export interface Subscription<Type extends EventType = EventType> extends AsyncDisposable {
  readonly id: string;
  readonly alias: string;
  /** Where the events go. */
  readonly url: string;
  /** What the function has received, repeats included, in the order of arrival. Empty if the events go to a URL. */
  readonly received: readonly Received<Type>[];
  /** What the function has thrown. */
  readonly errors: readonly unknown[];
  /** Sets how deliveries fail on purpose. Null: they do not fail. */
  mode(mode: DeliveryMode | null): Promise<void>;
  /** Sends the held deliveries, and returns when they were sent. The default order is `oldest-first`. */
  release(request?: Schemas['Release']): Promise<void>;
  /** Deletes the subscription and stops the receiver. */
  remove(): Promise<void>;
}

/** A delivery with its event and its attempts. */
export interface DeliveryOf<Type extends EventType = EventType> extends Delivery {
  readonly event: EventOf<Type>;
  readonly attemptLog: readonly Schemas['Attempt'][];
}
