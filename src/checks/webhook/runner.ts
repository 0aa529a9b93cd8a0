import type { TimelineEntry } from '../outcome.ts';
import { performScenario } from './perform.ts';
import { ScenarioEnd, type ScenarioResult } from './result.ts';
import type { RunnerDeps } from './running-scenario.ts';
import type { WebhookScenario } from './scenario.ts';

export interface Runner {
  /** Runs a scenario, then deletes its entities and delivers the deletion events. Never rejects. */
  run(scenario: WebhookScenario): Promise<ScenarioResult>;
}

export function createRunner(deps: RunnerDeps): Runner {
  return {
    async run(scenario) {
      const timeline: TimelineEntry[] = [];
      const performing = performScenario(scenario, { ...deps, timeline });
      try {
        await performing.performSteps();
        return { verdict: 'passed', timeline };
      } catch (error) {
        if (error instanceof ScenarioEnd) return { ...error.result, timeline };
        if (deps.interrupt?.aborted) return { verdict: 'not-testable', reason: 'the run was interrupted during this scenario', timeline };
        return { verdict: 'error', message: (error as Error).message, timeline };
      } finally {
        await performing.cleanUp().catch(() => {});
      }
    },
  };
}
