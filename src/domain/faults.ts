import { randomAt } from '../clock/random.ts';
import type { components } from '../contract/generated/control.ts';

type FaultTerms = Pick<components['schemas']['Fault'], 'after' | 'times' | 'probability' | 'seed' | 'latencyMs' | 'latencyMaxMs'>;

export interface Hit {
  readonly isHit: boolean;
  readonly hits: number;
  readonly latencyMs: number;
}

/** The result depends only on the fault and the request's number, so that all replicas agree. */
export function createHitDecider({
  after = 0,
  times = Infinity,
  probability = 1,
  seed = 0,
  latencyMs = 0,
  latencyMaxMs = latencyMs,
}: FaultTerms) {
  // Each request uses two random numbers, for probability and latency.
  const isHit = (seen: number) => seen > after && randomAt(seed, 2 * seen) < probability;
  // The number of affected requests among the first `counted` requests.
  let counted = 0;
  let hits = 0;

  function countHits(seen: number): number {
    // Stryker disable next-line ConditionalExpression,EqualityOperator: counting again from 0 gives the same number, only later
    if (seen < counted) counted = hits = 0;
    // Stryker disable next-line ConditionalExpression,EqualityOperator: the loop gives the same number, only later
    if (probability >= 1) return Math.min(times, Math.max(0, seen - after));
    while (counted < seen) if (isHit(++counted)) hits++;
    return Math.min(times, hits);
  }

  return (seen: number): Hit => {
    const before = countHits(seen - 1);
    const latency = latencyMs + Math.floor(randomAt(seed, 2 * seen + 1) * (latencyMaxMs - latencyMs + 1));
    return before < times && isHit(seen)
      ? { isHit: true, hits: before + 1, latencyMs: latency }
      : { isHit: false, hits: before, latencyMs: latency };
  };
}
