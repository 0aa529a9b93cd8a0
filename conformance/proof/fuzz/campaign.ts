import fc from 'fast-check';
import type { WireRequest } from './client.ts';
import type { Door } from './operations.ts';
import { anyRequest } from './requests.ts';
import type { Subject } from './subject.ts';

export interface Campaign {
  readonly requests: number;
  readonly seed: number;
  readonly doors: readonly Door[];
  /** Requests that run at once. */
  readonly inFlight: number;
}

const ROUND = 1_000;
const MAX_FAILURES = 40;

/**
 * Sends generated requests in rounds of a thousand, and checks the content of the kit after each. The requests of round n follow from `seed + n`
 * alone, except for ids that the kit generates.
 *
 * @returns a description of each kind of failure, with the seed that repeats it
 */
export async function runCampaign(subject: Subject, { requests, seed, doors, inFlight }: Campaign): Promise<string[]> {
  const failures = new Map<string, string>();
  const arbitrary = anyRequest(doors);
  for (let sent = 0, round = seed; sent < requests && failures.size < MAX_FAILURES; sent += ROUND, round++) {
    const add = (violations: readonly string[], request?: WireRequest) => {
      const text = violations.join('; ');
      const kind = `${request?.operation?.operationId} ${text.replaceAll(/[0-9a-f]{4,}/g, '…')}`.slice(0, 300);
      if (text === '' || failures.has(kind)) return;
      failures.set(kind, `${text} (--seed ${round} --requests ${ROUND})\n  ${described(request)}`);
    };
    const queue = fc.sample(arbitrary, { seed: round, numRuns: Math.min(ROUND, requests - sent) }).values();
    const work = async () => {
      for (const one of queue) {
        const { request, violations } = await subject.send(one);
        add(violations, request);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, work));
    add(await subject.checkContent());
  }
  return [...failures.values()];
}

function described({ operation, body, ...rest }: Partial<WireRequest> = {}): string {
  return JSON.stringify({ operationId: operation?.operationId, ...rest, body: body?.toString('latin1').slice(0, 2_000) });
}
