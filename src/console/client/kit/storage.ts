import { effect, type Signal, signal } from '@preact/signals';

/** Creates a signal whose value is kept in this browser. If the browser forbids storage, it lasts until the next reload. */
export function createStoredSignal<Value>(key: string, initial: Value): Signal<Value> {
  const stored = signal(initial);
  ignoreErrors(() => {
    stored.value = JSON.parse(localStorage.getItem(key) ?? 'null') ?? initial;
  });
  effect(() => {
    const text = JSON.stringify(stored.value);
    if (stored.value !== initial) ignoreErrors(() => localStorage.setItem(key, text));
  });
  return stored;
}

function ignoreErrors(action: () => void): void {
  try {
    action();
  } catch {
    // The browser forbids storage, or the stored text is not JSON.
  }
}
