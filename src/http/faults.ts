import type { OperationId } from '../contract/generated/operations.ts';
import { createHitDecider, type Hit } from '../domain/faults.ts';
import type { WorldState } from '../service/world-state.ts';
import type { Executor } from '../store/engine.ts';
import { allFaults, countMatch, deleteFault, deleteFaults } from '../store/faults.ts';
import type { Store } from '../store/store.ts';
import { allowsStatus, type FaultRequest, findFaultProblem } from '../world/fault-checks.ts';
import { addFault, type Fault, toFaultId } from '../world/faults.ts';
import type { WorldProblem } from '../world/problem.ts';
import type { Exchange } from './exchange.ts';
import { canonicalize } from './gates/query.ts';

export type { Fault } from '../world/faults.ts';

const DELAYS: readonly Fault['fault'][] = ['latency', 'slow-response'];

type FaultableRequest = Pick<Exchange, 'path'> & {
  readonly operationId: OperationId | 'authorize';
  readonly req: { readonly url: string };
};

interface FaultEntry {
  readonly number: number;
  readonly fault: Omit<Fault, 'hits'>;
  decideHit(matchCount: number): Hit;
  isSpent: boolean;
}

export type Faults = ReturnType<typeof createFaults>;

/** Each change to the list gives the world a new version, so that every replica reads the list again. */
export function createFaults({ store, world }: { readonly store: Store; readonly world: WorldState }) {
  let entries: readonly FaultEntry[] = [];
  let version: string | undefined;

  async function read(): Promise<readonly FaultEntry[]> {
    const current = world.version;
    const rows = await allFaults(store.db, {});
    version = current;
    entries = rows.map(({ number, fault: json }): FaultEntry => {
      const fault = { ...(JSON.parse(json) as FaultRequest), id: toFaultId(number) };
      return { number, fault, decideHit: createHitDecider(fault), isSpent: false };
    });
    return entries;
  }

  async function change<T>(work: (tx: Executor) => Promise<T>): Promise<T> {
    const result = await store.write(async (tx) => {
      // Locks the world, so that replicas commit changes in the order of the fault numbers.
      await world.markChanged(tx);
      return work(tx);
    });
    await world.reload();
    return result;
  }

  return {
    async list(): Promise<readonly Fault[]> {
      const rows = await allFaults(store.db, {});
      return rows.map(({ number, fault: json, seen }) => {
        const fault = JSON.parse(json) as FaultRequest;
        return { ...fault, id: toFaultId(number), hits: createHitDecider(fault)(seen).hits };
      });
    },
    add: async (request: FaultRequest): Promise<Fault | WorldProblem> =>
      findFaultProblem(request) ?? (await change((tx) => addFault(tx, request))),
    /** @returns false if there is no such fault */
    async remove(id: string): Promise<boolean> {
      const number = Number(/^fault-([1-9]\d{0,8})$/.exec(id)?.[1] ?? 0);
      return number > 0 && (await change((tx) => deleteFault.executeWrite(tx, { number }))) > 0;
    },
    clear: () => change((tx) => deleteFaults.executeWrite(tx, {})),
    /** Needs no query, because every request reads this property. */
    get isEmpty(): boolean {
      return version === world.version && entries.length === 0;
    },
    /**
     * Returns the faults that affect a request, oldest first, and counts the hits. All faults except the last are latencies. Only the last
     * may replace the response.
     */
    async hit(request: FaultableRequest, kinds: readonly Fault['fault'][]): Promise<readonly Fault[]> {
      const hits: Fault[] = [];
      for (const entry of version === world.version ? entries : await read()) {
        const { fault, number } = entry;
        const { operation = request.operationId } = fault;
        if (entry.isSpent || !kinds.includes(fault.fault) || operation !== request.operationId) continue;
        if (!allowsStatus(operation as OperationId, fault) || !matches(fault.match, request)) continue;
        const counted = await countMatch.first(store.db, { number });
        if (counted === undefined) continue;
        const { isHit, hits: sum, latencyMs } = entry.decideHit(counted.seen);
        entry.isSpent = sum === fault.times;
        if (!isHit) continue;
        hits.push({ ...fault, hits: sum, ...(DELAYS.includes(fault.fault) && { latencyMs }) });
        if (!DELAYS.includes(fault.fault)) break;
      }
      return hits;
    },
  };
}

function matches(match: Fault['match'], { path, req }: FaultableRequest): boolean {
  if (match === undefined) return true;
  const [, search = ''] = req.url.split('?', 2);
  const query = new URLSearchParams(search);
  const isSame = (actual: string, expected: string) =>
    expected === '*' ? actual !== '' : canonicalize(actual, 'accepted') === canonicalize(expected, 'accepted');
  return Object.entries(match).every(([name, expected]) =>
    [path[name] ?? '', ...query.getAll(name)].some((actual) => isSame(actual, expected)),
  );
}
