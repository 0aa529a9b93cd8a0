import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import type { NotApplicable } from '../../src/report/aggregate.ts';
import type { Results } from '../../src/report/results.ts';

/** What a run judges, and where its results go: passed to the reporter in the environment. */
export interface RunSettings {
  /** Where results.json is written. */
  readonly resultsFile: string;
  readonly target: Results['target'];
  readonly forms: readonly PathForm[];
  /** Absent: every rule. */
  readonly rules?: readonly RuleId[] | undefined;
  /** Whether checks that name no rule are made, which only observe decisions. Absent: where every rule is judged. */
  readonly observing?: boolean | undefined;
  readonly notApplicable: readonly NotApplicable[];
  /** True where nobody watches: how far the run is need not be shown. */
  readonly unwatched?: boolean | undefined;
}

const NAME = 'XPK_CONFORMANCE_RUN';

export function runEnvironment(settings: RunSettings): Record<string, string> {
  return { [NAME]: JSON.stringify(settings) };
}

/** @throws Error where no run was started by `xpk conformance`. */
export function readRunSettings(environment: Readonly<Record<string, string | undefined>>): RunSettings {
  const text = environment[NAME];
  if (text === undefined) throw new Error('There is no run to report: start the checks with xpk conformance.');
  return JSON.parse(text) as RunSettings;
}
