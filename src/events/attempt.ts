import type { Clock } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import { isAcknowledgement } from '../domain/deliveries.ts';
import { headersOf } from '../domain/delivery-headers.ts';
import type { ClaimedDelivery } from '../store/claims.ts';
import type { Attempt } from '../store/deliveries.ts';
import type { Store } from '../store/store.ts';
import { destinationById } from '../store/subscriptions.ts';
import { nextStep } from './delivery-modes.ts';
import { insertEnded, type Outcome } from './outcomes.ts';
import { nextPause, type RetryProfile } from './schedule.ts';
import type { Sender, SendResult } from './send.ts';

export interface AttemptDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly decisions: Decisions;
  readonly sender: Sender;
  readonly retries: RetryProfile;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}

/**
 * Makes one delivery attempt and returns the outcome to store (Events › Delivery headers). If the subscription has no destination, the
 * delivery goes to the inbox. The inbox acknowledges every delivery.
 */
export async function attempt(due: ClaimedDelivery, deps: AttemptDeps): Promise<Outcome> {
  const { store, clock, ids } = deps;
  const { sentAt, destination, result, acknowledged, received } = await transmit(due, deps);
  const number = due.attempts + 1;
  const deciding = nextStep(store.db, { deliveryId: due.id, number, acknowledged }, destination?.mode ?? null);
  const { next, finalState } = deciding instanceof Promise ? await deciding : deciding;
  const pause = destination === undefined || next === 'stop' ? undefined : next === 'duplicate' ? 0 : pauseAfter(result, number, deps);
  const state = pause === undefined ? finalState : 'pending';
  const dueAt = pause === undefined ? null : clock.now() + pause;
  return {
    subscriptionId: due.subscriptionId,
    claim: due.claim,
    state,
    dueAt,
    attempt: {
      id: ids.uuid(),
      deliveryId: due.id,
      number,
      ...attemptOf(sentAt, result),
      ...(acknowledged && next === 'retry' && { error: DROPPED }),
      nextAt: dueAt === null ? null : new Date(dueAt).toISOString(),
    },
    ...(received && { received }),
  };
}

/**
 * Sends a delivery once more, beside its own attempts: its state, its retry schedule and the numbers of its attempts stay the same. The log
 * of attempts has the duplicate with the number 0.
 */
export async function sendDuplicate(delivery: Sendable, deps: Pick<AttemptDeps, keyof TransmitDeps | 'ids'>): Promise<Attempt> {
  const { sentAt, result, received } = await transmit(delivery, deps);
  const { id: deliveryId, subscriptionId } = delivery;
  const attempt = { id: deps.ids.uuid(), deliveryId, number: 0, ...attemptOf(sentAt, result), nextAt: null };
  await deps.store.write((tx) => insertEnded(tx, [{ subscriptionId, attempt, ...(received && { received }) }]));
  return attempt;
}

type Sendable = Pick<ClaimedDelivery, 'id' | 'eventId' | 'subscriptionId' | 'body' | 'headers'>;
type TransmitDeps = Pick<AttemptDeps, 'store' | 'clock' | 'decisions' | 'sender'>;

/** Sends a delivery to the destination of its subscription, or puts it into the inbox if there is none. */
async function transmit(delivery: Sendable, { store, clock, decisions, sender }: TransmitDeps) {
  const sentAt = clock.now();
  const destination = await destinationById.first(store.db, { id: delivery.subscriptionId });
  const headers = headersOf(delivery, { sentAt, offset: clock.offset, secret: destination?.secret }, decisions);
  const url = destination?.url ?? undefined;
  const result: SendResult =
    destination === undefined
      ? { error: 'The subscription was deleted.', durationMs: 0 }
      : url === undefined
        ? { status: 204, durationMs: 0 }
        : await sender.send(url, headers, delivery.body);
  const acknowledged = 'status' in result && isAcknowledgement(result.status);
  const received = acknowledged && url === undefined ? { headers: JSON.stringify(headers), body: delivery.body } : undefined;
  return { sentAt, destination, result, acknowledged, received };
}

const attemptOf = (sentAt: number, result: SendResult) => ({
  at: new Date(sentAt).toISOString(),
  durationMs: Math.round(result.durationMs),
  status: 'status' in result ? result.status : null,
  error: 'error' in result ? result.error : null,
});

const DROPPED = 'The acknowledgement was dropped on purpose, because of the delivery mode of the subscription.';

function pauseAfter(result: SendResult, attempts: number, { retries, clock, random }: AttemptDeps): number | undefined {
  const retryAfter = 'status' in result ? result.retryAfter : undefined;
  return nextPause(retries, { attempts, retryAfter, now: clock.now() }, random);
}
