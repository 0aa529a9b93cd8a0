import { createHash } from 'node:crypto';
import type { components } from '../contract/generated/control.ts';
import { openWindow, takeOrdinal } from '../store/delivery-modes.ts';
import type { Executor } from '../store/engine.ts';

type DeliveryMode = components['schemas']['DeliveryMode'];

export interface FirstAttempt {
  readonly state: 'pending' | 'held';
  /** Kit time, in milliseconds since the Unix epoch. */
  readonly dueAt: number;
}

/**
 * When a new delivery is sent first: at once, or as the mode of its subscription wants it.
 *
 * @param mode JSON; null where the subscription has none. @param now kit time, in milliseconds since the Unix epoch.
 */
export async function firstAttempt(tx: Executor, subscriptionId: string, mode: string | null, now: number): Promise<FirstAttempt> {
  if (mode === null) return { state: 'pending', dueAt: now };
  const { hold, delay = 0, reorder, seed = 0 } = JSON.parse(mode) as DeliveryMode;
  if (hold) return { state: 'held', dueAt: now };
  const moment = reorder ? await shuffled(tx, { subscriptionId, window: reorder.window, seed, now }) : now;
  return { state: 'pending', dueAt: moment + delay };
}

interface Shuffle {
  readonly subscriptionId: string;
  /** Milliseconds. */
  readonly window: number;
  readonly seed: number;
  readonly now: number;
}

/**
 * A window opens with an event: what happens in its first half is sent in its second, at moments that rest on the seed and the ordinal alone. Added
 * to the moment of each event they would rest on how fast the events came, and the same run would not repeat.
 */
async function shuffled(tx: Executor, { subscriptionId, window, seed, now }: Shuffle): Promise<number> {
  const half = Math.floor(window / 2);
  const taken = await takeOrdinal.first(tx, { subscriptionId });
  // The mode was removed since it was read.
  if (taken === undefined) return now;
  const ordinal = Number(taken.ordinal) - 1;
  const since = now - Number(taken.opened_at);
  const open = ordinal > 0 && since >= 0 && since < half;
  if (!open) await openWindow.change(tx, { subscriptionId, openedAt: now });
  const openedAt = open ? Number(taken.opened_at) : now;
  return openedAt + half + Math.floor(drawn(seed, ordinal) * (window - half));
}

/** From 0 to 1, always the same for the same seed and ordinal. */
function drawn(seed: number, ordinal: number): number {
  return createHash('sha256').update(`${seed}:${ordinal}`).digest().readUIntBE(0, 6) / 2 ** 48;
}
