import type { components } from '../contract/generated/control.ts';
import { isAcknowledgement } from '../domain/deliveries.ts';
import { answeredAttempts } from '../store/deliveries.ts';
import type { Executor } from '../store/engine.ts';

type DeliveryMode = components['schemas']['DeliveryMode'];

interface NextStep {
  /** `stop`: no further attempt. `duplicate`: sent again immediately. `retry`: follows the retry schedule. */
  readonly next: 'stop' | 'duplicate' | 'retry';
  /** The delivery's state if no attempt follows. An acknowledged delivery stays `acknowledged`, even if a duplicate fails. */
  readonly finalState: 'acknowledged' | 'exhausted';
}

interface EndedAttempt {
  readonly deliveryId: string;
  /** This attempt's number, starting at 1. */
  readonly number: number;
  readonly acknowledged: boolean;
}

/**
 * Decides what follows an attempt. Call this function before storing the attempt. A delivery mode can ignore the first acknowledgements
 * and then send duplicates. A failed duplicate is not retried.
 * @param mode the delivery mode as JSON; null if there is none
 */
export function decideNextStep(db: Executor, ended: EndedAttempt, mode: string | null): NextStep | Promise<NextStep> {
  const { dropAcknowledgement = 0, duplicate = 0 } = mode === null ? {} : (JSON.parse(mode) as DeliveryMode);
  // In these two common cases, earlier attempts do not matter, so no query is needed.
  if (ended.acknowledged && dropAcknowledgement + duplicate === 0) return { next: 'stop', finalState: 'acknowledged' };
  if (!ended.acknowledged && ended.number === 1) return { next: 'retry', finalState: 'exhausted' };
  return decideNextStepFromEarlierAttempts(db, ended, { dropAcknowledgement, duplicate });
}

async function decideNextStepFromEarlierAttempts(
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
