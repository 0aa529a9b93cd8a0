import type { TimelineEntry } from '../outcome.ts';

export interface ScenarioResult {
  /** `not-testable` if the view does not show what the scenario compares, or if a hook is missing. `error` if the kit or a hook failed. */
  readonly verdict: 'passed' | 'failed' | 'not-testable' | 'error';
  /** Of `failed`: an event was never acknowledged, an answer came too late, or the view differs from the world. */
  readonly failure?: 'not-acknowledged' | 'late' | 'view';
  /** Of `failed`: the status that the endpoint answered last to the delivery that it did not acknowledge. */
  readonly status?: number | undefined;
  /** Of `not-acknowledged`: whether the endpoint accepts no connections any more. */
  readonly stopped?: boolean;
  readonly reason?: string;
  readonly missing?: readonly string[];
  readonly message?: string;
  readonly timeline: readonly TimelineEntry[];
}

/** Ends a scenario with a result other than passed. */
export class ScenarioEnd extends Error {
  override readonly name = 'ScenarioEnd';
  readonly result: Omit<ScenarioResult, 'timeline'>;

  constructor(result: Omit<ScenarioResult, 'timeline'>) {
    super(result.message ?? result.reason);
    this.result = result;
  }
}
