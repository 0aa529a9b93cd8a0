import { createControl } from '../../target/control.ts';
import { createProblemReply, parseBody, type Reply, type Request } from '../mutants/exchange.ts';
import { startProxy } from '../mutants/forward.ts';
import { ACKNOWLEDGEMENT, type Handlers, type Kit, type Subscriber } from '../mutants/mutant.ts';
import type { OpenServer } from '../server.ts';

const DELIVERIES = '/_deliveries/';
const NEW_SUBSCRIPTIONS = '/_subscriptions';

/**
 * Starts a relay in front of a target with hooks, for requests and for deliveries.
 * @param handlers the one closest to the target first
 * @returns the target as it is behind the relay, and a destination at which the relay acknowledges deliveries without forwarding them
 */
export async function openRelayed(target: OpenServer, handlers: readonly Handlers[]): Promise<OpenServer & { readonly sinkUrl: string }> {
  const { settings, shown } = target;
  const control = createControl(settings.baseUrl);
  const kit: Kit = { control, exists: async (...entity) => (await control.find(...entity)) !== undefined, deliver: async () => {} };

  const callService = handlers.reduce<(request: Request) => Promise<Reply>>(
    (service, { handleRequest }) => (handleRequest ? (request) => handleRequest(request, service, kit) : service),
    (request) =>
      request.url.startsWith('/_') ? Promise.resolve(createProblemReply(404)) : relay.forward(settings.baseUrl + request.url, request),
  );

  function callSubscriber(destinationUrl: string): Subscriber {
    const send = async (delivery: Parameters<Subscriber>[0]) => {
      // Handlers may delay a delivery, and the timestamp is the time at which it is sent.
      const headers = { ...delivery.headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
      return relay.forward(destinationUrl, { ...delivery, headers }).catch(() => undefined);
    };
    return handlers.reduce<Subscriber>(
      (subscriber, { handleDelivery }) =>
        handleDelivery
          ? Object.assign((delivery: Parameters<Subscriber>[0]) => handleDelivery(delivery, subscriber, kit), { destinationUrl })
          : subscriber,
      Object.assign(send, { destinationUrl }),
    );
  }

  /** Subscribes the relay instead of the suite's receiver. */
  function createSubscription(request: Request): Promise<Reply> {
    const { destinationUrl, ...others } = parseBody(request);
    const text = JSON.stringify({ ...others, destinationUrl: `${relay.url}${DELIVERIES}${encodeURIComponent(destinationUrl)}` });
    return relay.forward(settings.hooks?.urls['subscriptions.create'] ?? '', { ...request, text });
  }

  const relay = await startProxy(async (request) => {
    if (request.url.startsWith(NEW_SUBSCRIPTIONS)) return createSubscription(request);
    if (!request.url.startsWith(DELIVERIES)) return callService(request);
    const destinationUrl = decodeURIComponent(request.url.slice(DELIVERIES.length));
    return destinationUrl === '' ? ACKNOWLEDGEMENT : callSubscriber(destinationUrl)(request);
  });
  const urls = { ...settings.hooks!.urls, 'subscriptions.create': relay.url + NEW_SUBSCRIPTIONS };
  return {
    ...target,
    settings: { ...settings, baseUrl: relay.url, hooks: { ...settings.hooks!, urls }, profile: { ...settings.profile, hooks: { urls } } },
    shown: { ...shown, baseUrl: relay.url },
    sinkUrl: relay.url + DELIVERIES,
    async [Symbol.asyncDispose]() {
      await relay.close();
      await target[Symbol.asyncDispose]();
    },
  };
}
