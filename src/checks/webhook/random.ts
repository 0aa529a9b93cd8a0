import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { formatPlural } from '../../contract/format-plural.ts';
import { UsageError } from '../../control-client/errors.ts';
import type { RuleOutcome } from '../outcome.ts';
import { createSequenceWithoutRule, guessBrokenRule, SEQUENCE_RULES } from './broken-rule.ts';
import type { EntityKind } from './check-entities.ts';
import { type Abilities, RandomSequences, type Sequence, toScenario } from './random-sequences.ts';
import type { ScenarioResult } from './result.ts';
import type { ScenarioResults } from './run-scenarios.ts';
import type { Runner } from './runner.ts';
import { FUTURE_UPDATED_AT_SCENARIO, IN_ORDER_SCENARIOS } from './scenarios/basic.ts';
import { DURABLE_STORE_SCENARIO } from './scenarios/lost-store.ts';
import { SCENARIOS } from './scenarios.ts';
import type { TimePlan } from './time-plan.ts';

export interface SequenceOptions {
  readonly random?: number | undefined;
  readonly seed?: number | undefined;
  readonly path?: string | undefined;
}

export interface RandomSettings {
  /** The random generator's seed. Equal seeds give equal sequences. */
  readonly seed: number;
  readonly count: number;
  /**
   * Selects a single sequence to run. The value is the `--path` from the report on a failed sequence. It starts with `no-users:` if the
   * sequences contained no users, because equal seeds give different sequences for different kinds of entities.
   */
  readonly path?: string | undefined;
  readonly kinds: readonly EntityKind[];
  readonly abilities: Abilities;
  /** After this time, in milliseconds, no further sequence starts. */
  readonly limitMs: number;
  /** Leaves out the sequences for which there is no time. */
  readonly plan?: Pick<TimePlan, 'hasTimeFor'> | undefined;
  /** Stops the check after the current sequence. */
  readonly signal?: AbortSignal | undefined;
}

const LIMIT_MS = 60_000;

/** Returns undefined if no sequence shall run. */
export function createRandomSettings({ random: count = 20, seed = randomInt(2 ** 31), path }: SequenceOptions) {
  return count > 0 || path !== undefined ? { count, seed, path, limitMs: LIMIT_MS } : undefined;
}

const NO_USERS = 'no-users:';

export async function runRandomCheck(
  { stopped, ...settings }: Omit<RandomSettings, 'kinds' | 'abilities'> & { readonly stopped: string | undefined },
  runners: Readonly<Record<'runner' | 'quick', Runner>>,
  results: ScenarioResults,
  onProgress: (line: string) => void,
): Promise<RuleOutcome[]> {
  const failed = SCENARIOS.filter(({ id, observation }) => observation === undefined && results.get(id)?.verdict === 'failed');
  const { path } = settings;
  const omitsUsers = path?.startsWith(NO_USERS) ?? failed.some(({ rule }) => rule.startsWith('events.consumer.user-set'));
  const abilities = {
    canRestart: results.get(DURABLE_STORE_SCENARIO)?.verdict === 'passed',
    acceptsLaterInstants: results.get(FUTURE_UPDATED_AT_SCENARIO)?.verdict !== 'failed',
  };
  const kinds = (Object.keys(IN_ORDER_SCENARIOS) as EntityKind[]).filter(
    (kind) => results.get(IN_ORDER_SCENARIOS[kind])?.verdict === 'passed' && !(kind === 'users' && omitsUsers),
  );
  if (kinds.length === 0 && path === undefined) return [];
  const simpler = failed.find(({ rule }) => SEQUENCE_RULES.some((each) => each === rule));
  const reason = stopped ?? (simpler && `a simpler scenario failed (${simpler.rule}): ${simpler.title}`);
  if (reason !== undefined || kinds.length === 0) {
    const title = 'Random sequences of changes and deliveries.';
    const untested = { rule: 'events.consumer.any-order', title, verdict: 'not-testable', timeline: [] } as const;
    if (reason !== undefined) return [{ ...untested, reason }];
    const { reason: cause = 'no event that arrived in order is in the state', missing = [] } = results.get(IN_ORDER_SCENARIOS.connections)!;
    return [{ ...untested, reason: cause, missing }];
  }
  const outcome = await checkRandomSequences(runners, { ...settings, path: path?.replace(NO_USERS, ''), kinds, abilities });
  onProgress(`${outcome.verdict === 'failed' ? '✗' : '✓'} ${outcome.title}`);
  const replay = omitsUsers ? outcome.replay?.replace('--path ', `--path ${NO_USERS}`) : outcome.replay;
  return [{ ...outcome, ...(replay !== undefined && { replay }) }];
}

