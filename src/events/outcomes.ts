import { type Attempt, insertAttempt, settle } from '../store/deliveries.ts';
import type { Executor } from '../store/engine.ts';
import { insertRow } from '../store/prepared.ts';
import type { DeliveryState } from '../store/schema.ts';

/** The outcome of an attempt that has ended but is not stored. */
export interface Outcome {
  readonly subscriptionId: string;
  /**
   * The id of the claim under which the attempt was made. If the delivery has another claim when the outcome is stored, the outcome is
   * dropped.
   */
  readonly claim: string;
  readonly state: Extract<DeliveryState, 'pending' | 'acknowledged' | 'exhausted'>;
  /** The kit time of the next attempt, in milliseconds since the Unix epoch. */
  readonly dueAt: number;
  readonly attempt: Attempt;
  /** The message for the inbox, if the subscription has no destination. */
  readonly received?: { readonly headers: string; readonly body: string };
}

/**
 * Stores an outcome and its attempt. If the process ends before the outcome is stored, the delivery is sent again, so a receiver gets each
 * delivery at least once.
 * @returns false, and stores nothing, if the claim was lost or the world was replaced during the attempt
 */
export async function saveOutcome(tx: Executor, { subscriptionId, claim, state, dueAt, attempt, received }: Outcome): Promise<boolean> {
  const { deliveryId, number } = attempt;
  if ((await settle.change(tx, { id: deliveryId, claim, state, attempts: number, dueAt })) === 0) return false;
  await insertAttempt(tx, attempt);
  if (received)
    await insertRow(tx, 'inbox', {
      id: attempt.id,
      delivery_id: deliveryId,
      subscription_id: subscriptionId,
      received_at: attempt.at,
      ...received,
    });
  return true;
}
