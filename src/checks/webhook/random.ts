import fc from 'fast-check';
import { UsageError } from '../../sdk/errors.ts';
import type { Outcome } from '../outcome.ts';
import { brokenRule, SEQUENCE_RULES, type Sequence, Sequences, scenarioOf, withoutCause } from './random-sequences.ts';
import type { ScenarioResult } from './result.ts';
import type { ScenarioResults } from './run-scenarios.ts';
import type { Runner } from './runner.ts';
import { LATER_INSTANTS, PLAIN, SCENARIOS } from './scenarios.ts';
import type { Kind } from './stage.ts';

export interface RandomSettings {
  /** The seed of the sequences. One seed always gives the same sequences. */
  readonly seed: number;
  /** The number of sequences. */
  readonly count: number;
  /** Runs only the sequence at this path, which a failure reports. */
  readonly path?: string | undefined;
  /** The kinds of entities that the consumer's view shows. */
  readonly kinds: readonly Kind[];
  /** After this time no further sequence is started. */
  readonly limitMs: number;
  /** Ends the check after the sequence that is running. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs random sequences of the kinds of entities whose scenario in PLAIN passed. Runs none if a scenario about the same rules failed, because
 * the sequences would find the same mistake again.
 */
export async function randomOutcomes(
  { stopped, ...settings }: Omit<RandomSettings, 'kinds'> & { readonly stopped: string | undefined },
  runners: Readonly<Record<'runner' | 'quick', Runner>>,
  results: ScenarioResults,
  onProgress: (line: string) => void,
): Promise<Outcome[]> {
  // Many random sequences have later instants.
  const isNeeded = ({ id, observation }: (typeof SCENARIOS)[number]) => observation === undefined || id === LATER_INSTANTS;
  const failed = SCENARIOS.filter((scenario) => isNeeded(scenario) && results.get(scenario.id)?.verdict === 'failed');
  const isWrongAboutUsers = failed.some(({ rule }) => rule.startsWith('events.consumer.user-set'));
  const kinds = (Object.keys(PLAIN) as Kind[]).filter(
    (kind) => results.get(PLAIN[kind])?.verdict === 'passed' && !(kind === 'users' && isWrongAboutUsers),
  );
  if (kinds.length === 0) return [];
  const simpler = failed.find(({ rule }) => SEQUENCE_RULES.some((each) => each === rule));
  const reason = stopped ?? (simpler && `a simpler scenario failed (${simpler.rule}): ${simpler.title}`);
  if (reason !== undefined) {
    const title = 'Random sequences of changes and deliveries.';
    return [{ rule: 'events.consumer.any-order', title, verdict: 'not-testable', reason, timeline: [] }];
  }
  const outcome = await checkRandomSequences(runners, { ...settings, kinds });
  onProgress(`${outcome.verdict === 'failed' ? '✗' : '✓'} ${outcome.title}`);
  return [outcome];
}

interface Failure {
  readonly sequence: Sequence;
  readonly result: ScenarioResult;
}

/**
 * Runs random sequences of changes and deliveries, and compares the consumer's view with the world at the end of each. Shortens the first
 * sequence that fails, and reports the rule that the shortest sequence breaks.
 *
 * @param quick a runner that waits less for the view, used to shorten a sequence
 * @throws UsageError if there is no sequence at the path
 */
export async function checkRandomSequences(
  { runner, quick }: Readonly<Record<'runner' | 'quick', Pick<Runner, 'run'>>>,
  { seed, count, path, kinds, limitMs, signal }: RandomSettings,
): Promise<Outcome> {
  const end = Date.now() + limitMs;
  let passed = 0;
  /** Whether a failing sequence was shortened until nothing more could be left out. */
  let isShortest = true;
  let unable: ScenarioResult | undefined;
  const failures: Failure[] = [];

  const property = fc.asyncProperty(new Sequences(kinds), async (sequence) => {
    if (unable || signal?.aborted || Date.now() > end) {
      isShortest = false;
      return;
    }
    const result = await (failures.length === 0 ? runner : quick).run(scenarioOf(sequence));
    if (result.verdict === 'passed') passed++;
    else if (result.verdict !== 'failed') unable = result;
    else {
      failures.push({ sequence, result });
      throw new Error(result.message);
    }
  });
  const details = await runProperty(property, path === undefined ? { seed, numRuns: count } : { seed, path, numRuns: 1 });
  const [original] = failures;
  if (details.failed && !original) throw details.errorInstance;

  if (original) {
    const shortened = await failsAgain(failures.at(-1)!, runner);
    const { sequence, result } = shortened ?? original;
    const indexes = details.counterexamplePath!;
    const number = counted(sequence.deliveries.length, 'delivery', 'deliveries');
    const isRuleKnown = isShortest && shortened !== undefined;
    return {
      rule: isRuleKnown ? await provenRule(shortened, runner) : brokenRule(sequence, result.failure, false),
      title: `${number}${isRuleKnown ? ', shortened from a random sequence that failed' : ' in a random order'}.`,
      verdict: 'failed',
      message: result.message ?? '',
      timeline: result.timeline,
      replay: `--seed ${seed} --path ${shortened ? indexes : indexes.split(':')[0]}`,
    };
  }
  const title = `${counted(passed, 'random sequence', 'random sequences')} of changes and deliveries, seed ${seed}.`;
  const rule = 'events.consumer.any-order';
  if (unable) {
    const { verdict, reason, missing, message, timeline } = unable;
    return { rule, title, verdict, timeline, ...(reason && { reason }), ...(missing && { missing }), ...(message && { message }) };
  }
  if (passed === 0)
    return { rule, title, verdict: 'not-exercised', reason: 'the time limit passed before a random sequence had ended', timeline: [] };
  return { rule, title, verdict: 'passed', timeline: [] };
}

/** @throws UsageError if there is no sequence at the path */
async function runProperty(property: fc.IAsyncProperty<[Sequence]>, parameters: fc.Parameters<[Sequence]>) {
  const { seed, path } = parameters;
  const wrongPath = () => new UsageError(`--path ${path} is not the path of a sequence of --seed ${seed}. Copy both from the report.`);
  let details: fc.RunDetails<[Sequence]>;
  try {
    details = await fc.check(property, parameters);
  } catch (error) {
    throw path === undefined ? error : wrongPath();
  }
  if (path !== undefined && details.numRuns === 0) throw wrongPath();
  return details;
}

/** Runs a sequence once more and waits as long as usual. @returns undefined if it passes: the failure needs something from before it */
async function failsAgain({ sequence }: Failure, runner: Pick<Runner, 'run'>): Promise<Failure | undefined> {
  const result = await runner.run(scenarioOf(sequence));
  return result.verdict === 'failed' ? { sequence, result } : undefined;
}

/** Returns the rule that the shortest sequence breaks, if the sequence passes without what the rule is about. */
async function provenRule({ sequence, result }: Failure, runner: Pick<Runner, 'run'>): Promise<Outcome['rule']> {
  const rule = brokenRule(sequence, result.failure, true);
  const control = withoutCause(sequence, rule);
  if (control === undefined || (await runner.run(scenarioOf(control))).verdict === 'passed') return rule;
  return brokenRule(sequence, result.failure, false);
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}
