import type { RuleOutcome } from '../outcome.ts';

export interface ScenarioResult extends Pick<RuleOutcome, 'reason' | 'missing' | 'message' | 'timeline'> {
  /** `not-testable`: for example, the user provided no hook. `error`: the kit or a hook failed. */
  readonly verdict: 'passed' | 'failed' | 'not-testable' | 'error';
  /** `view`: the consumer's state is wrong. */
  readonly failure?: 'not-acknowledged' | 'late' | 'view';
  /** For `not-acknowledged`: the endpoint's last status. */
  readonly status?: number | undefined;
  /** For `not-acknowledged`: whether the endpoint stopped listening. */
  readonly stopped?: boolean;
}

export class ScenarioEnd extends Error {
  override readonly name = 'ScenarioEnd';
  readonly result: Omit<ScenarioResult, 'timeline'>;

  constructor(result: Omit<ScenarioResult, 'timeline'>) {
    super(result.message ?? result.reason);
    this.result = result;
  }
}
