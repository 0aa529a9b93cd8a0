import { setTimeout as pause } from 'node:timers/promises';
import { didYouMean } from '../contract/did-you-mean.ts';
import type { components } from '../contract/generated/control.ts';
import { eventTypes } from '../contract/generated/events.ts';
import { isAcknowledgement } from '../domain/deliveries.ts';
import { instant } from '../domain/instants.ts';
import type { GateRefusal } from '../http/answer.ts';
import { attemptsOf, type DeliveryFilter, type DeliveryRow, listDeliveries, sendAgain } from '../store/delivery-list.ts';
import { type ControlDeps, type ControlHandlers, cannot } from './handler.ts';
import { NO_TYPE } from './raw-event.ts';
import { shownAttempt, shownBody, shownDelivery } from './shown-delivery.ts';
import { isRefusal, subscriptionId } from './subscription-name.ts';

type Schemas = components['schemas'];

const TYPES: readonly string[] = [...eventTypes, NO_TYPE];
const STATES: readonly Schemas['DeliveryState'][] = ['pending', 'acknowledged', 'exhausted', 'held'];
const MOST = 1000;
const STANDARD = 100;
/** Wall milliseconds between two looks of whoever waits. */
const EVERY_MS = 20;
/** How many deliveries a failed wait describes. */
const MOST_DESCRIBED = 5;

/** What is sent to subscribers, and what came of it. */
export const deliveries: Pick<ControlHandlers, 'listDeliveries' | 'readDelivery' | 'redeliver' | 'recover' | 'waitForDeliveries'> = {
  async listDeliveries({ query }, deps) {
    const { type, state, limit = String(STANDARD) } = query;
    if (state !== undefined && !STATES.includes(state as never))
      return cannot('invalid', `state is one of ${STATES.join(', ')}, not ${state}.`);
    if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > MOST)
      return cannot('invalid', `limit is a whole number from 1 to ${MOST}, not ${limit}.`);
    const otherType = unknownType(type);
    if (otherType) return otherType;
    const subscription = await subscriptionId(query.subscription, deps, 'invalid');
    if (isRefusal(subscription)) return subscription;
    const filter = { subscriptionId: subscription, type, state: state as DeliveryFilter['state'] };
    const rows = await listDeliveries(deps.store.db, filter, Number(limit));
    return { status: 200, body: rows.map((row) => shownDelivery(row, deps.decisions)) };
  },
  async readDelivery({ params }, deps) {
    const row = await one(params.deliveryId, deps);
    if (row === undefined) return unknown(params.deliveryId);
    const log = await attemptsOf(deps.store.db, row.id);
    const body: Schemas['DeliveryWithAttempts'] = {
      ...shownDelivery(row, deps.decisions),
      body: shownBody(row.body),
      ...(row.headers !== null && { headers: JSON.parse(row.headers) as Record<string, string> }),
      attemptLog: log.map(shownAttempt),
    };
    return { status: 200, body };
  },
  async redeliver({ params }, deps) {
    const row = await one(params.deliveryId, deps);
    if (row === undefined) return unknown(params.deliveryId);
    if (row.alias === null) return cannot('conflict', 'Its subscription was deleted: there is nowhere to send it to.');
    const again = await deps.store.write((tx) => sendAgain(tx, { id: row.id }, deps.clock.now()));
    if (again === 0) return cannot('conflict', 'It is being sent at this moment: wait until that attempt has ended.');
    return { status: 200, body: shownDelivery((await one(row.id, deps)) ?? row, deps.decisions) };
  },
  async recover({ params, body }, deps) {
    const { since, acknowledged = false } = body as Schemas['Recover'];
    const subscription = await subscriptionId(params.subscriptionId, deps, 'not-found');
    if (isRefusal(subscription) || subscription === undefined) return subscription ?? unknown();
    // A leap second is an instant, and none that this clock knows.
    const sinceMs = Date.parse(since);
    if (Number.isNaN(sinceMs)) return cannot('invalid', `since must be an instant such as 2026-03-01T09:00:00Z, not ${since}.`);
    const count = await deps.store.write((tx) =>
      sendAgain(tx, { subscriptionId: subscription, since: instant(sinceMs), acknowledged }, deps.clock.now()),
    );
    return { status: 200, body: { deliveries: count } };
  },
  async waitForDeliveries({ body }, deps) {
    const { subscription: name, count = 1, timeoutMs = 5000, state = 'acknowledged', ...rest } = body as Schemas['DeliveryWait'];
    const otherType = unknownType(rest.type);
    if (otherType) return otherType;
    const subscription = await subscriptionId(name, deps, 'invalid');
    if (isRefusal(subscription)) return subscription;
    const filter = { subscriptionId: subscription, ...rest };
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const rows = await listDeliveries(deps.store.db, { ...filter, state }, MOST);
      if (rows.length >= count) return { status: 200, body: rows.map((row) => shownDelivery(row, deps.decisions)) };
      if (performance.now() > deadline)
        return cannot(
          'not-found',
          `Waited ${timeoutMs} ms for ${count === 1 ? '1 delivery' : `${count} deliveries`} to be ${state}; ${rows.length === 0 ? 'none was' : rows.length === 1 ? '1 was' : `${rows.length} were`}. ${await describeOthers(filter, state, deps)}`,
        );
      await pause(EVERY_MS);
    }
  },
};

