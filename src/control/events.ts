import { type GateFailure, isFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import { listDeliveries, listEvents } from '../store/delivery-list.ts';
import type { Tables } from '../store/schema.ts';
import { listSubscriptions } from '../store/subscriptions.ts';
import { findFilter, refuseUnknownType } from './deliveries.ts';
import { toDelivery, toEvent } from './delivery-views.ts';
import { explainRecipients, findSubject } from './explain/events.ts';
import { type ControlDeps, type ControlHandlers, refuseRequest } from './handler.ts';

type Schemas = components['schemas'];

const DEFAULT_LIMIT = 50;
export const eventHandlers: Pick<ControlHandlers, 'listEvents' | 'readEvent'> = {
  async listEvents({ query: { type, entity, subscription: name, state, before, limit = DEFAULT_LIMIT } }, deps) {
    const { db } = deps.store;
    const invalid = refuseUnknownType(type);
    if (invalid) return invalid;
    const entityId = entity === undefined ? undefined : ((await findSubject(db, entity))?.id ?? entity);
    const subscription = await findFilter(name, deps);
    if (isFailure(subscription)) return subscription;
    const rows = await listEvents(db, { type, entityId, before, state, subscriptionId: subscription.id }, limit);
    return { status: 200, body: await attachDeliveries(rows, deps) };
  },
  async readEvent({ params }, deps) {
    const row = await findEvent(params.event, deps);
    if (isFailure(row)) return row;
    const { db } = deps.store;
    const [event] = await attachDeliveries([row], deps);
    const deliveries = await listDeliveries(db, { eventId: row.id });
    const subscriptions = await explainRecipients(row, deliveries.reverse(), await listSubscriptions(db), deps);
    return { status: 200, body: { ...event, subscriptions } };
  },
};

async function attachDeliveries(
  eventRows: readonly Tables['events'][],
  { store, decisions }: ControlDeps,
): Promise<Schemas['EventWithDeliveries'][]> {
  const deliveries = await listDeliveries(store.db, { eventIds: eventRows.map(({ id }) => id) });
  const byEvent = Map.groupBy(deliveries.reverse(), ({ event_id }) => event_id);
  return eventRows.map((row) => ({ ...toEvent(row), deliveries: (byEvent.get(row.id) ?? []).map((each) => toDelivery(each, decisions)) }));
}

async function findEvent(id: string, { store: { db } }: ControlDeps): Promise<Tables['events'] | GateFailure> {
  // No event id contains a NUL character. PostgreSQL would refuse a query with one.
  const [row] = id.includes('\0') ? [] : await listEvents(db, { id }, 1);
  return row ?? refuseRequest('not-found', `There is no event "${id}". List the events with GET /_control/events.`);
}
