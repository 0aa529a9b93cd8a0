import { type CheckName, isDecisive } from '../../checks/rules.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import type { ReportSettings } from '../../report/write-reports.ts';
import { UsageError } from '../usage-error.ts';
import { readBaseline } from './baseline-file.ts';
import { readFailedRules } from './failed-rules.ts';
import type { ReportFlags } from './options.ts';
import { readRequirements } from './requirements-files.ts';
import { selectRules } from './rule-ids.ts';

export interface ReportFlagsResult {
  /** The rules that `--rule` or `--failed` selects. Undefined if all rules are selected. */
  readonly rules: RuleId[] | undefined;
  readonly settings: ReportSettings;
}

/**
 * @param check the integration check; undefined for the conformance suite
 * @throws UsageError, FixtureError
 */
export async function readReportFlags(flags: ReportFlags, check?: CheckName): Promise<ReportFlagsResult> {
  const { rule, failed, strict = false, reportDir, baseline, requirements, json = false, verbose = check !== undefined } = flags;
  if (rule !== undefined && failed !== undefined) throw new UsageError('Give either --rule or --failed.');
  const selected = rule && selectRules(rule, '--rule', check).map(({ id }) => id);
  const rules = failed === undefined ? selected : await readFailedRules(failed, check);
  const makesRunFail = createFailurePredicate(flags, check);
  const known = baseline === undefined ? [] : await readBaseline(baseline, check);
  const frozen = requirements === undefined ? undefined : await readRequirements(requirements, '--requirements');
  return { rules, settings: { folder: reportDir, strict, makesRunFail, known, requirements: frozen, json, verbose } };
}

/** @throws UsageError for unknown and for `advice` rules */
function createFailurePredicate({ strict = false, failOn }: ReportFlags, check: CheckName | undefined): ReportSettings['makesRunFail'] {
  const isLevel = (text: string) => text === 'documented' || text === 'implied';
  if (failOn === undefined) return strict ? () => true : isDecisive;
  const ids = new Set<string>();
  for (const text of failOn.filter((each) => !isLevel(each))) {
    const found = selectRules([text], '--fail-on', check).filter(({ level }) => level !== 'advice');
    if (found.length === 0) throw new UsageError(`--fail-on ${text}: The rule is advice, which never fails a run.`);
    for (const { id } of found) ids.add(id);
  }
  const countsAll = strict || failOn.includes('implied');
  return ({ id, level }) => countsAll || ids.has(id) || (level === 'documented' && failOn.includes('documented'));
}