/** Describes the deliveries that match but are in another state, the newest first, each with the error of its last attempt. */
async function describeOthers(
  filter: DeliveryFilter,
  state: Schemas['DeliveryState'],
  { store: { db }, clock }: ControlDeps,
): Promise<string> {
  const rows = (await listDeliveries(db, filter, MOST)).filter((row) => row.state !== state);
  if (rows.length === 0) return 'No other delivery matches. List all with xpk deliveries or GET /_control/deliveries.';
  const described: string[] = [];
  for (const row of rows.slice(0, MOST_DESCRIBED)) {
    const { status = null, error = null } = (await attemptsOf(db, row.id)).at(-1) ?? {};
    const lastError = error ?? (status === null || isAcknowledgement(Number(status)) ? undefined : `status ${status}`);
    const sentence = [
      `${row.type} to ${row.alias ?? row.subscription_id} is ${row.state} after ${row.attempts} ${Number(row.attempts) === 1 ? 'attempt' : 'attempts'}`,
      ...(row.state === 'pending' ? [nextAttempt(Number(row.due_at), clock.now())] : []),
      ...(lastError === undefined ? [] : [`last error: ${lastError}`]),
    ].join(', ');
    described.push(sentence.replace(/[^.?]$/, '$&.'));
  }
  if (rows.length > MOST_DESCRIBED) described.push(`And ${rows.length - MOST_DESCRIBED} more.`);
  return `Other matching deliveries: ${described.join(' ')}`;
}

function nextAttempt(dueAt: number, now: number): string {
  return dueAt > now ? `next attempt at ${new Date(dueAt).toISOString()}` : 'an attempt is due or under way';
}

/** None has it, and whoever waits for it would wait in vain. */
function unknownType(type: string | undefined): GateRefusal | undefined {
  if (type === undefined || TYPES.includes(type)) return undefined;
  return cannot('invalid', `There is no event type "${type}".${didYouMean(type, TYPES) || ` There are: ${TYPES.join(', ')}.`}`);
}

const unknown = (id = '') =>
  cannot('not-found', `There is no delivery "${id}". List them with xpk deliveries or GET /_control/deliveries.`);

async function one(id: string | undefined, { store }: ControlDeps): Promise<DeliveryRow | undefined> {
  if (id === undefined || id.includes('\0')) return undefined;
  const [row] = await listDeliveries(store.db, { id }, 1);
  return row;
}
