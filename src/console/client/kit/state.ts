import { signal } from '@preact/signals';
import { control, dataOf, type Schemas } from './control.ts';

/** Facts about the kit that several pages show: its settings, its clock and its faults. Undefined until they are loaded. */
export const info = signal<Schemas['Info'] | undefined>(undefined);
export const clock = signal<Schemas['Clock'] | undefined>(undefined);
export const faults = signal<readonly Schemas['Fault'][] | undefined>(undefined);
/** Kit time in milliseconds. It changes each second while the page is visible. */
export const kitNow = signal(Date.now());

const REFRESH_MS = 5000;

/** Loads the facts again. Call this function after a change of the clock, the faults or the world. */
export async function refreshKit(): Promise<void> {
  [info.value, clock.value, faults.value] = await Promise.all([
    dataOf(control.GET('/_control/info')),
    dataOf(control.GET('/_control/clock')),
    dataOf(control.GET('/_control/faults')),
  ]);
  tick();
}

function tick(): void {
  kitNow.value = Date.now() + (clock.value?.offsetMs ?? 0);
}

/** Keeps the facts up to date while the page is visible, because other clients may change them, too. */
export function watchKit(): void {
  // The indicator of the connection shows that the kit cannot be reached.
  const refresh = () => void refreshKit().catch(() => {});
  refresh();
  setInterval(() => document.visibilityState === 'visible' && refresh(), REFRESH_MS);
  setInterval(() => document.visibilityState === 'visible' && tick(), 1000);
}
