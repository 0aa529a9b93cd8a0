import { createGateFailure, type GateFailure, isFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import { waitForChange } from '../store/changes.ts';
import { listHeldDeliveries, releaseHeld, unattemptedDelivery } from '../store/deliveries.ts';
import { readMode } from '../store/subscriptions.ts';
import { lookUp } from '../world/references.ts';
import { getActor, writeEntity } from '../world/write.ts';
import { type ControlDeps, type ControlHandlers, type ControlResponse, refuseRequest } from './handler.ts';

type Schemas = components['schemas'];

const DEFAULT_WAIT_MS = 30_000;

export const deliveryModeHandlers: Pick<
  ControlHandlers,
  'readDeliveryMode' | 'setDeliveryMode' | 'removeDeliveryMode' | 'releaseDeliveries'
> = {
  async readDeliveryMode({ params }, deps) {
    const subscription = await lookUp(deps.store.db, 'subscriptions', params.subscriptionId);
    return isFailure(subscription) ? subscription : respondWithMode(subscription.id, deps);
  },
  async setDeliveryMode({ params, body }, deps) {
    const written = await writeMode(params.subscriptionId, body, deps);
    return isFailure(written) ? written : respondWithMode(written.id, deps);
  },
  async removeDeliveryMode({ params }, deps) {
    const written = await writeMode(params.subscriptionId, null, deps);
    return isFailure(written) ? written : { status: 204 };
  },
  async releaseDeliveries({ params, body: { order = 'oldest-first', count, maxWaitMs = DEFAULT_WAIT_MS } }, deps) {
    const { load } = deps.world;
    const subscription = await lookUp(deps.store.db, 'subscriptions', params.subscriptionId);
    if (isFailure(subscription)) return subscription;
    const held = await listHeldDeliveries(deps.store.db, subscription.id);
    const notHeld = Array.isArray(order) ? order.filter((id) => !held.includes(id)) : [];
    if (notHeld.length > 0)
      return refuseRequest(
        'invalid',
        `The subscription does not hold these deliveries: ${notHeld.join(', ')}. List held deliveries with xpk deliveries --state held or GET /_control/deliveries?state=held.`,
      );
    const ordered = Array.isArray(order) ? order : order === 'newest-first' ? held.toReversed() : held;
    const released = await releaseInOrder(ordered.slice(0, count), load, deps, performance.now() + maxWaitMs);
    await deps.world.refresh();
    if (deps.world.load !== load)
      return refuseRequest(
        'conflict',
        `Another world was loaded after ${released.length} of the deliveries had been released. The deliveries of the new world stay held.`,
      );
    return { status: 200, body: { released, held: (await listHeldDeliveries(deps.store.db, subscription.id)).length } };
  },
};

/** Null removes the stored delivery mode. */
async function writeMode(
  name: string,
  mode: Schemas['DeliveryMode'] | null,
  deps: ControlDeps,
): Promise<{ readonly id: string } | GateFailure> {
  const subscription = await lookUp(deps.store.db, 'subscriptions', name);
  if (isFailure(subscription)) return subscription;
  const context = { context: deps.createContext(), world: deps.world };
  const change = { kind: 'patch', name: subscription.id, body: { mode } } as const;
  const result = await writeEntity(context, getActor('subscriptions', undefined), 'subscriptions', change);
  return isFailure(result) ? createGateFailure(result.reason, result.detail) : subscription;
}

async function respondWithMode(id: string, { store }: ControlDeps): Promise<ControlResponse> {
  const mode = await readMode(store.db, id);
  const body: Schemas['DeliveryModeInForce'] = {
    subscriptionId: id,
    mode: mode === null ? null : (JSON.parse(mode) as Schemas['DeliveryMode']),
    held: (await listHeldDeliveries(store.db, id)).length,
  };
  return { status: 200, body };
}

/** Each delivery waits until the previous delivery's first attempt has ended. */
async function releaseInOrder(
  ids: readonly string[],
  load: string,
  { store, clock, world, getClosingSignal }: ControlDeps,
  deadline: number,
): Promise<string[]> {
  const released: string[] = [];
  const closing = getClosingSignal();
  const isOver = () => performance.now() > deadline || world.load !== load || closing.aborted;
  for (const id of ids) {
    if (isOver()) break;
    // `releaseHeld` returns false if another request has released the delivery, or if another replica has loaded a world.
    if (!(await store.write((tx) => releaseHeld(tx, { id, now: clock.now(), load })))) continue;
    released.push(id);
    for (;;) {
      const { count } = store.changes;
      if ((await unattemptedDelivery.first(store.db, { id })) === undefined || isOver()) break;
      await waitForChange(store.changes, count, Math.max(0, deadline - performance.now()), closing);
    }
  }
  return released;
}
