import type { components } from '../contract/generated/control.ts';
import { isAcknowledgement } from '../domain/deliveries.ts';
import { answeredAttempts } from '../store/deliveries.ts';
import type { Executor } from '../store/engine.ts';

type DeliveryMode = components['schemas']['DeliveryMode'];

/** What follows an attempt. */
export interface Judgement {
  /** Nothing; the same once more at once, on purpose; or, as far as the schedule goes, a repeat. */
  readonly next: 'end' | 'again' | 'repeat';
  /** The state of the delivery when nothing follows: what was acknowledged once stays so, whatever becomes of later attempts. */
  readonly over: 'acknowledged' | 'exhausted';
}

interface Ended {
  readonly deliveryId: string;
  /** From 1. */
  readonly number: number;
  readonly acknowledged: boolean;
}

/**
 * Judges an attempt that has ended and is not in the log yet. The first acknowledgements are lost, if the mode wants that; the one after them counts;
 * then come the duplicates, each sent once, whatever it is answered with.
 *
 * @param mode of the subscription, as JSON; null where it has none.
 */
export async function judge(db: Executor, { deliveryId, number, acknowledged }: Ended, mode: string | null): Promise<Judgement> {
  const { dropAcknowledgement: lost = 0, duplicate = 0 } = mode === null ? {} : (JSON.parse(mode) as DeliveryMode);
  // Most deliveries, and nothing to look up.
  if (acknowledged && lost + duplicate === 0) return { next: 'end', over: 'acknowledged' };
  if (!acknowledged && number === 1) return { next: 'repeat', over: 'exhausted' };
  const earlier = (await answeredAttempts(db, { deliveryId })).filter(({ status }) => isAcknowledgement(Number(status)));
  const counting = [...earlier.map((attempt) => Number(attempt.number)), ...(acknowledged ? [number] : [])][lost];
  if (counting === undefined) return { next: 'repeat', over: 'exhausted' };
  const since = number - counting;
  if (since < duplicate) return { next: 'again', over: 'acknowledged' };
  return { next: acknowledged || since === duplicate ? 'end' : 'repeat', over: 'acknowledged' };
}
