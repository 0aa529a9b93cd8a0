import type { Executor } from './engine.ts';
import { prepared } from './prepared.ts';
import type { DeliveryState } from './schema.ts';

/** Subscriptions that may want an event of this Experience, with their delivery modes as JSON, or null. */
export const subscriptionsFor = prepared((db, p: { providerId: string; experienceId: string }) =>
  db
    .selectFrom('subscriptions')
    .select(['id', 'types', 'mode'])
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

interface DeliveryRow {
  id: string;
  eventId: string;
  subscriptionId: string;
  body: string;
  /** JSON; none when left out. */
  headers?: string | null;
  createdAt: string;
  /** `pending` when left out. */
  state?: DeliveryState;
  /** Kit time, in milliseconds since the Unix epoch. */
  dueAt: number;
}

const insertRow = prepared((db, p: Required<DeliveryRow>) =>
  db.insertInto('deliveries').values({
    id: p.id,
    event_id: p.eventId,
    subscription_id: p.subscriptionId,
    body: p.body,
    headers: p.headers,
    created_at: p.createdAt,
    state: p.state,
    attempts: 0,
    due_at: p.dueAt,
    claim: null,
    claimed_until: null,
  }),
);

export async function insertDelivery(tx: Executor, delivery: DeliveryRow): Promise<void> {
  await insertRow(tx, { state: 'pending', headers: null, ...delivery });
}
