import type { components } from '../contract/generated/control.ts';
import { isAcknowledgement } from '../domain/deliveries.ts';
import { answeredAttempts } from '../store/deliveries.ts';
import type { Executor } from '../store/engine.ts';

type DeliveryMode = components['schemas']['DeliveryMode'];

/** The action after an attempt. */
export interface NextStep {
  /**
   * `stop` makes no further attempt. `duplicate` sends the delivery again immediately. `retry` follows the retry schedule, which may have
   * no attempts left.
   */
  readonly next: 'stop' | 'duplicate' | 'retry';
  /** The delivery's state if no further attempt is made. An acknowledged delivery stays `acknowledged` even if a duplicate fails. */
  readonly finalState: 'acknowledged' | 'exhausted';
}

interface EndedAttempt {
  readonly deliveryId: string;
  /** This attempt's number, starting at 1. */
  readonly number: number;
  readonly acknowledged: boolean;
}

/**
 * Decides the action after an attempt that has ended but has not been stored. A delivery mode can ignore a delivery's first
 * acknowledgements. It can also send duplicates after the first acknowledgement that it does not ignore. Each duplicate is sent once,
 * whatever the receiver responds.
 * @param mode the subscription's delivery mode, as JSON; null if the subscription has none
 */
export function decideNextStep(db: Executor, ended: EndedAttempt, mode: string | null): NextStep | Promise<NextStep> {
  const { dropAcknowledgement = 0, duplicate = 0 } = mode === null ? {} : (JSON.parse(mode) as DeliveryMode);
  // In the two common cases below, the decision does not depend on earlier attempts, so no query is needed.
  if (ended.acknowledged && dropAcknowledgement + duplicate === 0) return { next: 'stop', finalState: 'acknowledged' };
  if (!ended.acknowledged && ended.number === 1) return { next: 'retry', finalState: 'exhausted' };
  return decideByEarlierAttempts(db, ended, { dropAcknowledgement, duplicate });
}

async function decideByEarlierAttempts(
  db: Executor,
  { deliveryId, number, acknowledged }: EndedAttempt,
  { dropAcknowledgement, duplicate }: { readonly dropAcknowledgement: number; readonly duplicate: number },
): Promise<NextStep> {
  const earlier = (await answeredAttempts(db, { deliveryId })).filter(({ status }) => isAcknowledgement(Number(status)));
  const countedNumber = [...earlier.map((attempt) => Number(attempt.number)), ...(acknowledged ? [number] : [])][dropAcknowledgement];
  if (countedNumber === undefined) return { next: 'retry', finalState: 'exhausted' };
  const attemptsSince = number - countedNumber;
  if (attemptsSince < duplicate) return { next: 'duplicate', finalState: 'acknowledged' };
  return { next: acknowledged || attemptsSince === duplicate ? 'stop' : 'retry', finalState: 'acknowledged' };
}
