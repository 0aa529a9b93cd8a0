import { callOperation } from '../control-client/call.ts';
import { type ControlClient, getResponseData } from '../control-client/client.ts';
import { UsageError } from '../control-client/errors.ts';
import { convertUsageError, ignoreNotFound } from './entities.ts';
import type { EventHandler, SubscribeOptions, Subscription } from './event-types.ts';
import type { KitTools } from './kit-tools.ts';
import { type Receiver, startReceiver } from './receiver.ts';

export function createSubscriptions(control: ControlClient) {
  /** Maps each subscription's id to its receiver. After a reset, another subscription may have the same alias. */
  const receivers = new Map<string, Receiver & { readonly alias: string }>();

  async function subscribe(to: string | EventHandler, { types, ...options }: SubscribeOptions = {}): Promise<Subscription> {
    if (typeof to !== 'string' && typeof to !== 'function')
      throw new UsageError("Pass an endpoint's URL or a function that receives events to kit.subscribe.");
    const receiver = typeof to === 'string' ? undefined : await startReceiver(to);
    const url = receiver?.url ?? (to as string);
    const values = { ...options, ...(types && { types: [...types] }), destinationUrl: url };
    const call = getResponseData(callOperation(control, 'createSubscription', values));
    const { id, alias } = await convertUsageError(call).catch(async (error: unknown) => {
      await receiver?.close();
      throw error;
    });
    const subscriptionId = id;
    if (receiver) receivers.set(id, { ...receiver, alias });
    const remove = async () => {
      await ignoreNotFound(callOperation(control, 'deleteSubscription', { subscriptionId }));
      receivers.delete(id);
      await receiver?.close();
    };
    return {
      id,
      alias,
      url,
      received: receiver?.received ?? [],
      errors: receiver?.errors ?? [],
      async mode(mode) {
        await convertUsageError<unknown>(
          mode === null
            ? callOperation(control, 'removeDeliveryMode', { subscriptionId })
            : callOperation(control, 'setDeliveryMode', { subscriptionId, ...mode }),
        );
      },
      async release(request = {}) {
        await convertUsageError(callOperation(control, 'releaseDeliveries', { subscriptionId, ...request }));
      },
      remove,
      [Symbol.asyncDispose]: remove,
    };
  }

  return {
    // The cast is correct, because the service sends only the subscription's event types.
    subscribe: subscribe as unknown as KitTools['subscribe'],
    errors: (): string =>
      [...receivers.values()]
        .filter(({ errors }) => errors.length > 0)
        .map(({ alias, errors }) => `\nThe function that receives events for ${alias} threw: ${errors.at(-1)}`)
        .join(''),
    async close(): Promise<void> {
      await Promise.all([...receivers.values()].map((receiver) => receiver.close()));
    },
  };
}
