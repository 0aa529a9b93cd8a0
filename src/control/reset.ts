import type { components } from '../contract/generated/control.ts';
import { countEntities } from '../store/counts.ts';
import type { ControlHandlers } from './handler.ts';

/** POST /_control/reset: options survive; faults, the clock and rate windows are as at the start. */
export const reset: Pick<ControlHandlers, 'reset'> = {
  async reset({ body }, deps) {
    const { to } = body as components['schemas']['Reset'];
    await deps.reset(to);
    deps.forget();
    return { status: 200, body: { world: deps.world.name, entities: await countEntities(deps.store.db) } };
  },
};
