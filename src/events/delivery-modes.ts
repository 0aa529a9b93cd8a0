import type { components } from '../contract/generated/control.ts';
import { acknowledgements } from '../store/delivery-modes.ts';
import type { Executor } from '../store/engine.ts';

type DeliveryMode = components['schemas']['DeliveryMode'];

/** What an acknowledgement is taken for: the end of the delivery, nothing (as if it never came), or a reason to send it once more on purpose. */
export type Taken = 'end' | 'lost' | 'again';

/**
 * What an acknowledgement is taken for. The first ones are lost, then come the duplicates.
 *
 * @param mode of the subscription, as JSON; null where it has none.
 */
export async function takenFor(db: Executor, deliveryId: string, mode: string | null): Promise<Taken> {
  if (mode === null) return 'end';
  const { dropAcknowledgement: lost = 0, duplicate = 0 } = JSON.parse(mode) as DeliveryMode;
  if (lost + duplicate === 0) return 'end';
  const earlier = Number((await acknowledgements.first(db, { deliveryId }))?.count ?? 0);
  if (earlier < lost) return 'lost';
  return earlier < lost + duplicate ? 'again' : 'end';
}
