import { randomAt } from '../clock/random.ts';
import type { components } from '../contract/generated/control.ts';

type Terms = Pick<components['schemas']['Fault'], 'after' | 'times' | 'probability' | 'seed' | 'latencyMs' | 'latencyMaxMs'>;

/** Whether a fault affects a request, and how often the fault has affected requests until then, this request included. */
export interface Hit {
  readonly isHit: boolean;
  readonly hits: number;
  /** The latency of a fault with a latency, in milliseconds. */
  readonly latencyMs: number;
}

/**
 * Returns a function that decides whether a fault affects the request number `seen`, counted from 1 over the requests that match the fault.
 * The number determines the result, so that replicas which count requests together agree on it.
 */
export function hitsOf({ after = 0, times = Infinity, probability = 1, seed = 0, latencyMs = 0, latencyMaxMs = latencyMs }: Terms) {
  // Each request uses two random numbers: one for the probability, and one for the latency.
  const isHit = (seen: number) => seen > after && randomAt(seed, 2 * seen) < probability;
  // The requests until `counted` have been counted. Requests usually come in order, so that few are counted again.
  let counted = 0;
  let hits = 0;

  function hitsUntil(seen: number): number {
    if (seen < counted) counted = hits = 0;
    if (probability >= 1) return Math.min(times, Math.max(0, seen - after));
    while (counted < seen) if (isHit(++counted)) hits++;
    return Math.min(times, hits);
  }

  return (seen: number): Hit => {
    const before = hitsUntil(seen - 1);
    const latency = latencyMs + Math.floor(randomAt(seed, 2 * seen + 1) * (latencyMaxMs - latencyMs + 1));
    return before < times && isHit(seen)
      ? { isHit: true, hits: before + 1, latencyMs: latency }
      : { isHit: false, hits: before, latencyMs: latency };
  };
}
