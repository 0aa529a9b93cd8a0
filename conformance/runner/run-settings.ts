import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { Results } from '../../src/contract/generated/results.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import type { NotApplicable } from '../../src/report/aggregate.ts';

/** Which checks run, and where the results go. The reporter gets it in the environment. */
export interface RunSettings {
  /** Where results.json is written. */
  readonly resultsFile: string;
  readonly target: Results['target'];
  readonly forms: readonly PathForm[];
  /** Default: every rule. */
  readonly rules?: readonly RuleId[] | undefined;
  /** Whether checks without rules run, which only observe decisions. Default: if no rules are selected. */
  readonly observing?: boolean | undefined;
  readonly notApplicable: readonly NotApplicable[];
  /** Prints no progress. */
  readonly quiet?: boolean | undefined;
}

const NAME = 'XPK_CONFORMANCE_RUN';

export function runEnvironment(settings: RunSettings): Record<string, string> {
  return { [NAME]: JSON.stringify(settings) };
}

/** @throws Error if the checks were not started by `xpk conformance`. */
export function readRunSettings(environment: Readonly<Record<string, string | undefined>>): RunSettings {
  const text = environment[NAME];
  if (text === undefined) throw new Error('There is no run to report: start the checks with xpk conformance.');
  return JSON.parse(text) as RunSettings;
}
