import { signal } from '@preact/signals';

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

/** Shows the message of the action's error. */
export async function runAction(action: () => Promise<unknown>): Promise<void> {
  await action().catch((error: Error) => showToast(error.message, 'bad'));
}

/** What follows after an operation. */
export interface Outcome<Result> {
  /** Loads the data that the operation has changed. */
  readonly reload?: (() => Promise<unknown>) | undefined;
  /** The message to show, or a function that returns it. */
  readonly done?: string | ((result: Result) => string) | undefined;
}

export async function finishOperation<Result>(result: Result, { reload, done }: Outcome<Result>): Promise<void> {
  await reload?.();
  if (done !== undefined) showToast(typeof done === 'string' ? done : done(result));
}

export function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((shown) => shown.id !== id);
}
