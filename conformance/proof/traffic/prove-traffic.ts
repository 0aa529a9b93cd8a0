import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { runInOwnProcess } from '../own-process.ts';
import type { ProofFailure } from '../server.ts';
import { FRESH_BREACHES, selectFreshBreaches } from '../targets/fresh-breach.ts';

export interface WatchJob {
  readonly name: string;
  /** Undefined: the server without a breach. */
  readonly breach: string | undefined;
}

export interface WatchedBreach {
  readonly failed: readonly RuleId[];
  readonly exchanges: number;
  readonly decisions: Readonly<Record<string, unknown>>;
}

/** What the independent server decides, as far as the traffic shows it. */
const DECISIONS = {
  'connections.create.status': 202,
  'connections.update.status': 204,
  'connections.delete.status': 200,
  'connections.create.initial-state': 'ACTIVE',
  'assignments.create.duplicate': 422,
  'assignments.list.account-with-target': 400,
  'assignments.list.page-size-out-of-range': 'clamped',
  'assignability.already-assigned': false,
  'lists.order': 'newest-first',
  'lists.page-size': 'asked-for',
  'lists.last-page': 'none',
};
const STRIDE = 12;

/** Returns one job without a breach, and jobs with those breaches that traffic shows. */
export const selectTrafficJobs = (pattern: string | undefined): WatchJob[] =>
  [undefined, ...selectFreshBreaches(pattern, STRIDE, ({ inTraffic }) => inTraffic !== undefined)].map((breach) => ({
    name: `traffic with ${breach ?? 'no breach'}`,
    breach,
  }));

export const proveTraffic = (jobs: readonly WatchJob[]): Promise<ProofFailure[]> => mapConcurrently(1, jobs, proveJob);

async function proveJob(job: WatchJob): Promise<ProofFailure[]> {
  const fail = (text: string): ProofFailure => ({ server: job.name, text });
  const result = await runInOwnProcess<WatchedBreach>(new URL('./watch-breach.ts', import.meta.url), job);
  if (result === undefined) return [fail('the traffic ended with an error')];
  const { failed, exchanges, decisions } = result;
  const broken = failed.join(', ') || 'no rule';
  console.log(`${exchanges} requests: ${job.name} broke ${broken}`);
  if (job.breach === undefined) {
    const wrong = Object.entries(DECISIONS).filter(([id, value]) => decisions[id] !== value);
    return [
      ...failed.map((id) => fail(`a correct server broke ${id}`)),
      ...wrong.map(([id, value]) => fail(`${id} was observed as ${decisions[id]}, not ${value}`)),
    ];
  }
  const expected = FRESH_BREACHES[job.breach]!.inTraffic!;
  return expected.some((id) => failed.includes(id)) ? [] : [fail(`broke ${broken}, not ${expected.join(' or ')}`)];
}
