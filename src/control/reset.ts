import type { components } from '../contract/generated/control.ts';
import { countEntities } from '../store/counts.ts';
import type { ControlHandlers } from './handler.ts';

/** POST /_control/reset: options survive, faults and rate windows go. */
export const reset: Pick<ControlHandlers, 'reset'> = {
  async reset({ body }, deps) {
    const { to } = body as components['schemas']['Reset'];
    await deps.reset(to);
    deps.faults.clear();
    deps.forget();
    return { status: 200, body: { world: deps.world.name, entities: await countEntities(deps.store.db) } };
  },
};
