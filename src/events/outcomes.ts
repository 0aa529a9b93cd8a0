import { type Attempt, insertAttempt, insertReceived, settle } from '../store/deliveries.ts';
import type { Executor } from '../store/engine.ts';
import { commitTogether, type Waiting } from '../store/group-commit.ts';
import type { DeliveryState } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** What an attempt came to, to be written down. */
export interface Outcome {
  readonly subscriptionId: string;
  /** An attempt that has lost its claim writes nothing. */
  readonly claim: string;
  readonly state: Extract<DeliveryState, 'pending' | 'acknowledged' | 'exhausted'>;
  /** Kit time from which on it may be sent again, in milliseconds since the Unix epoch. */
  readonly dueAt: number;
  readonly attempt: Attempt;
  /** What the inbox gets, where the subscription has no destination. */
  readonly received?: { readonly headers: string; readonly body: string };
}

/** Writes down what attempts came to. */
export interface Outcomes {
  /** @returns false where the claim was lost meanwhile, or the world replaced: then nothing was written. */
  write(outcome: Outcome): Promise<boolean>;
}

/** So many share a transaction at most. */
const MOST = 64;
/** How long one that has ended waits for others, in wall milliseconds. */
const WAIT_MS = 10;

interface WaitingOutcome extends Waiting {
  readonly deliveryId: string;
}

/**
 * Attempts that end at about the same time are written down together: a transaction costs far more than what one of them writes. What is lost with
 * the process meanwhile is sent again: at least once.
 *
 * @param more whether others are under way: where there are none nobody waits for them.
 */
export function createOutcomes(store: Store, more: () => boolean): Outcomes {
  let waiting: WaitingOutcome[] = [];
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const group = waiting;
    waiting = [];
    // In one order everywhere: replicas that hold claims of the same deliveries, one of them lost, would else wait for each other.
    const inOrder = group.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
    void commitTogether(store.write, group, inOrder);
  }

  return {
    write: (outcome) =>
      new Promise((resolve, reject) => {
        waiting.push({ deliveryId: outcome.attempt.deliveryId, work: (tx) => writeDown(tx, outcome), resolve, reject });
        if (waiting.length >= MOST || !more()) flush();
        else timer ??= setTimeout(flush, WAIT_MS);
      }),
  };
}

async function writeDown(tx: Executor, { subscriptionId, claim, state, dueAt, attempt, received }: Outcome): Promise<boolean> {
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
