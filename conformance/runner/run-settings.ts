import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { Results } from '../../src/contract/generated/results.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import type { ExcludedRule } from '../../src/report/aggregate.ts';

export interface RunSettings {
  readonly resultsFile: string;
  readonly target: Results['target'];
  readonly forms: readonly PathForm[];
  /** Default: every rule. */
  readonly rules?: readonly RuleId[] | undefined;
  /** Whether to run the checks that only observe decisions. Default: only if no rules are selected. */
  readonly observing?: boolean | undefined;
  readonly notApplicable: readonly ExcludedRule[];
  readonly quiet?: boolean | undefined;
}

const VARIABLE_NAME = 'XPK_CONFORMANCE_RUN';

export function createRunEnvironment(settings: RunSettings): Record<string, string> {
  return { [VARIABLE_NAME]: JSON.stringify(settings) };
}

/** @throws Error if the checks were not started by `xpk conformance` */
export function readRunSettings(environment: Readonly<Record<string, string | undefined>>): RunSettings {
  const text = environment[VARIABLE_NAME];
  if (text === undefined) throw new Error('The environment has no run settings: start the checks with xpk conformance.');
  return JSON.parse(text) as RunSettings;
}
