import { type Attempt, insertAttempt, insertReceived, settle } from '../store/deliveries.ts';
import type { Executor } from '../store/engine.ts';
import { commitTogether, type Waiting } from '../store/group-commit.ts';
import type { DeliveryState } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** The outcome of an attempt, to be stored. */
export interface Outcome {
  readonly subscriptionId: string;
  /** If the claim was lost meanwhile, nothing is stored. */
  readonly claim: string;
  readonly state: Extract<DeliveryState, 'pending' | 'acknowledged' | 'exhausted'>;
  /** Kit time of the next attempt, in milliseconds since the Unix epoch. */
  readonly dueAt: number;
  readonly attempt: Attempt;
  /** The message for the inbox, if the subscription has no destination. */
  readonly received?: { readonly headers: string; readonly body: string };
}

export interface Outcomes {
  /** @returns false, and stores nothing, if the claim was lost or the world was replaced meanwhile. */
  save(outcome: Outcome): Promise<boolean>;
}

/** Outcomes in one transaction at most. */
const MAX_GROUP = 64;
/** Wall milliseconds that an outcome waits for others. */
const WAIT_MS = 10;

interface WaitingOutcome extends Waiting {
  readonly deliveryId: string;
}

/**
 * Stores the outcomes of attempts that end at about the same time in one transaction, because a transaction costs far more than its writes. If the process
 * dies meanwhile, the deliveries are sent again: delivery is at least once.
 *
 * @param anyInFlight whether further attempts are in flight. If not, an outcome does not wait.
 */
export function createOutcomes(store: Store, anyInFlight: () => boolean): Outcomes {
  let waiting: WaitingOutcome[] = [];
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const group = waiting;
    waiting = [];
    // The same order in every replica prevents deadlocks when one replica has lost its claims to another.
    const inOrder = group.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
    void commitTogether(store.write, group, inOrder);
  }

  return {
    save: (outcome) =>
      new Promise((resolve, reject) => {
        waiting.push({ deliveryId: outcome.attempt.deliveryId, work: (tx) => saveOutcome(tx, outcome), resolve, reject });
        if (waiting.length >= MAX_GROUP || !anyInFlight()) flush();
        else timer ??= setTimeout(flush, WAIT_MS);
      }),
  };
}

async function saveOutcome(tx: Executor, { subscriptionId, claim, state, dueAt, attempt, received }: Outcome): Promise<boolean> {
  const { deliveryId, number } = attempt;
  if ((await settle.change(tx, { id: deliveryId, claim, state, attempts: number, dueAt })) === 0) return false;
  await insertAttempt(tx, attempt);
  if (received)
    await insertReceived(tx, {
      id: attempt.id,
      delivery_id: deliveryId,
      subscription_id: subscriptionId,
      received_at: attempt.at,
      ...received,
    });
  return true;
}
