import { type EntityKind, getEntityKind } from './check-entities.ts';
import type { Endpoint } from './endpoint.ts';
import type { ScenarioResult } from './result.ts';
import type { Runner } from './runner.ts';
import type { FixedScenario, Step } from './scenario.ts';
import { DIFFERENT_ENTITIES_SCENARIO, FUTURE_UPDATED_AT_SCENARIO, IN_ORDER_SCENARIOS } from './scenarios/basic.ts';
import { SCENARIOS } from './scenarios.ts';

export type ScenarioResults = ReadonlyMap<string, ScenarioResult>;

type NeededOption = '--state-url' | '--restart' | '--lose-store' | '--kit-port';

export interface ScenarioRun {
  readonly runner: Runner;
  /** A runner with shorter waits, for scenarios that report an `observation` instead of a failure. */
  readonly quick: Runner;
  readonly endpoint: Endpoint;
  readonly missing: Readonly<Record<NeededOption, boolean>>;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress: (line: string) => void;
}

/** Always includes IN_ORDER_SCENARIOS, because they test the acknowledgements. */
export function selectScenarios(isSelected: (rule: string) => boolean): readonly FixedScenario[] {
  const selected = SCENARIOS.filter(({ rule }) => isSelected(rule));
  const ids = new Set([
    ...Object.values<string>(IN_ORDER_SCENARIOS),
    ...selected.flatMap((scenario) => [scenario.id, ...listRequiredScenarios(scenario)]),
  ]);
  return SCENARIOS.filter(({ id }) => ids.has(id));
}

/** Scenarios with a `later` step end last, but before the next scenario that restarts the consumer or makes it lose its store. */
export async function runScenarios(scenarios: readonly FixedScenario[], run: ScenarioRun): Promise<ScenarioResults> {
  const results = new Map<string, ScenarioResult>();
  const paused: (() => Promise<void>)[] = [];
  const storeResult = (scenario: FixedScenario, result: ScenarioResult) => {
    results.set(scenario.id, result);
    run.onProgress(`${scenario.observation === undefined ? PROGRESS_MARKS[result.verdict] : '·'} ${scenario.title}`);
  };
  const resumePausedScenarios = async () => {
    for (const finish of paused.splice(0)) await finish();
  };
  for (const scenario of scenarios) {
    if (hasStep(scenario, 'restart') || hasStep(scenario, 'lose-store')) await resumePausedScenarios();
    const blocked = findBlocker(scenario, results, run);
    if (blocked !== undefined) {
      storeResult(scenario, { verdict: 'not-testable', ...blocked, timeline: [] });
      continue;
    }
    const pause = Promise.withResolvers<void>();
    const resume = Promise.withResolvers<void>();
    const running = (scenario.observation === undefined ? run.runner : run.quick).run(scenario, () => {
      pause.resolve();
      return resume.promise;
    });
    await Promise.race([running, pause.promise]);
    const finishScenario = async () => {
      resume.resolve();
      storeResult(scenario, await running);
    };
    if (hasStep(scenario, 'later')) paused.push(finishScenario);
    else await finishScenario();
  }
  await resumePausedScenarios();
  return results;
}

const PROGRESS_MARKS: Readonly<Record<ScenarioResult['verdict'], string>> = { passed: '✓', failed: '✗', 'not-testable': '○', error: '!' };

const hasStep = ({ steps }: FixedScenario, step: Step['step']) => steps.some((each) => each.step === step);

function findBlocker(
  scenario: FixedScenario,
  results: ScenarioResults,
  run: ScenarioRun,
): Pick<ScenarioResult, 'reason' | 'missing'> | undefined {
  if (run.signal?.aborted) return { reason: 'the run was interrupted before this scenario' };
  if (run.endpoint.stopped !== undefined) return { reason: run.endpoint.stopped };
  const missing = listNeededOptions(scenario).filter((option) => run.missing[option]);
  if (missing.length > 0) return { reason: `${missing.join(' and ')} ${missing.length === 1 ? 'was' : 'were'} not given`, missing };
  if (results.size > 0 && run.endpoint.acknowledged === 0) return { reason: 'the endpoint acknowledged no delivery' };
  if ([...results.values()].some(({ failure }) => failure === 'late'))
    return { reason: 'the endpoint did not answer an earlier delivery in time' };
  for (const id of listRequiredScenarios(scenario)) {
    const { verdict, failure } = results.get(id) ?? {};
    const { title, rule, observation } = findScenario(id);
    if (verdict === 'failed' && observation !== undefined) return { reason: observation };
    if (verdict === 'failed') return { reason: `a simpler scenario failed${failure === 'view' ? ` (${rule})` : ''}: ${title}` };
  }
  return undefined;
}

/** Most scenarios do not require --state-url, because without it they can still test acknowledgements. */
function listNeededOptions(scenario: FixedScenario): readonly NeededOption[] {
  const options: NeededOption[] = [];
  if (hasStep(scenario, 'restart')) options.push('--restart', '--state-url');
  if (hasStep(scenario, 'lose-store')) options.push('--lose-store', '--state-url', '--kit-port');
  if (hasStep(scenario, 'users-unavailable') || scenario.steps.some((step) => step.step === 'compare' && step.what === 'seeded'))
    options.push('--state-url', '--kit-port');
  return [...new Set(options)];
}

function listRequiredScenarios(scenario: FixedScenario): readonly string[] {
  const plain = listKinds(scenario).map((kind): string => IN_ORDER_SCENARIOS[kind]);
  const rewritten = scenario.steps.some((step) => step.step === 'send' && step.as?.updatedAt) ? [FUTURE_UPDATED_AT_SCENARIO] : [];
  const direct = [...plain, ...rewritten, ...(scenario.requires ?? [])].filter((id) => id !== scenario.id);
  const isPlain = Object.values<string>(IN_ORDER_SCENARIOS).includes(scenario.id) || scenario.id === DIFFERENT_ENTITIES_SCENARIO;
  return [
    ...new Set([
      ...direct.flatMap((id) => [id, ...listRequiredScenarios(findScenario(id))]),
      ...(isPlain ? [] : [DIFFERENT_ENTITIES_SCENARIO]),
    ]),
  ];
}

function listKinds({ steps }: FixedScenario): readonly EntityKind[] {
  return [...new Set(steps.flatMap((step) => (step.step === 'change' ? [getEntityKind(step.type)] : [])))];
}

function findScenario(id: string): FixedScenario {
  return SCENARIOS.find((each) => each.id === id)!;
}
