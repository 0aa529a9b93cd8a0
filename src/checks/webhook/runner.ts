import { setTimeout as delay } from 'node:timers/promises';
import type { TimelineEntry } from '../outcome.ts';
import { MissingHookError } from './hooks.ts';
import { performScenario } from './perform.ts';
import { ScenarioEnd, type ScenarioResult } from './result.ts';
import type { RunnerDeps } from './running-scenario.ts';
import type { WebhookScenario } from './scenario.ts';

export interface Runner {
  /**
   * Runs a scenario, then deletes its entities and delivers the deletion events. Never rejects.
   * @param performLaterStep a function that the scenario calls and awaits at its `later` step
   */
  run(scenario: WebhookScenario, performLaterStep?: () => Promise<void>): Promise<ScenarioResult>;
}

export function createRunner(deps: RunnerDeps): Runner {
  return {
    async run(scenario, performLaterStep = async () => {}) {
      const timeline: TimelineEntry[] = [];
      const started = performance.now();
      const performing = performScenario(scenario, {
        ...deps,
        timeline,
        performLaterStep: () => runForAtLeast(1100, started, performLaterStep),
      });
      try {
        await performing.performSteps();
        return { verdict: 'passed', timeline };
      } catch (error) {
        if (error instanceof ScenarioEnd) return { ...error.result, timeline };
        if (error instanceof MissingHookError) return { verdict: 'not-testable', reason: error.message, missing: [error.option], timeline };
        if (deps.interrupt?.aborted) return { verdict: 'not-testable', reason: 'the run was interrupted during this scenario', timeline };
        return { verdict: 'error', message: (error as Error).message, timeline };
      } finally {
        await performing.cleanUp().catch(() => {});
      }
    },
  };
}

async function runForAtLeast(ms: number, since: number, action: () => Promise<void>): Promise<void> {
  await action();
  await delay(Math.max(0, ms - (performance.now() - since)));
}
