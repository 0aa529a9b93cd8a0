import type { Endpoint } from './endpoint.ts';
import type { ScenarioResult } from './result.ts';
import type { Runner } from './runner.ts';
import type { Step } from './scenario.ts';
import { DIFFERENT_ENTITIES, type FixedScenario, LATER_INSTANTS, PLAIN, SCENARIOS } from './scenarios.ts';
import { type Kind, kindOf } from './stage.ts';

export type ScenarioResults = ReadonlyMap<string, ScenarioResult>;

/** The options that a scenario may need. */
export type NeededOption = '--state-url' | '--restart' | '--lose-store' | '--kit-port';

export interface ScenarioRun {
  readonly runner: Runner;
  /** A runner that waits less for the view, for scenarios that cannot break a rule. */
  readonly quick: Runner;
  readonly endpoint: Endpoint;
  /** Whether the user did not give an option. */
  readonly missing: Readonly<Record<NeededOption, boolean>>;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress: (line: string) => void;
}

/** Returns the scenarios of the selected rules and the scenarios that they require. PLAIN is always included: it tests the acknowledgements. */
export function scenariosFor(isSelected: (rule: string) => boolean): readonly FixedScenario[] {
  const selected = SCENARIOS.filter(({ rule }) => isSelected(rule));
  const ids = new Set([...Object.values<string>(PLAIN), ...selected.flatMap((scenario) => [scenario.id, ...needs(scenario)])]);
  return SCENARIOS.filter(({ id }) => ids.has(id));
}

/**
 * Runs the scenarios one after the other. A scenario with the step `later` continues after the others, but before the first one in which
 * the consumer may lose the ids of the events that it applied.
 */
export async function runScenarios(scenarios: readonly FixedScenario[], run: ScenarioRun): Promise<ScenarioResults> {
  const results = new Map<string, ScenarioResult>();
  const paused: (() => Promise<void>)[] = [];
  const done = (scenario: FixedScenario, result: ScenarioResult) => {
    results.set(scenario.id, result);
    run.onProgress(`${scenario.observation === undefined ? MARKS[result.verdict] : '·'} ${scenario.title}`);
  };
  const resumeAll = async () => {
    for (const finish of paused.splice(0)) await finish();
  };
  for (const scenario of scenarios) {
    if (has(scenario, 'restart') || has(scenario, 'lose-store')) await resumeAll();
    const blocked = blockedBy(scenario, results, run);
    if (blocked !== undefined) {
      done(scenario, { verdict: 'not-testable', ...blocked, timeline: [] });
      continue;
    }
    const pause = Promise.withResolvers<void>();
    const resume = Promise.withResolvers<void>();
    const running = (scenario.observation === undefined ? run.runner : run.quick).run(scenario, () => {
      pause.resolve();
      return resume.promise;
    });
    await Promise.race([running, pause.promise]);
    const finish = async () => {
      resume.resolve();
      done(scenario, await running);
    };
    if (has(scenario, 'later')) paused.push(finish);
    else await finish();
  }
  await resumeAll();
  return results;
}

const MARKS: Readonly<Record<ScenarioResult['verdict'], string>> = { passed: '✓', failed: '✗', 'not-testable': '○', error: '!' };

const has = ({ steps }: FixedScenario, step: Step['step']) => steps.some((each) => each.step === step);

/** Returns why a scenario cannot run; undefined if it can. */
function blockedBy(
  scenario: FixedScenario,
  results: ScenarioResults,
  run: ScenarioRun,
): Pick<ScenarioResult, 'reason' | 'missing'> | undefined {
  if (run.signal?.aborted) return { reason: 'the run was interrupted before this scenario' };
  if (run.endpoint.stopped !== undefined) return { reason: run.endpoint.stopped };
  const missing = neededOptions(scenario).filter((option) => run.missing[option]);
  if (missing.length > 0) return { reason: `${missing.join(' and ')} ${missing.length === 1 ? 'was' : 'were'} not given`, missing };
  if (results.size > 0 && run.endpoint.acknowledged === 0) return { reason: 'the endpoint acknowledged nothing' };
  if ([...results.values()].some(({ failure }) => failure === 'late'))
    return { reason: 'the endpoint did not answer an earlier delivery in time' };
  for (const id of needs(scenario)) {
    const { verdict, failure } = results.get(id) ?? {};
    const { title, rule, observation } = scenarioWith(id);
    if (verdict === 'failed' && observation !== undefined) return { reason: observation };
    if (verdict === 'failed') return { reason: `a simpler scenario failed${failure === 'view' ? ` (${rule})` : ''}: ${title}` };
  }
  return undefined;
}

/** Returns the options that a scenario requires. Most scenarios run without --state-url too, because they test the acknowledgements. */
function neededOptions(scenario: FixedScenario): readonly NeededOption[] {
  const options: NeededOption[] = [];
  if (has(scenario, 'restart')) options.push('--restart', '--state-url');
  if (has(scenario, 'lose-store')) options.push('--lose-store', '--state-url', '--kit-port');
  if (has(scenario, 'users-unavailable') || scenario.steps.some((step) => step.step === 'compare' && step.what === 'seeded'))
    options.push('--state-url', '--kit-port');
  return [...new Set(options)];
}

/** Returns the scenarios that have to pass before a scenario, directly or indirectly. */
function needs(scenario: FixedScenario): readonly string[] {
  const plain = kindsOf(scenario).map((kind): string => PLAIN[kind]);
  const rewritten = scenario.steps.some((step) => step.step === 'send' && step.as?.updatedAt) ? [LATER_INSTANTS] : [];
  const direct = [...plain, ...rewritten, ...(scenario.requires ?? [])].filter((id) => id !== scenario.id);
  const isPlain = Object.values<string>(PLAIN).includes(scenario.id) || scenario.id === DIFFERENT_ENTITIES;
  return [...new Set([...direct.flatMap((id) => [id, ...needs(scenarioWith(id))]), ...(isPlain ? [] : [DIFFERENT_ENTITIES])])];
}

function kindsOf({ steps }: FixedScenario): readonly Kind[] {
  return [...new Set(steps.flatMap((step) => (step.step === 'change' ? [kindOf(step.type)] : [])))];
}

function scenarioWith(id: string): FixedScenario {
  return SCENARIOS.find((each) => each.id === id)!;
}
