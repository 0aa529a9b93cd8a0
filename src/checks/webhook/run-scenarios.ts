import { type EntityKind, getEntityKind } from './check-entities.ts';
import type { Endpoint } from './endpoint.ts';
import type { ScenarioResult } from './result.ts';
import type { Runner } from './runner.ts';
import type { FixedScenario, Step } from './scenario.ts';
import { DIFFERENT_ENTITIES_SCENARIO, FUTURE_UPDATED_AT_SCENARIO, IN_ORDER_SCENARIOS } from './scenarios/basic.ts';
import { DURABLE_STORE_SCENARIO } from './scenarios/lost-store.ts';
import { SCENARIOS } from './scenarios.ts';
import type { TimePlan } from './time-plan.ts';

export type ScenarioResults = ReadonlyMap<string, ScenarioResult>;

type NeededOption = '--state-url' | '--restart' | '--lose-store' | '--kit-port';

export interface ScenarioRun {
  readonly runner: Runner;
  /** A runner with shorter waits, for scenarios that report an `observation` instead of a failure. */
  readonly quick: Runner;
  readonly endpoint: Endpoint;
  readonly missing: Readonly<Record<NeededOption, boolean>>;
  readonly signal?: AbortSignal | undefined;
  readonly plan: TimePlan;
  /** How many random sequences follow. */
  readonly sequences: number;
  readonly onProgress: (line: string) => void;
}

/**
 * Always includes IN_ORDER_SCENARIOS, because they test the acknowledgements.
 * @param hasSequences whether random sequences follow, which differ for consumers with different abilities
 */
export function selectScenarios(isSelected: (rule: string) => boolean, hasSequences: boolean): readonly FixedScenario[] {
  const needed: readonly string[] = hasSequences ? [FUTURE_UPDATED_AT_SCENARIO, DURABLE_STORE_SCENARIO] : [];
  const selected = SCENARIOS.filter(({ rule, id }) => isSelected(rule) || needed.includes(id));
  const ids = new Set([
    ...Object.values<string>(IN_ORDER_SCENARIOS),
    ...selected.flatMap((scenario) => [scenario.id, ...listRequiredScenarios(scenario)]),
  ]);
  return SCENARIOS.filter(({ id }) => ids.has(id));
}

export async function runScenarios(scenarios: readonly FixedScenario[], run: ScenarioRun): Promise<ScenarioResults> {
  const results = new Map<string, ScenarioResult>();
  const storeResult = (scenario: FixedScenario, result: ScenarioResult) => {
    results.set(scenario.id, result);
    run.onProgress(`${scenario.observation === undefined ? PROGRESS_MARKS[result.verdict] : '·'} ${scenario.title}`);
  };
  let isPlanned = false;
  for (const scenario of scenarios) {
    // The first scenario alone would be misleading, because programs are slow at the start.
    if (!isPlanned && results.size > 0 && (results.size >= FORECAST_AFTER || !run.plan.hasTimeFor(scenario))) {
      isPlanned = true;
      const forecast = run.plan.describe(scenarios.slice(results.size), run.sequences);
      if (forecast !== undefined) run.onProgress(forecast);
    }
    const blocked = findBlocker(scenario, results, run);
    if (blocked !== undefined) {
      storeResult(scenario, { verdict: 'not-testable', ...blocked, timeline: [] });
      continue;
    }
    const startedAt = performance.now();
    const result = await (scenario.observation === undefined ? run.runner : run.quick).run(scenario);
    // After a failure, the time says how long the check waited, and not how long the consumer needs.
    if (result.verdict === 'passed') run.plan.record(scenario, performance.now() - startedAt);
    storeResult(scenario, result);
  }
  return results;
}

const FORECAST_AFTER = 3;

export const TIME_LIMIT_REASON = 'the time limit (--time-limit) left no time for it';

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
  if (!run.plan.hasTimeFor(scenario)) return { reason: TIME_LIMIT_REASON };
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
