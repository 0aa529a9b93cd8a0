import { cleanUp, performStep } from './perform.ts';
import { ScenarioEnd, type ScenarioResult } from './result.ts';
import type { RunnerDeps, RunningScenario } from './running-scenario.ts';
import type { WebhookScenario } from './scenario.ts';

export interface Runner {
  /** Runs a scenario, then deletes its entities and delivers the deletion events. Never rejects. */
  run(scenario: WebhookScenario): Promise<ScenarioResult>;
}

export function createRunner(deps: RunnerDeps): Runner {
  return {
    async run({ title, steps }) {
      const scenario: RunningScenario = {
        ...deps,
        title,
        timeline: [],
        entities: new Map(),
        events: new Map(),
        unacknowledged: [],
        isAnswering: true,
        isRebuilding: false,
        unsettled: 0,
      };
      const { timeline } = scenario;
      try {
        for (const step of steps) await performStep(scenario, step);
        return { verdict: 'passed', timeline };
      } catch (error) {
        if (error instanceof ScenarioEnd) return { ...error.result, timeline };
        if (deps.interrupt?.aborted) return { verdict: 'not-testable', reason: 'the run was interrupted during this scenario', timeline };
        return { verdict: 'error', message: (error as Error).message, timeline };
      } finally {
        await cleanUp(scenario).catch(() => {});
      }
    },
  };
}
