import { signal } from '@preact/signals';
import { reloadPage } from '../kit/resource.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'warn' | 'bad';
}

const SHOWN_MS = 5000;
export const toasts = signal<readonly Toast[]>([]);
let lastToastId = 0;

export function showToast(text: string, tone: Toast['tone'] = 'good'): void {
  const id = ++lastToastId;
  toasts.value = [...toasts.value.slice(-3), { id, text, tone }];
  setTimeout(() => dismissToast(id), SHOWN_MS);
}

/** Runs the action, and shows the message of its error. */
export async function runAction(action: () => Promise<unknown>): Promise<void> {
  await action().catch((error: Error) => showToast(error.message, 'bad'));
}

/** The message after an operation, or a function that returns it. */
export type Message<Result> = string | ((result: Result) => string);

/** Shows the message, and reloads what the operation may have changed. */
export async function finishOperation<Result>(result: Result, done?: Message<Result>): Promise<void> {
  if (done !== undefined) showToast(typeof done === 'string' ? done : done(result));
  await reloadPage();
}

export function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((shown) => shown.id !== id);
}
