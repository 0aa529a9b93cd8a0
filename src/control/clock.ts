import { milliseconds } from '../clock/duration.ts';
import type { components } from '../contract/generated/control.ts';
import { type ControlDeps, type ControlHandlers, cannot } from './handler.ts';

/** Kit time, and how it is moved forward. */
export const clock: Pick<ControlHandlers, 'readClock' | 'advanceClock'> = {
  readClock: (_, deps) => ({ status: 200, body: present(deps) }),
  async advanceClock({ body }, deps) {
    const { by } = body as components['schemas']['Advance'];
    try {
      await deps.world.advance(milliseconds(by));
    } catch (error) {
      if (error instanceof RangeError) return cannot('invalid', error.message);
      throw error;
    }
    return { status: 200, body: present(deps) };
  },
};

function present({ clock: { now, offset } }: ControlDeps): components['schemas']['Clock'] {
  return { now: new Date(now()).toISOString(), offsetMs: offset };
}
