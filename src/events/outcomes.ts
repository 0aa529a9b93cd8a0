import { announce } from '../store/changes.ts';
import { type Attempt, type DeliveryUpdate, insertAttempts, updateDeliveries } from '../store/deliveries.ts';
import type { Executor } from '../store/engine.ts';
import { insertRows } from '../store/prepared.ts';
import type { DeliveryState } from '../store/schema.ts';

export interface Outcome {
  readonly subscriptionId: string;
  /** The claim under which the attempt was made. If the delivery now has another claim, the outcome is dropped. */
  readonly claim: string;
  readonly state: Extract<DeliveryState, 'pending' | 'acknowledged' | 'exhausted'>;
  /** The next attempt's kit time, in milliseconds since the Unix epoch; null if there is none. */
  readonly dueAt: number | null;
  readonly attempt: Attempt;
  /** Set only for a subscription without a destination, because only such a subscription uses the inbox. */
  readonly received?: { readonly headers: string; readonly body: string };
}

/**
 * Stores outcomes and their attempts. A delivery without a stored outcome is sent again.
 * @returns whether each outcome was stored; false if its claim was lost or the world was replaced
 */
export async function saveOutcomes(tx: Executor, outcomes: readonly Outcome[]): Promise<boolean[]> {
  // Most outcomes in a group are equal, so one statement can store them.
  const groups = new Map<string, DeliveryUpdate & { readonly claims: Record<string, string> }>();
  for (const { state, dueAt, claim, attempt } of outcomes) {
    const key = `${state} ${attempt.number} ${dueAt}`;
    const group = groups.get(key) ?? { state, attempts: attempt.number, dueAt, claims: {} };
    group.claims[attempt.deliveryId] = claim;
    groups.set(key, group);
  }
  const settled = new Map<string, string>();
  for (const { claims, ...settlement } of groups.values()) {
    for (const id of await updateDeliveries(tx, settlement, claims)) settled.set(id, claims[id]!);
  }
  if (outcomes.some(({ dueAt }) => dueAt !== null)) announce(tx, 'due');
  const isStored = ({ claim, attempt }: Outcome) => settled.get(attempt.deliveryId) === claim;
  await insertEndedAttempts(tx, outcomes.filter(isStored));
  return outcomes.map(isStored);
}

export async function insertEndedAttempts(
  tx: Executor,
  ended: readonly Pick<Outcome, 'subscriptionId' | 'attempt' | 'received'>[],
): Promise<void> {
  await insertAttempts(
    tx,
    ended.map(({ attempt }) => attempt),
  );
  const received = ended.flatMap(({ subscriptionId, attempt: { id, deliveryId, at }, received }) =>
    received === undefined
      ? []
      : [{ id, delivery_id: deliveryId, subscription_id: subscriptionId, received_at: at, headers: received.headers, body: received.body }],
  );
  await insertRows(tx, 'inbox', received);
}
