import { toMilliseconds } from '../clock/duration.ts';
import type { components } from '../contract/generated/control.ts';
import { WorldReplaced } from '../service/world-state.ts';
import { countPending } from '../store/delivery-list.ts';
import { toAttempt } from './delivery-views.ts';
import { type ControlDeps, type ControlHandlers, refuseRequest } from './handler.ts';

type Schemas = components['schemas'];

export const clockHandlers: Pick<ControlHandlers, 'readClock' | 'advanceClock'> = {
  readClock: (_, deps) => ({ status: 200, body: readClock(deps) }),
  async advanceClock({ body: { by, maxWaitMs } }, deps) {
    try {
      return { status: 200, body: await advanceClock(toMilliseconds(by), maxWaitMs, deps) };
    } catch (error) {
      if (error instanceof WorldReplaced)
        return refuseRequest('conflict', 'Another world was loaded during the request. The kit time of the new world was not changed.');
      if (error instanceof RangeError) return refuseRequest('invalid', error.message);
      throw error;
    }
  },
};

type AdvanceDeps = Pick<ControlDeps, 'advance' | 'clock' | 'ids' | 'store'>;

/** @throws the same errors as `ControlDeps.advance` */
export async function advanceClock(ms: number, maxWaitMs: number | undefined, deps: AdvanceDeps): Promise<Schemas['Advanced']> {
  const { attempts, settled } = await deps.advance(ms, maxWaitMs);
  return {
    ...readClock(deps),
    attempts: attempts.map((attempt) => ({ deliveryId: attempt.deliveryId, state: attempt.state, ...toAttempt(attempt) })),
    pending: await countPending(deps.store.db),
    settled,
  };
}

function readClock({ clock: { now, offset }, ids }: Pick<ControlDeps, 'clock' | 'ids'>): Schemas['Clock'] {
  return { now: new Date(now()).toISOString(), offsetMs: offset, position: ids.uuid() };
}
