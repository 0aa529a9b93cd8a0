import { FailureError, type GateFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import type { EventType } from '../contract/generated/events.ts';
import { listDeliveries } from '../store/delivery-list.ts';
import { refuseUnknownType } from './deliveries.ts';
import { toDelivery } from './delivery-views.ts';
import type { ControlDeps, ControlHandlers, ControlResponse } from './handler.ts';
import { EVENT_TRIGGERS } from './trigger/event-triggers.ts';
import { createWorldEditor, type TriggerRequest } from './trigger/world-editor.ts';

type Delivery = components['schemas']['Delivery'];

/** Creates, changes or deletes an entity, so that the kit publishes an event of a type. */
export const triggerHandlers: Pick<ControlHandlers, 'triggerEvent'> = {
  async triggerEvent({ params, query: { as }, body }, deps) {
    const invalid = refuseUnknownType(params.event);
    if (invalid) return invalid;
    return triggerEvent(params.event as EventType, { ...body, ...(as && { as }) }, deps).catch((error: unknown) => {
      if (error instanceof FailureError) return error.failure as GateFailure;
      throw error;
    });
  },
};

async function triggerEvent(type: EventType, request: TriggerRequest, deps: ControlDeps): Promise<ControlResponse> {
  const { store, ids, decisions } = deps;
  const editor = await createWorldEditor(type, request, deps);
  const since = ids.uuid();
  const entityId = await EVENT_TRIGGERS[type](editor);
  const newest = await listDeliveries(store.db, { since }, 1000);
  const caused = newest.filter((row) => editor.changed.has(row.entity_id)).map((row) => toDelivery(row, decisions));
  const isRequested = (delivery: Delivery) => delivery.entityId === entityId && delivery.type === type;
  // Sort the deliveries by subscription name, the requested subscription first, because the order of delivery ids is undefined.
  const getName = ({ subscription, subscriptionId }: Delivery) => subscription ?? subscriptionId;
  const sortKey = (delivery: Delivery) => (getName(delivery) === request.subscription ? '' : getName(delivery));
  const deliveries = caused.filter(isRequested).sort((a, b) => sortKey(a).localeCompare(sortKey(b)));
  const also = caused.filter((delivery) => !isRequested(delivery));
  return { status: 201, body: { type, entityId, did: editor.steps, subscriptions: deliveries.map(getName), deliveries, also } };
}
