import type { components } from '../contract/generated/control.ts';
import { type EntityChange, listChanges } from '../store/entity-changes.ts';
import type { ControlHandlers } from './handler.ts';

const DEFAULT_LIMIT = 50;

export const changeHandlers: Pick<ControlHandlers, 'listChanges'> = {
  async listChanges({ query: { entity, before, limit = DEFAULT_LIMIT } }, { store }) {
    return { status: 200, body: (await listChanges(store.db, { entity, before }, limit)).map(toChange) };
  },
};

const toChange = ({ entity_id: entityId, difference, ...change }: EntityChange): components['schemas']['Change'] => ({
  ...(change as Omit<components['schemas']['Change'], 'entityId'>),
  entityId,
  ...(difference !== null && { difference: JSON.parse(difference) }),
});
