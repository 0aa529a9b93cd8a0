import type { EntityType } from '../entity.ts';

export const providers: EntityType<'providers', never> = {
  references: {},
  affectsCallers: true,
  toRow: ({ entity: { name } }) => ({ name }),
  toMembers: ({ name }) => ({ name }),
};
