import { findNames, searchNames } from '../world/names.ts';
import type { ControlHandlers } from './handler.ts';

const DEFAULT_LIMIT = 20;

export const nameHandlers: Pick<ControlHandlers, 'findNames'> = {
  findNames: async ({ body: { text = '', search, collections, limit = DEFAULT_LIMIT } }, { store: { db } }) => ({
    status: 200,
    body: search === undefined ? await findNames(db, text) : await searchNames(db, search, limit, collections),
  }),
};
