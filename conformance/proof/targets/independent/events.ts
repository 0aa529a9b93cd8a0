import { randomBytes } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { createTimestamp } from './clock.ts';
import type { Service } from './service.ts';
import type { Subscription } from './types.ts';

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
  firstSent?: string;
  repeated: boolean;
}

export function publish(service: Service, type: string, experienceId: string, data: object): void {
  const timestamp = createTimestamp();
  for (const subscription of service.subscriptions.values()) {
    if (!matchesSubscription(service, subscription, type, experienceId)) continue;
    const envelope = { release: 'b', type, timestamp, subscriptionId: subscription.id, scope: { experienceId, region: 'any' }, data };
    const delivery: Delivery = { subscription, id: generateId(), body: JSON.stringify(envelope), attempt: 1, repeated: false };
    // Deliveries need not arrive in order.
    service.runLater(Math.random() * 40, () => attempt(service, delivery));
  }
}

function matchesSubscription(service: Service, subscription: Subscription, type: string, experienceId: string): boolean {
  const readEntity = (name: string): string => name.slice(0, name.lastIndexOf('.'));
  let typeListed = subscription.types.includes(type);
  if (service.breach === 'types-by-prefix') typeListed ||= subscription.types.some((listed) => readEntity(listed) === readEntity(type));
  if (service.breach === 'narrow-subscription-flooded') return typeListed;
  return typeListed && (subscription.experienceId === undefined || subscription.experienceId === experienceId);
}

function generateId(): string {
  return `whk_${randomBytes(10).toString('hex')}`;
}

function attempt(service: Service, delivery: Delivery): void {
  if (service.closing.aborted || !service.subscriptions.has(delivery.subscription.id)) return;
  if (service.breach === 'new-id-on-repeat' && delivery.attempt > 1) delivery.id = generateId();
  const now = String(Math.floor(Date.now() / 1000));
  delivery.firstSent ??= now;
  sendDelivery(service, delivery, service.breach === 'timestamp-of-first-attempt' ? delivery.firstSent : now).then(
    (status) => recordAttempt(service, delivery, status),
    () => recordAttempt(service, delivery, 0),
  );
}

function recordAttempt(service: Service, delivery: Delivery, status: number): void {
  let acknowledged = status >= 200 && status < 300;
  if (service.breach === 'redirect-acknowledges' && status >= 300 && status < 400) acknowledged = true;
  if (service.breach === 'no-retry-after-4xx' && status >= 400 && status < 500) return;
  if (acknowledged && delivery.repeated) return;
  if (acknowledged) {
    delivery.repeated = true;
    delivery.subscription.acknowledged += 1;
    if (delivery.subscription.acknowledged % REPEAT_EVERY !== 0) return;
  }
  const wait = RETRY_AFTER_MS[delivery.attempt - 1];
  if (wait === undefined) return;
  delivery.attempt += 1;
  service.runLater(wait, () => attempt(service, delivery));
}

/** Accepts any certificate on a loopback address. */
function sendDelivery(service: Service, delivery: Delivery, timestamp: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const url = new URL(delivery.subscription.destinationUrl);
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const options = {
    method: 'POST',
    signal: AbortSignal.any([service.closing, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
    headers: {
      'CONTENT-TYPE': 'application/json; charset=utf-8',
      'CONTENT-LENGTH': Buffer.byteLength(delivery.body),
      'WEBHOOK-ID': delivery.id,
      'WEBHOOK-TIMESTAMP': timestamp,
      'X-ATTEMPT': String(delivery.attempt),
      'X-SENDER': 'event-post/2',
    },
  };
  const request = url.protocol === 'https:' ? requestHttps(url, { ...options, rejectUnauthorized: !loopback }) : requestHttp(url, options);
  request.on('error', reject);
  request.on('response', (response) => {
    response.on('error', () => {});
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  request.end(delivery.body);
  return promise;
}
