import type { components } from '../contract/generated/control.ts';
import { countEntities } from '../store/counts.ts';
import type { ControlHandlers } from './handler.ts';
import { refuseReset } from './snapshots.ts';

/** POST /_control/reset: options and snapshots survive; the journal is empty; faults, the clock and rate windows are as at the start, or the clock as in the snapshot. */
export const reset: Pick<ControlHandlers, 'reset'> = {
  async reset({ body }, deps) {
    const { to } = body as components['schemas']['Reset'];
    if (!(await deps.reset(to))) return refuseReset(deps.store.db, to);
    deps.forget();
    // Its entries are of the world that is gone.
    deps.journal.clear();
    return { status: 200, body: { world: deps.world.name, entities: await countEntities(deps.store.db) } };
  },
};
