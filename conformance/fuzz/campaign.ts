import fc from 'fast-check';
import type { Late } from './known.ts';
import { anyRequest, type FuzzRequest } from './request.ts';
import type { Subject } from './subject.ts';

export interface Campaign {
  readonly requests: number;
  readonly seed: number;
  /** Requests under way at once. */
  readonly inFlight: number;
  /** Wall milliseconds after which nothing new is sent. */
  readonly deadlineMs: number;
  readonly onProgress?: (sent: number) => void;
}

/** A request that was answered as none may be: the smallest one found that still is. */
export interface Failure {
  readonly request: FuzzRequest;
  readonly faults: readonly string[];
  /** How often the same was wrong. */
  readonly times: number;
}

interface Suspect {
  readonly seed: number;
  readonly index: number;
  request: FuzzRequest;
  faults: readonly string[];
  times: number;
}

const CHUNK = 500;
const MAX_SHRUNK = 12;
const SHRINK_MS = 10_000;

/** Sends generated requests, many at a time. What fails is shrunk afterwards, one by one. */
export async function runCampaign(subject: Subject, { requests, seed, inFlight, deadlineMs, onProgress }: Campaign): Promise<Failure[]> {
  const suspects = new Map<string, Suspect>();
  const property = fc.asyncProperty(anyRequest, (late) => holds(subject, late));
  const ends = Date.now() + deadlineMs;
  const planned = plans(property, seed, requests);
  let sent = 0;

  async function work(): Promise<void> {
    for (const { late, seed: chunk, index } of planned) {
      if (Date.now() > ends) return;
      const request = late(subject.known);
      const { faults } = await subject.ask(request);
      if (faults.length > 0) suspect(suspects, { seed: chunk, index, request, faults, times: 1 });
      onProgress?.(++sent);
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work));
  for (const one of [...suspects.values()].slice(0, MAX_SHRUNK)) await shrink(property, one);
  return [...suspects.values()];
}

type RequestProperty = fc.IAsyncProperty<[Late<FuzzRequest>]>;

/** Requests in chunks, each of a seed of its own: a seed and an index name one, so that it can be generated again and shrunk. */
function* plans(property: RequestProperty, seed: number, requests: number) {
  for (let start = 0; start < requests; start += CHUNK) {
    const chunk = seed + start / CHUNK;
    for (const [index, [late]] of fc.sample(property, { seed: chunk, numRuns: Math.min(CHUNK, requests - start) }).entries()) {
      yield { late, seed: chunk, index };
    }
  }
}

/** Requests one after the other, for whoever sends the same to several. */
export function* requestsOf(seed: number, requests: number): Generator<Late<FuzzRequest>> {
  for (const { late } of plans(
    fc.asyncProperty<[Late<FuzzRequest>]>(anyRequest, async () => {}),
    seed,
    requests,
  ))
    yield late;
}

class Refuted extends Error {
  readonly request: FuzzRequest;
  readonly faults: readonly string[];
  constructor(request: FuzzRequest, faults: readonly string[]) {
    super(faults.join('; '));
    this.request = request;
    this.faults = faults;
  }
}

async function holds(subject: Subject, late: Late<FuzzRequest>): Promise<void> {
  const request = late(subject.known);
  const { faults } = await subject.ask(request);
  if (faults.length > 0) throw new Refuted(request, faults);
}

/** The same fault of the same operation is one failure, whatever the values were. */
function suspect(suspects: Map<string, Suspect>, found: Suspect): void {
  const key = `${found.request.method} ${found.faults.join('; ').replaceAll(/[0-9a-f]{4,}/g, '…')}`;
  const before = suspects.get(key);
  if (before) before.times++;
  else suspects.set(key, found);
}

/** Smaller and smaller requests as long as they fail. One that fails no more, since the world went on, stays as it was sent. */
async function shrink(property: RequestProperty, one: Suspect): Promise<void> {
  const run = await fc.check(property, { seed: one.seed, path: String(one.index), numRuns: 1, interruptAfterTimeLimit: SHRINK_MS });
  const smallest = run.errorInstance;
  if (!(smallest instanceof Refuted)) return;
  one.request = smallest.request;
  one.faults = smallest.faults;
}