const MAX_SHRINK_MS = 30_000;

interface FailedSequence {
  readonly sequence: Sequence;
  readonly result: ScenarioResult;
}

/**
 * @param quick a runner with shorter waits, which runs the shortened sequences
 * @throws UsageError if `path` selects no sequence
 */
export async function checkRandomSequences(
  { runner, quick }: Readonly<Record<'runner' | 'quick', Pick<Runner, 'run'>>>,
  { seed, count, path, kinds, abilities, limitMs, plan, signal }: RandomSettings,
): Promise<RuleOutcome> {
  let end = Date.now() + limitMs;
  let passed = 0;
  let isFullyShrunk = true;
  let unable: ScenarioResult | undefined;
  const failures: FailedSequence[] = [];

  const property = fc.asyncProperty(new RandomSequences(kinds), async (sequence) => {
    const scenario = toScenario(sequence, abilities);
    if (
      unable ||
      signal?.aborted ||
      ((path === undefined || failures.length > 0) && (Date.now() > end || plan?.hasTimeFor(scenario) === false))
    ) {
      isFullyShrunk = false;
      return;
    }
    const result = await (failures.length === 0 ? runner : quick).run(scenario);
    if (result.verdict === 'passed') passed++;
    else if (result.verdict !== 'failed') unable = result;
    else {
      if (failures.length === 0) end = Math.min(end, Date.now() + MAX_SHRINK_MS);
      failures.push({ sequence, result });
      throw new Error(result.message);
    }
  });
  const details = await runProperty(property, path === undefined ? { seed, numRuns: count } : { seed, path, numRuns: 1 });
  const [original] = failures;
  if (details.failed && !original) throw details.errorInstance;

  if (original) {
    const run = (sequence: Sequence) => runner.run(toScenario(sequence, abilities));
    const { sequence: shortened } = failures.at(-1)!;
    const repeated = await run(shortened);
    const isRepeatable = repeated.verdict === 'failed';
    const { sequence, result } = isRepeatable ? { sequence: shortened, result: repeated } : original;
    const indexes = details.counterexamplePath!;
    const number = formatPlural(sequence.deliveries.length, 'delivery', 'deliveries');
    const isRuleKnown = isFullyShrunk && isRepeatable;
    return {
      rule: isRuleKnown ? await confirmBrokenRule({ sequence, result }, run) : guessBrokenRule(sequence, result.failure, false),
      title: `${number}${isRuleKnown ? ', shortened from a random sequence that failed' : ' in a random order'}.`,
      verdict: 'failed',
      message: result.message ?? '',
      timeline: result.timeline,
      replay: `--seed ${seed} --path ${isRepeatable ? indexes : indexes.split(':')[0]}`,
    };
  }
  const title = `${formatPlural(passed, 'random sequence')} of changes and deliveries, seed ${seed}.`;
  const rule = 'events.consumer.any-order';
  if (unable) return { ...unable, rule, title };
  if (passed === 0)
    return { rule, title, verdict: 'not-exercised', reason: 'the time limit passed before a random sequence ended', timeline: [] };
  return { rule, title, verdict: 'passed', timeline: [] };
}

async function runProperty(property: fc.IAsyncProperty<[Sequence]>, parameters: fc.Parameters<[Sequence]>) {
  const { seed, path } = parameters;
  const createPathError = () => new UsageError(`No sequence of --seed ${seed} has the path ${path}. Copy both from the report.`);
  let details: fc.RunDetails<[Sequence]>;
  try {
    details = await fc.check(property, parameters);
  } catch (error) {
    throw path === undefined ? error : createPathError();
  }
  if (path !== undefined && details.numRuns === 0) throw createPathError();
  return details;
}

async function confirmBrokenRule(
  { sequence, result }: FailedSequence,
  run: (sequence: Sequence) => Promise<ScenarioResult>,
): Promise<RuleOutcome['rule']> {
  const rule = guessBrokenRule(sequence, result.failure, true);
  const control = createSequenceWithoutRule(sequence, rule);
  if (control === undefined || (await run(control)).verdict === 'passed') return rule;
  return guessBrokenRule(sequence, result.failure, false);
}
