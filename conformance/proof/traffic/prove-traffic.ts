import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import type { ProofFailure } from '../server.ts';
import { FRESH_BREACHES } from '../targets/fresh-breach.ts';

export interface WatchJob {
  /** Undefined: the server without a breach. */
  readonly name: string | undefined;
  readonly seed: number;
  /** How many requests pass before the traffic ends. */
  readonly exchanges: number;
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
/** Without a pattern, a few breaches, to save time. */
const STRIDE = 12;
const EXCHANGES = 10_000;

/** @param pattern `all`, or a regular expression. By default, a few of the breaches that passing traffic shows */
export function selectTrafficJobs(pattern: string | undefined): { readonly name: string; readonly job: WatchJob }[] {
  const names = Object.keys(FRESH_BREACHES).filter((name) => FRESH_BREACHES[name]!.inTraffic !== undefined);
  const selected = names.filter((name, index) =>
    pattern === undefined ? index % STRIDE === 0 : pattern === 'all' || new RegExp(pattern).test(name),
  );
  return [undefined, ...selected].map((name) => ({
    name: `traffic with ${name ?? 'no breach'}`,
    job: { name, seed: 1, exchanges: EXCHANGES },
  }));
}

export async function proveTraffic(jobs: ReturnType<typeof selectTrafficJobs>): Promise<ProofFailure[]> {
  const failures: ProofFailure[] = [];
  for (const { name, job } of jobs) failures.push(...(await watch(job)).map((text) => ({ server: name, text })));
  return failures;
}

async function watch(job: WatchJob): Promise<string[]> {
  const child = fork(fileURLToPath(new URL('./watch-breach.ts', import.meta.url)), { execArgv: [] });
  child.send(job);
  const [result] = (await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])])) as [WatchedBreach?];
  child.kill();
  if (result === undefined) return ['the traffic ended with an error'];
  const { failed, exchanges, decisions } = result;
  console.log(`${exchanges} requests with ${job.name ?? 'no breach'} broke ${failed.join(', ') || 'no rule'}`);
  if (job.name === undefined) {
    const wrong = Object.entries(DECISIONS).filter(([id, value]) => decisions[id] !== value);
    return [
      ...failed.map((id) => `a correct server broke ${id}`),
      ...wrong.map(([id, value]) => `${id} was observed as ${String(decisions[id])}, not ${String(value)}`),
    ];
  }
  const expected = FRESH_BREACHES[job.name]!.inTraffic!;
  return expected.some((id) => failed.includes(id)) ? [] : [`broke ${failed.join(', ') || 'no rule'}, not ${expected.join(' or ')}`];
}
