import { milliseconds } from '../clock/duration.ts';
import type { components } from '../contract/generated/control.ts';
import { WorldReplaced } from '../service/world-state.ts';
import { countPending } from '../store/delivery-list.ts';
import { type ControlDeps, type ControlHandlers, cannot } from './handler.ts';

type Schemas = components['schemas'];

/** Kit time, and how it is moved forward. */
export const clock: Pick<ControlHandlers, 'readClock' | 'advanceClock'> = {
  readClock: (_, deps) => ({ status: 200, body: present(deps) }),
  async advanceClock({ body }, deps) {
    const { by, maxWaitMs } = body as Schemas['Advance'];
    try {
      const { attempts, settled } = await deps.advance(milliseconds(by), maxWaitMs);
      const shown = attempts.map(({ deliveryId, state, number, at, durationMs, status, error, nextAt }): Schemas['AttemptOfDelivery'] => ({
        deliveryId,
        state,
        number,
        at,
        durationMs,
        ...(status !== null && { status }),
        ...(error !== null && { error }),
        ...(nextAt !== null && { nextAt }),
      }));
      const answer: Schemas['Advanced'] = { ...present(deps), attempts: shown, pending: await countPending(deps.store.db), settled };
      return { status: 200, body: answer };
    } catch (error) {
      if (error instanceof WorldReplaced)
        return cannot(
          'conflict',
          'Another world was loaded while kit time was moved forward. That has a time of its own, which was left as it is.',
        );
      if (error instanceof RangeError) return cannot('invalid', error.message);
      throw error;
    }
  },
};

function present({ clock: { now, offset }, ids }: ControlDeps): Schemas['Clock'] {
  return { now: new Date(now()).toISOString(), offsetMs: offset, position: ids.uuid() };
}
