import { findNames } from '../world/names.ts';
import type { ControlHandlers } from './handler.ts';

export const nameHandlers: Pick<ControlHandlers, 'findNames'> = {
  findNames: async ({ body: { text } }, { store }) => ({ status: 200, body: await findNames(store.db, text) }),
};
