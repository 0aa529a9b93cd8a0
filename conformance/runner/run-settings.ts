import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import type { NotApplicable } from '../../src/report/aggregate.ts';
import type { Results } from '../../src/report/results.ts';

/** What a run judges, and where its results go: passed to the reporter in the environment. */
export interface RunSettings {
  /** Where results.json is written. */
  readonly resultsFile: string;
  readonly kit: string;
  readonly target: Results['target'];
  readonly forms: readonly PathForm[];
  /** Absent: every rule. */
  readonly rules?: readonly RuleId[] | undefined;
  /** Whether checks that name no rule are made, which only observe decisions. Absent: where every rule is judged. */
  readonly observing?: boolean | undefined;
  readonly notApplicable: readonly NotApplicable[];
  /** How many workers make the checks. Absent: as many as the suite is made for. */
  readonly workers?: number | undefined;
  /** True where nobody watches: how far the run is need not be shown. */
  readonly unwatched?: boolean | undefined;
}

const NAME = 'XPK_CONFORMANCE_RUN';

/** Set where a reporter of the suite's own reads the outcome. */
export const REPORTED: Readonly<Record<string, string>> = { XPK_CONFORMANCE_REPORTED: 'yes' };

export function runEnvironment(settings: RunSettings): Record<string, string> {
  return { ...REPORTED, [NAME]: JSON.stringify(settings) };
}

/** Whether a reporter of the suite's own reads the outcome: others would take a failure that does not stop a worker for a success. */
export function isReported(environment: Readonly<Record<string, string | undefined>>): boolean {
  return Object.keys(REPORTED).every((name) => environment[name] === REPORTED[name]);
}

/** @throws Error where no run was started by `xpk conformance`. */
export function readRunSettings(environment: Readonly<Record<string, string | undefined>>): RunSettings {
  const text = environment[NAME];
  if (text === undefined) throw new Error('There is no run to report: start the checks with xpk conformance.');
  return JSON.parse(text) as RunSettings;
}
