import { randomBytes } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { createTimestamp } from './clock.ts';
import type { Service, Subscription } from './service.ts';

/** The delays, in milliseconds, before an unacknowledged delivery is repeated. */
const RETRY_AFTER_MS = [200, 500, 1_000, 2_000];
const RESPONSE_TIMEOUT_MS = 15_000;
/** Every n-th acknowledged delivery to a subscription is repeated. */
const REPEAT_EVERY = 5;

interface Delivery {
  subscription: Subscription;
  id: string;
  body: string;
  attempt: number;
  isAcknowledged: boolean;
}

/** Subscribes an endpoint to event types. Without `experienceId`, for every Experience. */
export function subscribe({ subscriptions }: Service, given: Pick<Subscription, 'destinationUrl' | 'experienceId' | 'types'>): string {
  if (!/^https?:$/.test(new URL(given.destinationUrl).protocol)) throw new Error('destinationUrl must be an HTTPS or HTTP address');
  const id = `sub_${randomBytes(6).toString('hex')}`;
  subscriptions.set(id, { id, ...given, acknowledged: 0 });
  return id;
}

export function publish(service: Service, type: string, experienceId: string, data: object): void {
  const timestamp = createTimestamp();
  for (const subscription of service.subscriptions.values()) {
    if (!matchesSubscription(subscription, type, experienceId)) continue;
    const envelope = { release: 'b', type, timestamp, subscriptionId: subscription.id, scope: { experienceId, region: 'any' }, data };
    const id = `whk_${randomBytes(10).toString('hex')}`;
    const delivery = { subscription, id, body: JSON.stringify(envelope), attempt: 1, isAcknowledged: false };
    // Deliveries need not arrive in order.
    service.runLater(Math.random() * 40, () => attempt(service, delivery));
  }
}

function matchesSubscription({ types, experienceId }: Subscription, type: string, ofExperience: string): boolean {
  return types.includes(type) && (experienceId === undefined || experienceId === ofExperience);
}

function attempt(service: Service, delivery: Delivery): void {
  if (service.closing.signal.aborted || !service.subscriptions.has(delivery.subscription.id)) return;
  sendDelivery(service, delivery).then(
    (status) => recordAttempt(service, delivery, status),
    () => recordAttempt(service, delivery, 0),
  );
}

function recordAttempt(service: Service, delivery: Delivery, status: number): void {
  if (status >= 200 && status < 300) {
    if (delivery.isAcknowledged) return;
    delivery.isAcknowledged = true;
    delivery.subscription.acknowledged += 1;
    if (delivery.subscription.acknowledged % REPEAT_EVERY !== 0) return;
  }
  const wait = RETRY_AFTER_MS[delivery.attempt - 1];
  if (wait === undefined) return;
  delivery.attempt += 1;
  service.runLater(wait, () => attempt(service, delivery));
}

/** Accepts any certificate on a loopback address. @returns the status */
function sendDelivery(service: Service, { subscription, id, body, attempt: attemptNumber }: Delivery): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const url = new URL(subscription.destinationUrl);
  const options = {
    method: 'POST',
    signal: AbortSignal.any([service.closing.signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
    headers: {
      'CONTENT-TYPE': 'application/json; charset=utf-8',
      'CONTENT-LENGTH': Buffer.byteLength(body),
      'WEBHOOK-ID': id,
      'WEBHOOK-TIMESTAMP': String(Math.floor(Date.now() / 1000)),
      'X-ATTEMPT': String(attemptNumber),
      'X-SENDER': 'event-post/2',
    },
    rejectUnauthorized: !['localhost', '127.0.0.1', '[::1]'].includes(url.hostname),
  };
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options);
  request.on('error', reject);
  request.on('response', (response) => {
    response.on('error', () => {});
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  request.end(body);
  return promise;
}
