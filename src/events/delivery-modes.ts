import type { components } from '../contract/generated/control.ts';
import { isAcknowledgement } from '../domain/deliveries.ts';
import { answeredAttempts } from '../store/deliveries.ts';
import type { Executor } from '../store/engine.ts';

type DeliveryMode = components['schemas']['DeliveryMode'];

/** What follows an attempt. */
export interface NextStep {
  /** Nothing; a duplicate at once; or a retry, if the schedule has one left. */
  readonly next: 'stop' | 'duplicate' | 'retry';
  /** The final state of the delivery if nothing follows. A later failure does not undo an acknowledgement. */
  readonly finalState: 'acknowledged' | 'exhausted';
}

interface EndedAttempt {
  readonly deliveryId: string;
  /** From 1. */
  readonly number: number;
  readonly acknowledged: boolean;
}

/**
 * Decides what follows an attempt that has ended but is not stored yet. The mode can drop the first acknowledgements; the one after them counts. Then the
 * duplicates follow, each sent once, whatever the receiver answers.
 *
 * @param mode of the subscription, as JSON; null if it has none.
 */
export async function nextStep(db: Executor, { deliveryId, number, acknowledged }: EndedAttempt, mode: string | null): Promise<NextStep> {
  const { dropAcknowledgement: dropped = 0, duplicate = 0 } = mode === null ? {} : (JSON.parse(mode) as DeliveryMode);
  // The common cases need no query.
  if (acknowledged && dropped + duplicate === 0) return { next: 'stop', finalState: 'acknowledged' };
  if (!acknowledged && number === 1) return { next: 'retry', finalState: 'exhausted' };
  const earlier = (await answeredAttempts(db, { deliveryId })).filter(({ status }) => isAcknowledgement(Number(status)));
  const counting = [...earlier.map((attempt) => Number(attempt.number)), ...(acknowledged ? [number] : [])][dropped];
  if (counting === undefined) return { next: 'retry', finalState: 'exhausted' };
  const since = number - counting;
  if (since < duplicate) return { next: 'duplicate', finalState: 'acknowledged' };
  return { next: acknowledged || since === duplicate ? 'stop' : 'retry', finalState: 'acknowledged' };
}
