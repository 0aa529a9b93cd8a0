import { seededRandom } from '../clock/random.ts';
import type { components } from '../contract/generated/control.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import { allowsStatus, type FaultRequest, faultProblem } from '../world/fault-checks.ts';
import type { WorldProblem } from '../world/problem.ts';
import type { Exchange } from './exchange.ts';
import { canonical } from './gates/query.ts';

export type Fault = components['schemas']['Fault'];
type Request = Pick<Exchange, 'path'> & { readonly operationId: OperationId | 'authorize'; readonly req: { readonly url: string } };

export type Faults = ReturnType<typeof createFaults>;

/** Creates the list of faults, which operators change. Each process has its own list; replicas do not share faults. */
export function createFaults() {
  let entries: { readonly fault: Fault; readonly random: () => number; seen: number }[] = [];
  let lastNumber = 0;
  return {
    list: (): readonly Fault[] => entries.map(({ fault }) => fault),
    /** Adds a fault. @returns the fault, or the reason why the request is invalid */
    add(request: FaultRequest): Fault | WorldProblem {
      const problem = faultProblem(request);
      if (problem) return problem;
      const isRandom = request.probability !== undefined || request.latencyMaxMs !== undefined;
      // The fault contains the generated seed, so that the operator can repeat a run with the same random numbers.
      const seed = request.seed ?? Math.floor(Math.random() * 2 ** 32);
      const fault: Fault = { ...request, ...(isRandom && { seed }), id: `fault-${++lastNumber}`, hits: 0 };
      entries.push({ fault, random: seededRandom(seed), seen: 0 });
      return fault;
    },
    remove(id: string): boolean {
      const before = entries.length;
      entries = entries.filter(({ fault }) => fault.id !== id);
      return entries.length < before;
    },
    clear(): void {
      entries = [];
    },
    /** Whether any faults exist. Every request reads this member, so it must be fast. */
    get any(): boolean {
      return entries.length > 0;
    },
    /**
     * Returns the faults of the given kinds that affect a request, in the order in which they were added, and increments `hits` of each.
     * The result contains any number of latencies, and at most one fault that replaces the response. Faults after that fault are ignored.
     * Each result is a copy. If the fault has a range of latencies, the copy contains a random latency.
     */
    hit(request: Request, kinds: readonly Fault['fault'][]): readonly Fault[] {
      const hits: Fault[] = [];
      for (const entry of entries) {
        const { fault, random } = entry;
        const { operation = request.operationId, probability = 1, latencyMs = 0, latencyMaxMs } = fault;
        if (!kinds.includes(fault.fault) || operation !== request.operationId || !allowsStatus(operation as OperationId, fault)) continue;
        if (!matches(fault.match, request) || entry.seen++ < (fault.after ?? 0)) continue;
        if (fault.hits >= (fault.times ?? Infinity) || random() >= probability) continue;
        fault.hits++;
        const randomLatencyMs = latencyMaxMs === undefined ? latencyMs : latencyMs + Math.floor(random() * (latencyMaxMs - latencyMs + 1));
        hits.push({ ...fault, ...(fault.fault === 'latency' && { latencyMs: randomLatencyMs }) });
        if (fault.fault !== 'latency') break;
      }
      return hits;
    },
  };
}

/**
 * Returns whether the path or query of a request contains all parameters of `match`. The value `*` matches any value. The letter case of
 * UUIDs is ignored.
 */
function matches(match: Fault['match'], { path, req }: Request): boolean {
  if (match === undefined) return true;
  const [, search = ''] = req.url.split('?', 2);
  const query = new URLSearchParams(search);
  const same = (actual: string, expected: string) =>
    expected === '*' ? actual !== '' : canonical(actual, 'accepted') === canonical(expected, 'accepted');
  return Object.entries(match).every(([name, expected]) =>
    [path[name] ?? '', ...query.getAll(name)].some((actual) => same(actual, expected)),
  );
}
