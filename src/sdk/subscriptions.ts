import type { components } from '../contract/generated/control.ts';
import { eventTypes } from '../contract/generated/events.ts';
import type { ControlClient } from '../control-client/client.ts';
import { UsageError } from '../control-client/errors.ts';
import { convertUsageError, ignoreNotFound, type TokenDefaults } from './entities.ts';
import type { DeliveryMode, EventHandler, SubscribeOptions, Subscription } from './event-types.ts';
import type { KitState, KitTools } from './kit-tools.ts';
import { type Receiver, startReceiver } from './receiver.ts';

interface SubscriptionContext {
  readonly control: ControlClient;
  readonly state: KitState;
  readonly readDefaults: () => Promise<TokenDefaults>;
}

export function createSubscriptions({ control, state, readDefaults }: SubscriptionContext) {
  /** Maps each subscription's id to its receiver. After a reset, another subscription may have the same alias. */
  const receivers = new Map<string, Receiver & { readonly alias: string }>();

  /** Returns a subscription's provider, or undefined if the Experience determines it. */
  async function getProvider({ provider, experience }: SubscribeOptions): Promise<string | undefined> {
    if (provider !== undefined || experience !== undefined) return provider;
    const { client } = await readDefaults();
    return client && (await state.get('clients', client)).provider;
  }

  async function create(destinationUrl: string, options: SubscribeOptions) {
    const { types = eventTypes, experience, provider: _, mode: __, ...named } = options;
    const provider = await getProvider(options);
    const body: components['schemas']['SubscriptionRequest'] = {
      ...named,
      types: [...types],
      destinationUrl,
      ...(provider !== undefined && { providerId: provider }),
      ...(experience !== undefined && { experienceId: experience }),
    };
    return (await convertUsageError(control.POST('/_control/subscriptions', { body }))).data;
  }

  async function setMode(subscriptionId: string, mode: DeliveryMode | null): Promise<void> {
    const params = { path: { subscriptionId } };
    const path = '/_control/subscriptions/{subscriptionId}/delivery-mode';
    await convertUsageError<unknown>(mode === null ? control.DELETE(path, { params }) : control.PUT(path, { params, body: mode }));
  }

  async function subscribe(to: string | EventHandler, options: SubscribeOptions = {}): Promise<Subscription> {
    if (typeof to !== 'string' && typeof to !== 'function')
      throw new UsageError("Pass an endpoint's URL or a function that receives events to kit.subscribe.");
    const receiver = typeof to === 'string' ? undefined : await startReceiver(to);
    const url = receiver?.url ?? (to as string);
    const created = await create(url, options).catch(async (error: unknown) => {
      await receiver?.close();
      throw error;
    });
    const { subscriptionId: id, alias } = created;
    if (receiver) receivers.set(id, { ...receiver, alias });
    const params = { path: { subscriptionId: id } };
    const remove = async () => {
      await ignoreNotFound(control.DELETE('/_control/subscriptions/{subscriptionId}', { params }));
      receivers.delete(id);
      await receiver?.close();
    };
    if (options.mode !== undefined) {
      await setMode(id, options.mode).catch(async (error: unknown) => {
        await remove();
        throw error;
      });
    }
    return {
      id,
      alias,
      url,
      received: receiver?.received ?? [],
      errors: receiver?.errors ?? [],
      mode: (mode) => setMode(id, mode),
      async release(body = {}) {
        await convertUsageError(control.POST('/_control/subscriptions/{subscriptionId}/release', { params, body }));
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
