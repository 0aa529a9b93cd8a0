import type { components } from '../contract/generated/control.ts';
import { countEntities } from '../store/counts.ts';
import type { ControlHandlers } from './handler.ts';
import { refuseReset } from './snapshots.ts';

/** POST /_control/reset keeps the options and the snapshots and empties the journal. Faults, clock and rate windows are as at the start; a snapshot restores its own clock. */
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
