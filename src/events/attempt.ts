import type { Clock } from '../clock/clock.ts';
import type { Ids } from '../clock/ids.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import { isAcknowledgement, signingSecret } from '../domain/deliveries.ts';
import type { Due } from '../store/claims.ts';

import type { Store } from '../store/store.ts';
import { destinationOf } from '../store/subscriptions.ts';
import { judge } from './delivery-modes.ts';
import type { Outcome } from './outcomes.ts';
import { nextPause, type RetryProfile } from './schedule.ts';
import type { Sender, SendResult } from './send.ts';
import { signatureOf } from './signature.ts';

export interface AttemptDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly decisions: Decisions;
  readonly sender: Sender;
  readonly retries: RetryProfile;
  /** From 0 to 1. */
  readonly random: () => number;
}

/**
 * Makes one attempt of a delivery and says what is to be written down of it (Events › Delivery headers). Where the subscription has no destination it
 * goes to the inbox, which acknowledges everything.
 */
export async function attempt(due: Due, deps: AttemptDeps): Promise<Outcome> {
  const { store, clock, ids, decisions } = deps;
  const sentAt = clock.now();
  const destination = await destinationOf.first(store.db, { id: due.subscriptionId });
  const secret = signingSecret({ id: due.subscriptionId, secret: destination?.secret });
  const headers = headersOf(due, { sentAt, offset: clock.offset, secret }, decisions);
  const url = destination?.url ?? undefined;
  const result: SendResult =
    destination === undefined
      ? { error: 'The subscription was deleted.', durationMs: 0 }
      : url === undefined
        ? { status: 204, bodyTruncated: false, durationMs: 0 }
        : await deps.sender.send(url, headers, due.body);
  const number = due.attempts + 1;
  const acknowledged = 'status' in result && isAcknowledgement(result.status);
  const { next, over } = await judge(store.db, { deliveryId: due.id, number, acknowledged }, destination?.mode ?? null);
  const pause = destination === undefined || next === 'end' ? undefined : next === 'again' ? 0 : pauseAfter(result, number, deps);
  const state = pause === undefined ? over : 'pending';
  const dueAt = clock.now() + (pause ?? 0);
  return {
    subscriptionId: due.subscriptionId,
    claim: due.claim,
    state,
    dueAt,
    attempt: {
      id: ids.uuid(),
      deliveryId: due.id,
      number,
      at: new Date(sentAt).toISOString(),
      durationMs: Math.round(result.durationMs),
      status: 'status' in result ? result.status : null,
      error: 'error' in result ? result.error : acknowledged && next === 'repeat' ? LOST : null,
      nextAt: state === 'pending' ? new Date(dueAt).toISOString() : null,
    },
    ...(acknowledged && url === undefined && { received: { headers: JSON.stringify(headers), body: due.body } }),
  };
}

const LOST = 'The acknowledgement was dropped on purpose, as the delivery mode of the subscription wants it.';

/** Events › Delivery headers. `sentAt` is kit time, in milliseconds since the Unix epoch; `offset` is how far it is ahead of wall time. */
function headersOf(
  { id, eventId, body, headers }: Due,
  { sentAt, offset, secret }: { readonly sentAt: number; readonly offset: number; readonly secret: string },
  decisions: Decisions,
): Record<string, string> {
  const webhookId = decisions['events.webhook-id'] === 'same' ? eventId : id;
  const isSigned = decisions['events.delivery.signature'] === 'standard-webhooks';
  // A verifier compares a signed timestamp with its own clock, and refuses one that is minutes ahead.
  const isWallTime = isSigned && decisions['events.delivery.signed-timestamp'] === 'wall-time';
  const timestamp = String(Math.floor((isWallTime ? sentAt - offset : sentAt) / 1000));
  return {
    'content-type': 'application/json',
    ...(headers !== null && (JSON.parse(headers) as Record<string, string>)),
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    ...(isSigned && { 'webhook-signature': signatureOf(secret, webhookId, timestamp, body) }),
  };
}

function pauseAfter(result: SendResult, attempts: number, { decisions, retries, clock, random }: AttemptDeps): number | undefined {
  if ('status' in result && result.status === 410 && decisions['events.delivery.gone'] === 'ended') return undefined;
  const retryAfter = 'status' in result ? result.retryAfter : undefined;
  return nextPause(retries, { attempts, retryAfter, now: clock.now() }, random);
}
