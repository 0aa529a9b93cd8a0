import { getSigningSecret } from '../../domain/deliveries.ts';
import type { EntityType } from '../entity.ts';

/** Subscriptions to the events of one or all of a provider's Experiences (Events › Subscription). */
export const subscriptions: EntityType<'subscriptions', 'provider' | 'experience'> = {
  references: { provider: 'providers', experience: 'experiences' },
  fixed: ['provider'],
  toRow({ id, entity, ids }, check) {
    const { experience } = ids as { experience?: string };
    const owner = experience === undefined ? ids.provider : check.getRow('experiences', experience)?.provider_id;
    if (owner !== undefined && owner !== ids.provider) {
      check.reportProblem(
        ['experience'],
        `"${entity.experience}" belongs to another provider. A provider can subscribe only to its own Experiences.`,
      );
    }
    const reordered = entity.mode?.reorder === undefined ? null : 0;
    return {
      provider_id: ids.provider,
      experience_id: experience ?? null,
      types: JSON.stringify(entity.types),
      destination_url: entity.destinationUrl ?? null,
      secret: getSigningSecret({ id, secret: entity.secret }),
      mode: entity.mode === undefined ? null : JSON.stringify(entity.mode),
      reorder_ordinal: reordered,
      reorder_opened_at: reordered,
    };
  },
  toMembers({ id, types, destination_url, secret, mode }) {
    return {
      types: JSON.parse(types),
      ...(destination_url !== null && { destinationUrl: destination_url }),
      secret: getSigningSecret({ id, secret }),
      ...(mode !== null && { mode: JSON.parse(mode) }),
    };
  },
  writes: {
    async update({ tx }, { id, row: { reorder_ordinal, reorder_opened_at, ...columns }, named }) {
      // A request with a delivery mode starts the reordering again, even if the mode stays the same.
      const order = named.has('mode') || columns.mode === null ? { reorder_ordinal, reorder_opened_at } : {};
      await tx
        .updateTable('subscriptions')
        .set({ ...columns, ...order })
        .where('id', '=', id)
        .execute();
    },
  },
};
