import { prepared } from './prepared.ts';

/** Subscriptions that may want an event of this Experience. */
export const subscriptionsFor = prepared((db, p: { providerId: string; experienceId: string }) =>
  db
    .selectFrom('subscriptions')
    .select(['id', 'types'])
    .where('provider_id', '=', p.providerId)
    .where((eb) => eb.or([eb('experience_id', 'is', null), eb('experience_id', '=', p.experienceId)]))
    .orderBy('id'),
);

type EventRow = { id: string; type: string; timestamp: string; providerId: string; experienceId: string; entityId: string; data: string };

export const insertEvent = prepared((db, p: EventRow) =>
  db.insertInto('events').values({
    id: p.id,
    type: p.type,
    timestamp: p.timestamp,
    provider_id: p.providerId,
    experience_id: p.experienceId,
    entity_id: p.entityId,
    data: p.data,
  }),
);

/** @param dueAt kit time, in milliseconds since the Unix epoch. */
type DeliveryRow = { id: string; eventId: string; subscriptionId: string; body: string; createdAt: string; dueAt: number };

export const insertDelivery = prepared((db, p: DeliveryRow) =>
  db.insertInto('deliveries').values({
    id: p.id,
    event_id: p.eventId,
    subscription_id: p.subscriptionId,
    body: p.body,
    created_at: p.createdAt,
    state: 'pending',
    attempts: 0,
    due_at: p.dueAt,
    claim: null,
    claimed_until: null,
  }),
);
