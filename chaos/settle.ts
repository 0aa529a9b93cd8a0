import { setTimeout as pause } from 'node:timers/promises';

interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly attempts: number;
}

/** The lease of a killed replica is 30 s, an attempt 15 s: who has got nothing for so many seconds gets nothing any more. */
const PATIENCE_SECONDS = 90;

/**
 * Waits until no delivery is pending.
 *
 * @param progress a number that grows while something happens
 * @returns what is pending nevertheless, or was given up: in words, 1000 of each at most
 */
export async function settle(url: string, progress: () => number, say: (text: string) => void): Promise<string[]> {
  let [last, quiet, told] = [progress(), 0, 0];
  let pending = await deliveries(url, 'pending');
  for (; pending.length > 0 && quiet < PATIENCE_SECONDS; quiet++) {
    await pause(1000);
    if (progress() !== last) [last, quiet] = [progress(), 0];
    pending = await deliveries(url, 'pending');
    told += 1;
    if (told % 10 === 0) say(`${pending.length === 1000 ? '1000 or more' : pending.length} deliveries pending`);
  }
  const exhausted = await deliveries(url, 'exhausted');
  return [...pending.map((it) => words(it, 'pending')), ...exhausted.map((it) => words(it, 'given up'))];
}

async function deliveries(url: string, state: string): Promise<Delivery[]> {
  const response = await fetch(`${url}/_control/deliveries?state=${state}&limit=1000`);
  return (await response.json()) as Delivery[];
}

function words({ id, type, attempts }: Delivery, state: string): string {
  return `${id} ${type} ${state} after ${attempts} attempts`;
}
