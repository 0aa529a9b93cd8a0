import { setTimeout as pause } from 'node:timers/promises';
import type { components } from '../contract/generated/control.ts';
import type { GateRefusal } from '../http/answer.ts';
import { heldOf, releaseHeld, unattempted } from '../store/deliveries.ts';
import { readMode } from '../store/subscriptions.ts';
import { actorOn, writeEntity } from '../world/write.ts';
import { type ControlDeps, type ControlHandlers, type ControlRequest, cannot } from './handler.ts';
import { isRefusal, subscriptionId } from './subscription-name.ts';

type Schemas = components['schemas'];

/** Wall milliseconds between two looks at whether an attempt has ended. */
const EVERY_MS = 5;

/** The delivery mode of a subscription, and the release of held deliveries. */
export const deliveryMode: Pick<ControlHandlers, 'readDeliveryMode' | 'setDeliveryMode' | 'removeDeliveryMode' | 'releaseDeliveries'> = {
  async readDeliveryMode({ params }, deps) {
    const id = await idIn(params, deps);
    return isRefusal(id) ? id : { status: 200, body: await shown(id, deps) };
  },
  async setDeliveryMode({ params, body }, deps) {
    const id = await writeMode(params, body as Schemas['DeliveryMode'], deps);
    return isRefusal(id) ? id : { status: 200, body: await shown(id, deps) };
  },
  async removeDeliveryMode({ params }, deps) {
    const id = await writeMode(params, null, deps);
    return isRefusal(id) ? id : { status: 204 };
  },
  async releaseDeliveries({ params, body }, deps) {
    const { order = 'oldest-first', count, maxWaitMs = 30_000 } = body as Schemas['Release'];
    const { load } = deps.world;
    const id = await idIn(params, deps);
    if (isRefusal(id)) return id;
    const chosen = inOrder(await heldOf(deps.store.db, id), order);
    if ('gate' in chosen) return chosen;
    const released = await releaseOneByOne(chosen.ids.slice(0, count), load, deps, performance.now() + maxWaitMs);
    await deps.world.refresh();
    if (deps.world.load !== load)
      return cannot('conflict', `Another world was loaded when ${released.length} had been released. What that holds stays held.`);
    return { status: 200, body: { released, held: (await heldOf(deps.store.db, id)).length } };
  },
};

async function idIn(params: ControlRequest['params'], deps: ControlDeps): Promise<string | GateRefusal> {
  return (await subscriptionId(params.subscriptionId ?? '', deps, 'not-found')) ?? noSubscription(params);
}

const noSubscription = ({ subscriptionId: name = '' }: ControlRequest['params']) =>
  cannot('not-found', `There is no subscription "${name}".`);

/** The mode is a member of the subscription, so it is written as one. @returns the id of the subscription */
async function writeMode(
  params: ControlRequest['params'],
  mode: Schemas['DeliveryMode'] | null,
  deps: ControlDeps,
): Promise<string | GateRefusal> {
  const id = await idIn(params, deps);
  if (isRefusal(id)) return id;
  const state = { context: deps.service(), world: deps.world };
  const result = await writeEntity(state, actorOn('subscriptions', undefined), 'subscriptions', {
    kind: 'patch',
    name: id,
    body: { mode },
  });
  return 'refused' in result ? cannot(result.refused, result.detail) : id;
}

async function shown(id: string, { store }: ControlDeps): Promise<Schemas['DeliveryModeInForce']> {
  const mode = await readMode(store.db, id);
  const held = (await heldOf(store.db, id)).length;
  return { subscriptionId: id, mode: mode === null ? null : (JSON.parse(mode) as Schemas['DeliveryMode']), held };
}

function inOrder(held: readonly string[], order: NonNullable<Schemas['Release']['order']>): { ids: readonly string[] } | GateRefusal {
  if (order === 'oldest-first') return { ids: held };
  if (order === 'newest-first') return { ids: held.toReversed() };
  const unknown = order.filter((id) => !held.includes(id));
  if (unknown.length === 0) return { ids: order };
  return cannot(
    'invalid',
    `order contains deliveries that the subscription does not hold: ${unknown.join(', ')}. List held deliveries with xpk deliveries --state held or GET /_control/deliveries?state=held.`,
  );
}

/** Each is let go when the first attempt of that before it has ended, whoever makes it: only so does a receiver see them in this order. */
async function releaseOneByOne(
  ids: readonly string[],
  load: string,
  { store, clock, world }: ControlDeps,
  deadline: number,
): Promise<string[]> {
  const released: string[] = [];
  for (const id of ids) {
    if (performance.now() > deadline || world.load !== load) break;
    // Somebody else may have released it, or, in another replica, loaded another world.
    if ((await store.write((tx) => releaseHeld.change(tx, { id, now: clock.now(), load }))) === 0) continue;
    released.push(id);
    while ((await unattempted.first(store.db, { id })) !== undefined && performance.now() <= deadline && world.load === load)
      await pause(EVERY_MS);
  }
  return released;
}
