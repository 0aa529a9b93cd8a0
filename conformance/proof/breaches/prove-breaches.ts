import { parse } from 'yaml';
import type { Decisions } from '../../../src/contract/generated/decisions.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { formatDecisionsFile } from '../../../src/report/decisions-file.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { runInOwnProcess } from '../own-process.ts';
import { type ProofFailure, runSuiteAgainst } from '../server.ts';
import { FRESH_BREACHES, selectFreshBreaches } from '../targets/fresh-breach.ts';
import { openIndependentServer } from '../targets/independent.ts';

export interface ExploringJob {
  readonly name: string;
  readonly seed: number;
  /** What the suite observes of the independent server. */
  readonly decisions: Partial<Decisions>;
}

export interface ExploredBreach {
  /** Undefined: the exploration missed the breach. */
  readonly rule?: RuleId | undefined;
  /** The rules that may not name the breach, but did. */
  readonly others: readonly RuleId[];
  readonly sequences: number;
  readonly seconds: number;
}

const STRIDE = 92;
/** An exploration is random, so a breach is missed only if several seeds miss it. */
const ATTEMPTS = 3;

export const selectBreaches = (pattern: string | undefined): { readonly name: string }[] =>
  selectFreshBreaches(pattern, STRIDE).map((name) => ({ name }));

export async function proveBreaches(breaches: readonly { readonly name: string }[], seeds: number): Promise<ProofFailure[]> {
  if (breaches.length === 0) return [];
  const independent = { name: 'independent server', open: openIndependentServer };
  const decisions = parse(formatDecisionsFile(await runSuiteAgainst(independent, { rules: [], observing: true }))) as Partial<Decisions>;
  const jobs = breaches.flatMap(({ name }) => Array.from({ length: seeds }, (_, index) => ({ name, seed: index + 1, decisions })));
  return mapConcurrently(1, jobs, proveBreach);
}

async function proveBreach(job: ExploringJob): Promise<ProofFailure[]> {
  let failures: ProofFailure[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    failures = await exploreBreach({ ...job, seed: job.seed + attempt * 1000 });
    if (failures.length === 0) break;
  }
  return failures;
}

async function exploreBreach(job: ExploringJob): Promise<ProofFailure[]> {
  const result = await runInOwnProcess<ExploredBreach>(new URL('./explore-breach.ts', import.meta.url), job);
  const { name, seed } = job;
  const fail = (text: string) => [{ server: name, text: `(seed ${seed}) ${text}` }];
  if (result === undefined) return fail('the exploration ended with an error');
  const { rule, others, sequences, seconds } = result;
  const { missedBecause } = FRESH_BREACHES[name]!;
  console.log(`${rule === undefined ? 'missed' : 'found'} ${name} ${rule ?? ''} (${sequences} sequences, ${seconds.toFixed(1)} s)`);
  if (rule !== undefined || missedBecause !== undefined) return [];
  if (others.length > 0) return fail(`broke only ${others.join(', ')}, which may not name it`);
  return fail('was missed');
}
