import type { EntityType } from '../entity.ts';

export const providers: EntityType<'providers', never> = {
  schema: 'Provider',
  references: {},
  columns: ['name'],
  blockedBy: ['experiences', 'clients', 'subscriptions'],
  affectsCallers: true,
  toRow: ({ entity: { name } }) => ({ name }),
  toMembers: ({ name }) => ({ name }),
};
