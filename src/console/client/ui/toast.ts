import { signal } from '@preact/signals';
import { call, ownChanges, type Schemas } from '../kit/control.ts';
import { holdReloads, reloadPage } from '../kit/resource.ts';
import { buildHref } from './page.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'warn' | 'bad';
  /** The change that the message is about, which can be undone. */
  readonly change: string | undefined;
}

const SHOWN_MS = 5000;
const UNDO_MS = 15_000;
export const toasts = signal<readonly Toast[]>([]);
/** The newest change about which there was a message. */
let lastChange = '';
let lastToastId = 0;

export function showToast(text: string, tone: Toast['tone'] = 'good'): void {
  const id = ++lastToastId;
  const newest = tone === 'bad' ? '' : (ownChanges.at(-1) ?? '');
  const change = newest > lastChange ? newest : undefined;
  lastChange = change ?? lastChange;
  toasts.value = [...toasts.value.slice(-2), { id, text, tone, change }];
  setTimeout(() => dismissToast(id), change === undefined ? SHOWN_MS : UNDO_MS);
}

/**
 * Undoes a change to the world, and shows what was undone.
 * @param change its id; undefined undoes the newest change of any client
 * @throws RefusedError with the reason, such as a later change
 */
export async function undo(change?: string): Promise<void> {
  const { undone, world } = await holdReloads(async () => {
    const result = await call('undo', { change });
    await leaveRemovedEntity(result.undone.changes);
    return result;
  });
  toasts.value = toasts.value.filter((toast) => toast.change !== undone.id);
  if (ownChanges.includes(undone.id)) ownChanges.splice(ownChanges.indexOf(undone.id), 1);
  const restored = `The world is ${world} again, with its events, deliveries and clock, but not with its faults and journal.`;
  await finishOperation(undone, undone.isLoad ? restored : `Undone: ${undone.text}`);
}

/** Opens the list instead of an entity whose creation was undone. The router shows the list before a caller continues. */
async function leaveRemovedEntity(undone: Schemas['Undoable']['changes']): Promise<void> {
  for (const { action, collection, entityId } of undone) {
    if (action !== 'created' || location.pathname !== buildHref(`/world/${collection}/${encodeURIComponent(entityId)}`)) continue;
    history.replaceState(null, '', buildHref(`/world/${collection}`));
    dispatchEvent(new PopStateEvent('popstate'));
  }
}

/** Undoes the newest change that this page made. */
export async function undoOwn(): Promise<void> {
  if (ownChanges.length > 0) return undo(ownChanges.at(-1));
  throw new Error('This page has made no change that can be undone. For the changes of other clients, see World › Snapshots & reset.');
}

/** Runs the action, and shows the message of its error. */
export async function runAction(action: () => Promise<unknown>): Promise<void> {
  await action().catch((error: Error) => showToast(error.message, 'bad'));
}

export type Message<Result> = string | ((result: Result) => string);

/** Shows the message, and reloads what the operation may have changed. */
export async function finishOperation<Result>(result: Result, done?: Message<Result>): Promise<void> {
  if (done !== undefined) showToast(typeof done === 'string' ? done : done(result));
  await reloadPage();
}

export function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((shown) => shown.id !== id);
}
