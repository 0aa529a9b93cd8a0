import type { components } from '../contract/generated/control.ts';
import type { EventOf, EventType } from '../contract/generated/events.ts';

type Schemas = components['schemas'];

export type Delivery = Schemas['Delivery'];
export type DeliveryMode = Schemas['DeliveryMode'];
/** Which deliveries to wait for. By default, one acknowledged delivery within 3 seconds. */
export type DeliveryWait = Schemas['DeliveryWait'];

/** A delivery that a receiver got. */
export interface Received<Type extends EventType = EventType> {
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly event: EventOf<Type>;
  /** The body as it was sent. */
  readonly text: string;
}

/** Handles an event and returns the response's status, 204 by default. An error causes a 500, so the service repeats the delivery. */
export type EventHandler<Type extends EventType = EventType> = (event: EventOf<Type>, delivery: Received<Type>) => unknown;

export interface SubscribeOptions<Type extends EventType = EventType> {
  readonly types?: readonly Type[];
  /** The alias or id of an Experience. */
  readonly experience?: string;
  /** The alias or id of the provider. The default is the provider of `experience` or, without it, of the kit's first token. */
  readonly provider?: string;
  readonly alias?: string;
  /** The signing secret, if the `events.delivery.signature` decision is `standard-webhooks`. */
  readonly secret?: string;
  /** The delivery mode, such as `{ duplicate: 1 }` to repeat each delivery. */
  readonly mode?: DeliveryMode;
}

export interface Subscription<Type extends EventType = EventType> extends AsyncDisposable {
  readonly id: string;
  readonly alias: string;
  /** The URL that receives the events. */
  readonly url: string;
  /** The deliveries to the event handler, including repeats, in order of arrival. */
  readonly received: readonly Received<Type>[];
  /** The errors that the event handler threw. */
  readonly errors: readonly unknown[];
  /** Sets the delivery mode. Null restores normal delivery. */
  mode(mode: DeliveryMode | null): Promise<void>;
  /** Sends the held deliveries. The default order is `oldest-first`. */
  release(request?: Schemas['Release']): Promise<void>;
  /** Deletes the subscription and stops the receiver. */
  remove(): Promise<void>;
}

/** A delivery with its event and attempts. */
export interface DeliveryOf<Type extends EventType = EventType> extends Delivery {
  readonly event: EventOf<Type>;
  readonly attemptLog: readonly Schemas['Attempt'][];
}
