import fc from 'fast-check';
import type { Door } from './operations.ts';
import { anyRequest, type WireRequest } from './requests.ts';
import type { Subject } from './subject.ts';

export interface Campaign {
  readonly requests: number;
  readonly seed: number;
  readonly doors: readonly Door[];
  /** Requests under way at once. */
  readonly inFlight: number;
  readonly onRound?: (sent: number, failures: number) => void;
}

export interface Failure {
  readonly violations: readonly string[];
  /** The first request whose response had these. Undefined if they are of the content of the kit. */
  readonly request: WireRequest | undefined;
  /** `--seed N --requests 1000` sends the requests of the round again. */
  readonly seed: number;
  readonly times: number;
}

const ROUND = 1_000;
const MAX_FAILURES = 40;

/**
 * Sends generated requests in rounds of a thousand, many at a time, and checks the content of the kit after each round. The requests of round n follow
 * from `seed + n` alone, except for the ids that the kit generates.
 */
export async function runCampaign(subject: Subject, { requests, seed, doors, inFlight, onRound }: Campaign): Promise<Failure[]> {
  const failures = new Map<string, Failure>();
  const arbitrary = anyRequest(doors);
  for (let sent = 0, round = seed; sent < requests && failures.size < MAX_FAILURES; round++) {
    const add = (violations: readonly string[], request?: WireRequest) => {
      if (violations.length === 0) return;
      const key = `${request?.operation?.operationId} ${violations.join('; ').replaceAll(/[0-9a-f]{4,}/g, '…')}`.slice(0, 300);
      const { times } = failures.get(key) ?? { times: 0 };
      failures.set(key, { violations, request, seed: round, ...failures.get(key), times: times + 1 });
    };
    const planned = fc.sample(arbitrary, { seed: round, numRuns: Math.min(ROUND, requests - sent) });
    const queue = planned.values();
    const work = async () => {
      for (const one of queue) {
        const { request, violations } = await subject.ask(one);
        add(violations, request);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, work));
    add(await subject.checkContent());
    sent += planned.length;
    onRound?.(sent, failures.size);
  }
  return [...failures.values()];
}
