import { setTimeout as delay } from 'node:timers/promises';
import { didYouMean } from '../contract/did-you-mean.ts';
import { createGateFailure, type GateFailure, isFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import { eventTypes } from '../contract/generated/events.ts';
import { formatInstant } from '../domain/instants.ts';
import { waitForChange } from '../store/changes.ts';
import {
  type DeliveryFilter,
  type DeliveryOrder,
  type DeliveryRow,
  listAttempts,
  listDeliveries,
  listReceived,
  resendDeliveries,
} from '../store/delivery-list.ts';
import { isForeignKeyViolation } from '../store/errors.ts';
import { lookUp } from '../world/references.ts';
import { parseBody, toAttempt, toDelivery } from './delivery-views.ts';
import { explainEvents } from './explain/events.ts';
import { type ControlDeps, type ControlHandlers, refuseRequest } from './handler.ts';
import { findContractErrors, UNKNOWN_EVENT_TYPE } from './raw-event.ts';

type Schemas = components['schemas'];

const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 100;
/** The minimum time between two database queries while a request waits, in milliseconds of wall time. */
const MIN_QUERY_INTERVAL_MS = 20;

const SUBSCRIPTION_DELETED_MESSAGE = refuseRequest(
  'conflict',
  'The subscription of this delivery was deleted, so the delivery cannot be sent again.',
);

type DeliveryOperation =
  | 'listDeliveries'
  | 'readDelivery'
  | 'redeliver'
  | 'duplicateDelivery'
  | 'recover'
  | 'waitForDeliveries'
  | 'readInbox'
  | 'emptyInbox';

/** Deliveries without a destination go to the kit's inbox, which the real service does not have. */
export const deliveryHandlers: Pick<ControlHandlers, DeliveryOperation> = {
  async listDeliveries({ query }, deps) {
    const { type, state, order, limit = DEFAULT_LIMIT } = query;
    const invalid = refuseUnknownType(type);
    if (invalid) return invalid;
    if (order === 'due-first' && state !== undefined && state !== 'pending')
      return refuseRequest(
        'invalid',
        `Only pending deliveries are due, so order due-first cannot be combined with the state ${state}.`,
        '?order',
      );
    const subscription = await findFilter(query.subscription, deps);
    if (isFailure(subscription)) return subscription;
    return { status: 200, body: await readDeliveries({ subscriptionId: subscription.id, type, state }, limit, deps, order) };
  },
  async readDelivery({ params }, deps) {
    const row = await findDelivery(params.deliveryId, deps);
    if (isFailure(row)) return row;
    const attempts = await listAttempts(deps.store.db, row.id);
    const event = parseBody(row.body);
    const body: Schemas['DeliveryWithAttempts'] = {
      ...toDelivery(row, deps.decisions),
      eventId: row.event_id,
      body: event,
      errors: findContractErrors(event).map(({ pointer, message }) => ({ pointer, message })),
      ...(row.headers !== null && { headers: JSON.parse(row.headers) as Record<string, string> }),
      attemptLog: attempts.map(toAttempt),
    };
    return { status: 200, body };
  },
  async redeliver({ params }, deps) {
    const row = await findDelivery(params.deliveryId, deps);
    if (isFailure(row)) return row;
    if (row.alias === null) return SUBSCRIPTION_DELETED_MESSAGE;
    const changed = await deps.store.write((tx) => resendDeliveries(tx, { id: row.id }, deps.clock.now()));
    const after = await findDelivery(row.id, deps);
    if (isFailure(after)) return after;
    if (changed === 0) return refuseRequest('conflict', 'An attempt of this delivery is in progress. Wait until the attempt has ended.');
    return { status: 200, body: toDelivery(after, deps.decisions) };
  },
  async duplicateDelivery({ params }, deps) {
    const row = await findDelivery(params.deliveryId, deps);
    if (isFailure(row)) return row;
    if (row.alias === null) return SUBSCRIPTION_DELETED_MESSAGE;
    const { id, event_id: eventId, subscription_id: subscriptionId, body, headers } = row;
    try {
      return { status: 200, body: toAttempt(await deps.sendDuplicate({ id, eventId, subscriptionId, body, headers })) };
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      return refuseRequest(
        'conflict',
        'The duplicate was sent, but the delivery was deleted at the same time, so no log contains the duplicate.',
      );
    }
  },
  async recover({ params, body: { since, acknowledged = false } }, deps) {
    const subscription = await lookUp(deps.store.db, 'subscriptions', params.subscriptionId);
    if (isFailure(subscription)) return subscription;
    // The schema allows leap seconds, but JavaScript cannot parse a leap second.
    const sinceMs = Date.parse(since);
    if (Number.isNaN(sinceMs)) return refuseRequest('invalid', `since must be an instant such as 2026-03-01T09:00:00Z, not ${since}.`);
    const count = await deps.store.write((tx) =>
      resendDeliveries(tx, { subscriptionId: subscription.id, since: formatInstant(sinceMs), acknowledged }, deps.clock.now()),
    );
    return { status: 200, body: { deliveries: count } };
  },
  async waitForDeliveries({ body }, deps) {
    const { subscription: name, count = 1, timeoutMs = 5000, state = 'acknowledged', ...filters } = body;
    const invalid = refuseUnknownType(filters.type);
    if (invalid) return invalid;
    const subscription = await findFilter(name, deps);
    if (isFailure(subscription)) return subscription;
    const filter = { subscriptionId: subscription.id, ...filters };
    const deadline = performance.now() + timeoutMs;
    const closing = deps.getClosingSignal();
    for (;;) {
      const { count: seen } = deps.store.changes;
      const found = await readDeliveries({ ...filter, state }, MAX_LIMIT, deps);
      if (found.length >= count) return { status: 200, body: found };
      if (closing.aborted) return createGateFailure('http.shutting-down');
      if (performance.now() > deadline) {
        const { text } = await explainEvents(filter, deps);
        return refuseRequest('not-found', `Waited ${timeoutMs} ms: ${found.length} of ${count} deliveries are ${state}. ${text}`);
      }
      const remainingMs = Math.max(0, deadline - performance.now());
      await Promise.all([waitForChange(deps.store.changes, seen, remainingMs, closing), delay(MIN_QUERY_INTERVAL_MS)]);
    }
  },
  async readInbox({ query }, deps) {
    const subscription = await findFilter(query.subscription, deps);
    if (isFailure(subscription)) return subscription;
    const rows = await listReceived(deps.store.db, subscription.id);
    const body = rows.map((row): Schemas['Received'] => ({
      deliveryId: row.delivery_id,
      subscriptionId: row.subscription_id,
      receivedAt: row.received_at,
      headers: JSON.parse(row.headers) as Record<string, string>,
      body: parseBody(row.body),
    }));
    return { status: 200, body };
  },
  async emptyInbox(_, deps) {
    await deps.store.write((tx) => tx.deleteFrom('inbox').execute());
    return { status: 204 };
  },
};

export async function findFilter(
  name: string | undefined,
  { store }: ControlDeps,
): Promise<{ readonly id: string | undefined } | GateFailure> {
  return name === undefined ? { id: undefined } : lookUp(store.db, 'subscriptions', name, 'invalid');
}

async function readDeliveries(
  filter: DeliveryFilter,
  limit: number,
  { store, decisions }: ControlDeps,
  order?: DeliveryOrder,
): Promise<Schemas['Delivery'][]> {
  return (await listDeliveries(store.db, filter, limit, order)).map((row) => toDelivery(row, decisions));
}

export async function findDelivery(id: string, { store }: ControlDeps): Promise<DeliveryRow | GateFailure> {
  // No delivery id contains a NUL character. PostgreSQL would refuse a query with one.
  const [row] = id.includes('\0') ? [] : await listDeliveries(store.db, { id }, 1);
  return (
    row ?? refuseRequest('not-found', `There is no delivery "${id}". List the deliveries with xpk deliveries or GET /_control/deliveries.`)
  );
}

/** Refuses an unknown event type, because a request with a mistyped type would wait until the timeout. */
export function refuseUnknownType(type: string | undefined): GateFailure | undefined {
  const types: readonly string[] = [...eventTypes, UNKNOWN_EVENT_TYPE];
  if (type === undefined || types.includes(type)) return undefined;
  return refuseRequest('invalid', `There is no event type "${type}".${didYouMean(type, types) || ` There are: ${types.join(', ')}.`}`);
}
