import { computed, signal } from '@preact/signals';
import { call, type Schemas } from './control.ts';

/** Undefined until loaded. */
export const info = signal<Schemas['Info'] | undefined>(undefined);
export const clock = signal<Schemas['Clock'] | undefined>(undefined);
export const faults = signal<readonly Schemas['Fault'][] | undefined>(undefined);
/** Whether a fault can affect another request. */
export const isActive = ({ times = Infinity, hits }: Schemas['Fault']): boolean => hits < times;
/** Kit time in milliseconds since the Unix epoch. Updated only while the page is visible. */
export const kitNow = signal(Date.now());
export const kitDay = computed(() => new Date(kitNow.value).toISOString().slice(0, 10));

const REFRESH_MS = 5000;

/** Reloads the settings, clock and faults. Call this after changing them or the world. */
export async function refreshKit(): Promise<void> {
  try {
    [info.value, clock.value, faults.value] = await Promise.all([call('info'), call('readClock'), call('listFaults')]);
    updateKitTime();
  } catch {
    // The connection indicator shows that the kit does not respond.
  }
}

function updateKitTime(): void {
  kitNow.value = Date.now() + (clock.value?.offsetMs ?? 0);
}

/** Reloads the settings, clock and faults regularly, because other clients may change them. */
export function watchKit(): void {
  void refreshKit();
  setInterval(() => document.visibilityState === 'visible' && refreshKit(), REFRESH_MS);
  setInterval(() => document.visibilityState === 'visible' && updateKitTime(), 1000);
}
