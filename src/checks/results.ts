import type { Results } from '../contract/generated/results.ts';
import { aggregate, type RuleCheck } from '../report/aggregate.ts';
import { RESULTS_VERSION } from '../report/read-results.ts';
import type { RuleInScope } from '../report/scope.ts';
import { version } from '../version.ts';
import type { RuleOutcome } from './outcome.ts';
import { type CheckName, type IntegrationRuleId, listRulesOfCheck } from './rules.ts';

export interface CheckRun {
  readonly check: CheckName;
  /** The tested endpoint's URL, or the base URL of the kit that the tested client calls. */
  readonly url: string;
  /** The integration's name in reports. The default is `url`. */
  readonly name?: string | undefined;
  readonly outcomes: readonly RuleOutcome[];
  readonly startedAt: Date;
  readonly durationMs: number;
  /** The selected rules. The default is every rule of the check. */
  readonly rules?: readonly string[] | undefined;
  readonly interrupted?: boolean;
  /** Why the run is incomplete, such as "12 journal entries were lost". Incomplete runs fail. */
  readonly incomplete?: string | undefined;
  /** Notes about behavior that breaks no rule, as sentences. */
  readonly notes?: Results['notes'];
  readonly coverage?: Results['coverage'];
  /** Why a rule without an outcome was not exercised. The default is that nothing happened to which the rule applies. */
  readonly untested?: string;
}

/** A rule without an outcome is reported as not exercised. */
export function toResults(run: CheckRun): Results {
  const { check, url, name, outcomes, startedAt, rules: selected, interrupted = false, incomplete } = run;
  const { notes = [], coverage, untested: why = 'nothing happened that the rule applies to' } = run;
  const isSelected = (id: string) => selected === undefined || selected.includes(id);
  const rules = listRulesInScope(check).filter(({ id }) => isSelected(id));
  const tested = new Set<string>(outcomes.map(({ rule }) => rule));
  const reason = interrupted ? 'the run was interrupted before the rule was tested' : why;
  const untested = rules
    .filter(({ id }) => !tested.has(id))
    .map(({ id, text }) => ({ rule: id as IntegrationRuleId, title: text, reason }));
  const missing = untested.map((each): RuleOutcome => ({ ...each, verdict: 'not-exercised', timeline: [] }));
  return {
    format: 'experience-provider-kit/conformance-results',
    version: RESULTS_VERSION,
    kit: version,
    target: { baseUrl: url, kind: check, ...(name !== undefined && { name }) },
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(run.durationMs),
    interrupted,
    ...(incomplete !== undefined && { incomplete }),
    columns: ['integration'],
    partial: selected !== undefined,
    rules: aggregate({ rules, columns: ['integration'], findings: [...outcomes, ...missing].map(toFinding), interrupted }),
    observations: [],
    leftovers: [],
    errors: [],
    ...(notes.length > 0 && { notes }),
    ...(coverage !== undefined && { coverage }),
  };
}

function toFinding({ rule, message, ...check }: RuleOutcome): RuleCheck {
  return { rule, column: 'integration', check: { ...check, ...(message !== undefined && { failure: { message } }) } };
}

export function listRulesInScope(check: CheckName): readonly RuleInScope[] {
  return listRulesOfCheck(check).map(({ id, text, level, section, document }) => {
    const resource = id.startsWith('events.endpoint.') ? 'Endpoint' : RESOURCE_NAMES[document];
    return { id, text, level, section, resource, columns: ['integration'] };
  });
}

const RESOURCE_NAMES = { openapi: 'Calls', authorization: 'Authorization', asyncapi: 'Events', control: 'Control' } as const;
