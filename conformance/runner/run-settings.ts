import { existsSync, readFileSync } from 'node:fs';
import { type Decisions, defaultDecisions } from '../../src/contract/generated/decisions.ts';
import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { Results } from '../../src/contract/generated/results.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { type ExcludedRule, groupObservations } from '../../src/report/aggregate.ts';
import { isSupported } from '../../src/report/decisions-file.ts';
import { PATH_FORMS, rulesInScope } from '../../src/report/scope.ts';
import { createControl } from '../target/control.ts';
import type { TargetSettings } from '../target/target-settings.ts';

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
  readonly explore?: ExploreFlags | undefined;
  /** Whether a check is flaky that passes only when it is repeated. Its last exchange is then reported, too. */
  readonly verify?: boolean | undefined;
}

export interface ExploreFlags {
  /** The time for random sequences, in milliseconds. Default: the profile's `explore.seconds`, or 20 seconds, or 2 for a kit. */
  readonly ms?: number | undefined;
  readonly seed?: number | undefined;
  readonly path?: string | undefined;
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

/** Returns undefined in runs against mutants. */
const findRunSettings = () => (process.env[VARIABLE_NAME] === undefined ? undefined : readRunSettings(process.env));

export const isVerifying = (): boolean => findRunSettings()?.verify === true;

const [KIT_SECONDS, FOREIGN_SECONDS] = [2, 20];
const MAX_SEED = 2 ** 31 - 1;
export const createSeed = (): number => Math.floor(Math.random() * MAX_SEED);

export function readExploreSettings({ control, profile: { explore = {} } }: TargetSettings) {
  const { forms = PATH_FORMS, explore: flags = {} } = findRunSettings() ?? {};
  const { ms, seed = createSeed(), path } = flags;
  const seconds = ms === undefined ? (explore.seconds ?? (control ? KIT_SECONDS : FOREIGN_SECONDS)) : ms / 1000;
  return { forms, seconds, commands: explore.commands ?? 20, parallel: explore.parallel ?? true, seed, path };
}

/** The file in which the reporter collects the observed decisions during the run. */
export const getObservationsFile = ({ resultsFile }: RunSettings): string => `${resultsFile}.observed`;

/** Returns the decisions that a kit states, or that the run's checks have observed so far. */
export async function readObservedDecisions({ control }: TargetSettings): Promise<Partial<Decisions>> {
  if (control)
    return { ...defaultDecisions, ...((await createControl(control.url, control.token).info()).decisions as Partial<Decisions>) };
  const run = findRunSettings();
  const file = run && getObservationsFile(run);
  if (file === undefined || !existsSync(file)) return {};
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const observed = groupObservations(lines.map((line) => JSON.parse(line)));
  // A decision with several observed values stays open.
  const isOpen = (id: string) => observed.filter(({ decision }) => decision === id).length > 1;
  return Object.fromEntries(
    observed.filter((each) => isSupported(each) && !isOpen(each.decision)).map(({ decision, value }) => [decision, value]),
  );
}

/** Whether a run includes a check. @param ruleIds the rules that the check tests; none if it only observes decisions */
export function isSelected(ruleIds: readonly string[], form: PathForm, settings: RunSettings): boolean {
  const { rules, observing = rules === undefined, forms, notApplicable } = settings;
  if (!forms.includes(form)) return false;
  // A check without rules observes decisions. It runs with one path form, because the decisions are the same for both.
  if (ruleIds.length === 0) return observing && form === forms[0];
  return ruleIds.some((id) => {
    const rule = rulesInScope.find((candidate) => candidate.id === id);
    if (rule === undefined || (rules && !rules.includes(rule.id))) return false;
    if (notApplicable.some((entry) => entry.rule === id && (entry.form === undefined || entry.form === form))) return false;
    return rule.columns.includes(form) || forms.length === 1;
  });
}
