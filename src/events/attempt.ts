import type { Clock } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import { isAcknowledgement } from '../domain/deliveries.ts';
import { createConfiguredHeaders } from '../domain/delivery-headers.ts';
import type { ClaimedDelivery } from '../store/claims.ts';
import type { Attempt } from '../store/deliveries.ts';
import type { Store } from '../store/store.ts';
import { destinationById } from '../store/subscriptions.ts';
import { decideNextStep } from './delivery-modes.ts';
import { insertEndedAttempts, type Outcome } from './outcomes.ts';
import { LISTENER_URL } from './relay.ts';
import { getNextPause, type RetryProfile } from './schedule.ts';
import type { Sender, SendResult } from './send.ts';

export interface AttemptDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly decisions: Decisions;
  readonly sender: Sender;
  /** Passes a delivery to the subscription's listener. Returns undefined if there is none. */
  readonly relay: (subscriptionId: string, headers: Readonly<Record<string, string>>, body: string) => Promise<SendResult> | undefined;
  readonly retries: RetryProfile;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}

/** Makes one attempt (Events › Delivery headers). The inbox acknowledges each delivery that has no destination. */
export async function attemptDelivery(due: ClaimedDelivery, deps: AttemptDeps): Promise<Outcome> {
  const { store, clock, ids } = deps;
  const { sentAt, destination, result, acknowledged, received } = await transmit(due, deps);
  const number = due.attempts + 1;
  const deciding = decideNextStep(store.db, { deliveryId: due.id, number, acknowledged }, destination?.mode ?? null);
  const { next, finalState } = deciding instanceof Promise ? await deciding : deciding;
  const pause = destination === undefined || next === 'stop' ? undefined : next === 'duplicate' ? 0 : getPause(result, number, deps);
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
      ...toEndedAttempt(sentAt, result),
      ...(acknowledged && next === 'retry' && { error: DROPPED_MESSAGE }),
      nextAt: dueAt === null ? null : new Date(dueAt).toISOString(),
    },
    ...(received && { received }),
  };
}

/**
 * Sends a duplicate without changing the delivery's state, schedule or attempt numbers. The attempt log shows the duplicate as number 0.
 */
export async function sendDuplicate(delivery: Sendable, deps: Pick<AttemptDeps, keyof TransmitDeps | 'ids'>): Promise<Attempt> {
  const { sentAt, result, received } = await transmit(delivery, deps);
  const { id: deliveryId, subscriptionId } = delivery;
  const attempt = { id: deps.ids.uuid(), deliveryId, number: 0, ...toEndedAttempt(sentAt, result), nextAt: null };
  await deps.store.write((tx) => insertEndedAttempts(tx, [{ subscriptionId, attempt, ...(received && { received }) }]));
  return attempt;
}

export type Sendable = Pick<ClaimedDelivery, 'id' | 'eventId' | 'subscriptionId' | 'body' | 'headers'>;
type TransmitDeps = Pick<AttemptDeps, 'store' | 'clock' | 'decisions' | 'sender' | 'relay'>;

async function transmit(delivery: Sendable, { store, clock, decisions, sender, relay }: TransmitDeps) {
  const sentAt = clock.now();
  const destination = await destinationById.first(store.db, { id: delivery.subscriptionId });
  const headers = createConfiguredHeaders(delivery, { sentAt, offset: clock.offset, secret: destination?.secret }, decisions);
  const url = destination?.url ?? undefined;
  const result: SendResult =
    destination === undefined
      ? { error: 'The subscription was deleted.', durationMs: 0 }
      : url === undefined
        ? { status: 204, durationMs: 0 }
        : await (relay(delivery.subscriptionId, headers, delivery.body) ??
            (url === LISTENER_URL ? { error: NO_LISTENER_MESSAGE, durationMs: 0 } : sender.send(url, headers, delivery.body)));
  const acknowledged = 'status' in result && isAcknowledgement(result.status);
  const received = acknowledged && url === undefined ? { headers: JSON.stringify(headers), body: delivery.body } : undefined;
  return { sentAt, destination, result, acknowledged, received };
}

const toEndedAttempt = (sentAt: number, result: SendResult) => ({
  at: new Date(sentAt).toISOString(),
  durationMs: Math.round(result.durationMs),
  status: 'status' in result ? result.status : null,
  error: 'error' in result ? result.error : null,
});

const NO_LISTENER_MESSAGE = 'no listener is connected; start one with xpk listen';
const DROPPED_MESSAGE = "The subscription's delivery mode dropped the acknowledgement.";

function getPause(result: SendResult, attempts: number, { retries, clock, random }: AttemptDeps): number | undefined {
  const retryAfter = 'status' in result ? result.retryAfter : undefined;
  return getNextPause(retries, { attempts, retryAfter, now: clock.now() }, random);
}
